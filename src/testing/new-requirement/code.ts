import { defectFileOf } from '#target/defects'
import { before, nameOf, type Read, type Stub, type Wish, wordsOf, WrongWish } from './stubs.ts'

const openDefect = 'Say what the target does wrong.'

/** The file of the part's defects with one that changes nothing yet, which a test finds. */
export function withDefect({ id }: Wish, read: Read): Stub {
  const { part, subject, claim } = wordsOf(id)
  const path = `src/target/defects/${defectFileOf(id) ?? `${part}/${subject}`}.ts`
  const text = read(path)
  const table = `defectsOf('${part}.${subject}', {`
  const row = `  '${claim}: ${openDefect}': () => undefined,\n`
  if (text === undefined) return { path, text: `import { defectsOf } from '../tools/table.ts'\n\n${newTable(id, row)}` }
  const start = text.indexOf(table)
  if (start < 0) return { path, text: `${text}\n${newTable(id, row)}` }
  const end = text.indexOf('\n})', start) + 1
  return { path, text: text.slice(0, end) + row + text.slice(end) }
}

function newTable(id: string, row: string): string {
  const { part, subject } = wordsOf(id)
  return `export const ${nameOf(subject)}Defects = defectsOf('${part}.${subject}', {\n${row}})\n`
}

/** A rule in a file of its own, and the list of the part's rules with it; or a step, which a scenario has to take in. */
export function withJudge(wish: Wish, read: Read): Stub[] {
  const { part, claim } = wordsOf(wish.id)
  const ending = wish.judge === 'rule' ? 'rules' : 'check'
  const path = `${wish.folder}/${claim}.${ending}.ts`
  if (read(path) !== undefined) throw new WrongWish(`${path} is there already; add to it by hand`)
  if (wish.judge === 'step') return [{ path, text: stepStub(wish) }]
  const list = `suites/${part}/rules.ts`
  const from = `.${wish.folder.slice(`suites/${part}`.length)}/${claim}.rules.ts`
  const rules = read(list) ?? `import type { Rule } from '#judge/rule'\n\nexport const rules: readonly Rule[] = []\n`
  const imported = before(rules, '\nexport const rules', `import { ${nameOf(claim)} } from '${from}'\n`)
  const comma = /\[\s*\]\s*$/.test(imported) ? '' : ', '
  return [
    { path, text: ruleStub(wish) },
    { path: list, text: before(imported, ']', `${comma}${nameOf(claim)}`).replace(/,\s*, /, ', ') },
  ]
}

function ruleStub({ id, section, says }: Wish): string {
  const { part, claim } = wordsOf(id)
  return `import type { Rule } from '#judge/rule'

const row = '${id}'

/** "${says}" (${section}). */
export const ${nameOf(claim)}: Rule = {
  id: '${part}.${claim}',
  proves: [row],
  judge(trace, report) {
    for (const { scenario, attempts } of trace.exchanges.values()) {
      for (const { request, response } of attempts) {
        if (response === undefined) continue
        const lines = [request.line, response.line]
        // What is right is held, what is wrong is broken, and what says nothing of the row is passed over.
        if (response.entry.status === 200) report.held(row, ...lines)
        else report.broken(row, { expected: 'what the interface says', got: 'what came', lines, scenario })
      }
    }
  },
}
`
}

function stepStub({ id, section, says }: Wish): string {
  return `import { step } from '#scenario/author/step'

/** "${says}" (${section}). */
export const ${nameOf(wordsOf(id).claim)} = step(['${id}'], async (c) => {
  await c.call('list-avatar-sessions', { expect: '${id}' })
})
`
}
