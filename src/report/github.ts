import type { Failure, RequirementResult, Results } from '#judge/results'
import { byFamily, fewNames, type FamilyLine } from './by-family.ts'
import { conclude, type ConclusionOptions } from './conclusion.ts'
import { columns, countAll, countByPart, known } from './counts.ts'
import { unjudgedByRemedy } from './remedies.ts'
import { waivedRows, waiverText } from './waivers.ts'
import type { Resend } from './curl.ts'
import { seenTexts } from './choice-text.ts'
import { printable } from '#text/printable'

export interface GithubOptions extends ConclusionOptions {
  readonly resend: Resend
  /** The command that sends the failure of a requirement again and judges it. */
  readonly replay?: (requirement: string) => string | undefined
  readonly trace: string
  /** The sentence of a requirement, where the register has one. */
  readonly text?: (requirement: string) => string | undefined
  /** What else a reader of failures has to know. */
  readonly notes?: readonly string[]
}

/** GitHub refuses a step summary over 1 MiB; the rest stays in results.json. */
const rowsShown = 100

/** A step summary in GitHub's markdown: conclusion, parts, failures, what was not judged, what the spec leaves open. */
export function githubReport(results: Results, options: GithubOptions): string {
  const broken = results.requirements.filter(({ verdict }) => ['fail', 'warn'].includes(known(verdict)))
  const blocks = [
    `## ${plain(conclude(results, options).sentence)}`,
    runLine(results),
    partTable(results),
    ...brokenRows(broken, options),
    waived(results),
    unjudged(results),
    choices(results),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function runLine({ run, target, traffic }: Results): string {
  const words = `${traffic.rest_requests} requests, ${traffic.sessions_created} ${traffic.sessions_created === 1 ? 'session' : 'sessions'}, seed ${run.seed}, tier ${run.tier}, run ${run.id}`
  return `Target ${plain(target.base_url)}: ${plain(words)}`
}

function partTable(results: Results): string {
  const rows = [...countByPart(results), ['total', countAll(results)] as const].map(([part, counts]) => {
    return [plain(part), ...columns.map((column) => counts[column])]
  })
  return table(['part', 'pass', 'fail', 'warn', 'not judged', 'untestable', 'n/a', 'waived'], rows)
}

/** Rows of a family that broke alike are told once. */
function brokenRows(broken: readonly RequirementResult[], options: GithubOptions): readonly string[] {
  if (broken.length === 0) return []
  const lines = byFamily(broken, ({ verdict, failures }) => JSON.stringify([verdict, failures?.map(wordsOf)]))
  const more = lines.slice(rowsShown).reduce((sum, { rows }) => sum + rows.length, 0)
  return [
    '### Broken',
    ...(options.notes ?? []).map((note) => plain(note, 1_000)),
    ...lines.slice(0, rowsShown).map((line) => brokenLine(line, options)),
    ...(more > 0 ? [`and ${more} more, see results.json`] : []),
  ]
}

const wordsOf = ({ expected, got }: Failure): readonly string[] => [expected, got]

function brokenLine(
  { name, rows: [row] }: FamilyLine<RequirementResult>,
  { resend, replay, text, trace }: GithubOptions,
): string {
  const [failure] = row.failures ?? []
  const evidence = failure?.evidence ?? row.evidence
  const again = resend(evidence, row.id)
  const file = replay?.(row.id)
  const sentence = text?.(row.id)
  const more = (row.failures?.length ?? 0) - 1
  return [
    `**${row.verdict}** ${plain(name)} (${row.level.toUpperCase()} §${plain(row.section)})`,
    ...(sentence === undefined ? [] : ['', plain(sentence, 1_000), '']),
    ...(failure === undefined
      ? [`- ${plain(row.reason)}`]
      : [`- expected: ${plain(failure.expected)}`, `- got: ${plain(failure.got)}`]),
    ...(again === undefined ? [] : [`- again: ${plain(again, 2_000)}`]),
    ...(file === undefined ? [] : [`- replay: ${plain(file, 2_000)}`]),
    `- evidence: ${plain(`${trace}:${evidence.join(', ')}`)}${more > 0 ? ` (and ${more} more, see results.json)` : ''}`,
  ].join('\n')
}

function waived(results: Results): string {
  const rows = byFamily(waivedRows(results), ({ waiver }) => waiverText(waiver))
  if (rows.length === 0) return ''
  const lines = rows.map(({ name, rows: [{ waiver }] }) => `- ${plain(name)}: ${plain(waiverText(waiver), 400)}`)
  return ['### Waived', '', ...lines].join('\n')
}

function unjudged(results: Results): string {
  const groups = unjudgedByRemedy(results)
  const { inconclusive, untestable } = countAll(results)
  const never = untestable === 0 ? '' : `Untestable, whatever a profile gives: ${untestable}`
  if (groups.length === 0) return never
  const rows = groups.map(({ remedy, rows: all }) => [
    all.length,
    plain(remedy.line === undefined ? `${remedy.title}: ${all[0]?.reason ?? ''}` : remedy.title, 300),
    plain(`${remedy.says} ${remedy.line ?? ''}`, 300),
    fewNames(all, plain),
  ])
  const inside = table(['requirements', 'why', 'what would change it', 'such as'], rows)
  return [folded(`Not judged in this run: ${inconclusive}`, inside), ...(never === '' ? [] : [never])].join('\n\n')
}

function choices(results: Results): string {
  const seen = results.choices.filter(({ observed }) => observed.length > 0)
  if (seen.length === 0) return ''
  const lines = seen.map(({ id, section, observed }) => [
    plain(id),
    plain(section),
    plain(seenTexts(observed).join('; '), 200),
  ])
  return folded(
    `What the spec leaves open, and what was seen: ${seen.length} of ${results.choices.length}`,
    table(['choice', '§', 'seen'], lines),
  )
}

function folded(title: string, inside: string): string {
  return `<details><summary>${plain(title)}</summary>\n\n${inside}\n\n</details>`
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const shown = rows.slice(0, rowsShown * 5)
  const more = rows.length - shown.length
  return [head, head.map(() => '---'), ...shown, ...(more > 0 ? [[`and ${more} more, see results.json`]] : [])]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** Marks of markdown and its GitHub extensions: emphasis, code, tables, links, mentions, issues, formulas, emoji. */
const marks = /[&<>|`*[\]\\~@#$]|:(?=\S)|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<=\bwww)\./gi

/** Text that markdown shows as it is: a character reference is never markup. */
function plain(text: string, limit?: number): string {
  return printable(text, limit).replace(marks, (character) => `&#${character.charCodeAt(0)};`)
}
