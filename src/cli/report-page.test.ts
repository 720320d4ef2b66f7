import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { handMadeResults, row } from '#testing/hand-made-results'
import { TraceBuilder } from '#testing/trace-builder'
import { fakeShell } from './testing/fake-shell.ts'
import { runProgram } from './program.ts'
import { newFolder } from '#testing/new-folder'

const failing = 'limits.max-duration.three-rejected'

let folder = ''
beforeEach(() => {
  folder = newFolder()
})

const at = (name: string): string => join(folder, name)

/** A trace of nothing but a header, and results that say they are of it. */
function writeRun(name: string, verdict: 'pass' | 'fail'): string {
  const trace = `${new TraceBuilder().entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`
  writeFileSync(at('trace.ndjson'), trace)
  const sha256 = createHash('sha256').update(trace).digest('hex')
  const failures = [{ expected: 'a rejection', got: 'code 0', evidence: [1] }]
  const results = handMadeResults([row(failing, verdict, verdict === 'fail' ? { failures } : {})])
  const { run } = results
  const digests = { register: 'a'.repeat(64), trace: sha256, release: { version: '1.0.0', digest: 'a'.repeat(64) } }
  writeFileSync(at(name), JSON.stringify({ ...results, run: { ...run, ...digests } }))
  return at(name)
}

test('report writes report.html beside the results, with what the trace holds', async () => {
  const shell = fakeShell()
  expect(await runProgram(['report', writeRun('results.json', 'fail')], shell)).toBe(0)
  expect(shell.stdout()).toBe(`${at('report.html')}\n`)
  const page = readFileSync(at('report.html'), 'utf8')
  expect(page).toContain('Not conformant: 1 requirement failed.')
  expect(page).toContain('trace.ndjson:1')
  // A line that is pasted goes to the service that was judged.
  expect(page).toContain('--all-scenarios --target https://staging.example')
})

test.each([
  ['GR_KEY', true],
  ['GREENROOM_EMBEDDED_PRIMARY', false],
])('of a service on this machine whose key stands in %s, a line to paste names it: %j', async (primary, isNamed) => {
  const file = writeRun('results.json', 'fail')
  const results = JSON.parse(readFileSync(file, 'utf8'))
  const target = { ...results.target, base_url: 'http://127.0.0.1:8080', profile: { keys: { primary } } }
  writeFileSync(file, JSON.stringify({ ...results, target }))
  expect(await runProgram(['report', file], fakeShell())).toBe(0)
  expect(readFileSync(at('report.html'), 'utf8').includes('--target http://127.0.0.1:8080')).toBe(isNamed)
})

test('a failure is sent again by the script of its replay file, as the run said', async () => {
  const results = writeRun('results.json', 'fail')
  mkdirSync(at('replay'))
  writeFileSync(at(`replay/${failing}.json`), '{}')
  writeFileSync(at(`replay/${failing}.mjs`), '')
  expect(await runProgram(['report', results], fakeShell())).toBe(0)
  expect(readFileSync(at('report.html'), 'utf8')).toContain(`node ${at(`replay/${failing}.mjs`)}`)
})

test('without a trace report says what is missing, and writes the page', async () => {
  const results = writeRun('results.json', 'fail')
  rmSync(at('trace.ndjson'))
  const shell = fakeShell()
  expect(await runProgram(['report', results, '--out', at('page.html')], shell)).toBe(0)
  expect(shell.stderr()).toContain('there is no trace beside')
  expect(readFileSync(at('page.html'), 'utf8')).toContain('code 0')
})

test('several results are set side by side', async () => {
  const files = [writeRun('results.json', 'pass'), writeRun('other.json', 'fail')]
  const shell = fakeShell()
  expect(await runProgram(['report', ...files], shell)).toBe(0)
  const page = readFileSync(at('report.html'), 'utf8')
  expect(page).toContain('1 requirement on which they differ')
  expect(page).toContain('Latency, p95')
  expect(shell.stderr()).toBe('')
})

test('of a run beside the first whose trace is gone no times are shown, and that is said', async () => {
  const first = writeRun('results.json', 'pass')
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'results.json'), readFileSync(first))
  const shell = fakeShell()
  expect(await runProgram(['report', first, join(other, 'results.json')], shell)).toBe(0)
  expect(shell.stderr()).toContain('is not beside it, so the page shows nothing of its times')
  expect(readFileSync(at('report.html'), 'utf8')).toContain('fewer than two were at hand')
})

test.each([
  ['results that are none', '{}', 'holds no results of this format'],
  ['results that lack half', '{"format":"greenroom.results/1","requirements":[]}', 'holds no whole results'],
  ['what is no JSON', '<html>', 'is not JSON'],
])('%s end with one sentence, and no page', async (_, text, sentence) => {
  writeFileSync(at('results.json'), text)
  const running = runProgram(['report', at('results.json')], fakeShell())
  await expect(running).rejects.toMatchObject({ exit: 2, message: expect.stringContaining(sentence) })
  expect(existsSync(at('report.html'))).toBe(false)
})

test('the trace of another run is refused', async () => {
  const results = writeRun('results.json', 'fail')
  writeFileSync(at('trace.ndjson'), readFileSync(at('trace.ndjson'), 'utf8').replace('"seed":', '"seed": '))
  await expect(runProgram(['report', results], fakeShell())).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining('is not the trace that'),
  })
})

test('a run that is over is written for other readers, too, with the counts of its results', async () => {
  const shell = fakeShell()
  const results = writeRun('results.json', 'fail')
  expect(await runProgram(['report', results, '--report', 'junit,ctrf', '--report', 'github'], shell)).toBe(0)
  expect(shell.stdout()).toBe(['junit.xml', 'ctrf.json', 'summary.md'].map((name) => `${at(name)}\n`).join(''))
  expect(readFileSync(at('junit.xml'), 'utf8')).toContain('failures="1"')
  expect(JSON.parse(readFileSync(at('ctrf.json'), 'utf8')).results.summary.failed).toBe(1)
  expect(readFileSync(at('summary.md'), 'utf8')).toContain('Not conformant: 1 requirement failed.')
  expect(existsSync(at('report.html'))).toBe(false)
})

test.each([
  [['--report', 'junit,ctrf', '--out', 'one.xml'], '--out names one file'],
  [['results.json', '--report', 'junit'], 'only the page sets several results side by side'],
  [['--report', 'pdf'], 'Allowed choices are html, junit, ctrf, github.'],
])('report %j is refused: %s', async (more, says) => {
  const results = writeRun('results.json', 'pass')
  const given = more.map((word) => (word === 'results.json' ? results : word))
  const running = runProgram(['report', results, ...given], fakeShell())
  await expect(running).rejects.toMatchObject({ exit: 2, message: expect.stringContaining(says) })
})
