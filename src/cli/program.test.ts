import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { handMadeResults, row } from '#testing/hand-made-results'
import { fakeShell } from './testing/fake-shell.ts'
import { runProgram } from './program.ts'
import { register } from '#judge/register'
import { Stop } from './stop.ts'
import { newFolder } from '#testing/new-folder'

const folder = newFolder()

/** Runs a command line: exit code, standard output, and the sentence that a Stop says. */
async function greenroom(args: readonly string[], env: { readonly [name: string]: string } = {}) {
  const shell = fakeShell(env)
  try {
    const exit = await runProgram(args, shell)
    return { exit, out: shell.stdout(), err: shell.stderr() }
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    return { exit: error.exit, out: shell.stdout(), err: error.message }
  }
}

const misuse: readonly (readonly [readonly string[], RegExp])[] = [
  [['chekc'], /^unknown command 'chekc' \(Did you mean check\?\)$/],
  [['check', '--teir', 'smoke'], /^unknown option '--teir' \(Did you mean --tier\?\)$/],
  [['check', '--tier', 'huge'], /--tier .*'huge' is invalid.* smoke, standard, full/],
  [['check', '--seed', 'x'], /--seed .*It must be a whole number/],
  [['check', '--max-requests', '0'], /--max-requests .*at least 1/],
  [['check', '--report', 'pdf'], /--report .*html, junit, ctrf, github, allure/],
  [['check', 'extra'], /^too many arguments for 'check'/],
  [['check', '--target'], /--target .*argument missing/],
  [['judge'], /^missing required argument 'trace'; see "npx greenroom judge --help"$/],
  [['judge', 'no-such-trace'], /^the trace no-such-trace cannot be read: there is no such file or folder$/],
  [['list', '--part', 'voice'], /^--part "voice" is not known; did you mean "voices"\?|Parts: /],
  [['list', '--defects', '--scenarios'], /exclude each other/],
  [['explain', 'errors.nonsense.at.all'], /^there is no requirement "errors\.nonsense\.at\.all"/],
  [['serve', '--port', '70000'], /--port .*from 0 to 65535/],
  [['spec'], /^missing required argument 'document'; see "npx greenroom spec --help"$/],
  [['spec', 'graphql'], /'graphql' is invalid .*openapi, asyncapi/],
  [['serve', '--defect', 'no-such-defect'], /^--defect "no-such-defect" is not known.*list --defects/],
]

test.for(misuse)('%j ends with 2 and one sentence', async ([args, sentence]) => {
  const { exit, err } = await greenroom(args)
  expect(exit).toBe(2)
  expect(err).toMatch(sentence)
  expect(err).not.toContain('\n')
})

test('help names every command and the exit codes', async () => {
  const { exit, out } = await greenroom(['--help'])
  expect(exit).toBe(0)
  for (const word of ['check', 'judge', 'list', 'explain', 'serve', 'cleanup', 'init', 'spec', 'Exit codes'])
    expect(out).toContain(word)
})

test('no command shows the help and ends with 2', async () => {
  expect(await greenroom([])).toMatchObject({ exit: 2, err: expect.stringContaining('Usage: greenroom') })
})

test('the version is the one of package.json', async () => {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
  expect(await greenroom(['--version'])).toMatchObject({ exit: 0, out: `${JSON.parse(manifest).version}\n` })
})

test('list has a line for each requirement or family, with section, level and standing', async () => {
  const { out } = await greenroom(['list'])
  const { rows } = register()
  const lines = out.trimEnd().split('\n')
  const shape = /^[a-z-]+(?:\.[a-z0-9*-]+)+(?: \((\d+)\))? +§\S+ +(?:must|should|may) +(?:stated|derived|untestable)$/
  const counts = lines.map((line) => Number((shape.exec(line) ?? [line, NaN])[1] ?? 1))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rows.size)
  expect(out).toMatch(/^voices\.clone\.language-\*-accepted \(16\) +§2\.8 +must +stated$/m)
})

test('explain knows families', async () => {
  const { exit, out } = await greenroom(['explain', 'voices.clone.language-*-accepted'])
  expect(exit).toBe(0)
  expect(out).toContain('16 requirements that differ in the words at the star\nA clone with the language `*`')
  expect(out).toContain('\n  voices.clone.language-zh-accepted\n')
})

test('list --json has all of each requirement', async () => {
  const { out } = await greenroom(['list', '--json', '--part', 'limits'])
  const rows: readonly { readonly id: string }[] = JSON.parse(out)
  expect(rows.every(({ id }) => id.startsWith('limits.'))).toBe(true)
  expect(rows).toContainEqual(expect.objectContaining({ section: '8', level: 'must', text: expect.any(String) }))
})

test('list --variations has the section that leaves each legal choice open', async () => {
  const { out } = await greenroom(['list', '--variations'])
  for (const line of out.trimEnd().split('\n')) expect(line).toMatch(/^[a-z0-9-]+ +§(Conventions|\d(\.\d+)?) +\S/u)
  const { out: json } = await greenroom(['list', '--variations', '--json'])
  expect(JSON.parse(json)).toContainEqual(
    expect.objectContaining({ id: 'cap-1', section: '8', text: expect.any(String) }),
  )
})

test('explain shows the row, what it needs, and what happened', async () => {
  const id = 'limits.api-key-rate.recovers'
  const results = join(folder, 'results.json')
  const failures = [{ expected: 'admitted', got: '10008\u001b[31m', evidence: [7] }]
  const broken = { observations: 2, reason: 'broken', failures, evidence: [7], scenarios: ['limits.rate'] }
  writeFileSync(results, JSON.stringify(handMadeResults([row(id, 'fail', broken)])))
  const { exit, out } = await greenroom(['explain', id, '--results', results])
  expect(exit).toBe(0)
  for (const piece of [
    `${id}  §8  must  derived`,
    'the key rate_limited',
    'fail: broken (2 observations)',
    'got      10008\\u{1b}[31m',
  ]) {
    expect(out).toContain(piece)
  }
})

test('explain knows choices', async () => {
  const [id = ''] = register().choices.keys()
  expect(await greenroom(['explain', id])).toMatchObject({ exit: 0, out: expect.stringContaining('never judged') })
})

test('init writes a profile that names its schema, and never overwrites', async () => {
  const file = join(folder, 'starter.json')
  expect(await greenroom(['init', file])).toMatchObject({ exit: 0 })
  const written = readFileSync(file, 'utf8')
  const profile: { readonly $schema: string } = JSON.parse(written)
  expect(JSON.parse(readFileSync(join(folder, profile.$schema), 'utf8'))).toMatchObject({ title: 'ProfileFile' })
  expect(await greenroom(['init', file])).toMatchObject({
    exit: 2,
    err: `${file} cannot be written: it exists already; give another file`,
  })
  expect(readFileSync(file, 'utf8')).toBe(written)
})
