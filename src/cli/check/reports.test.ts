import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Results, verdicts } from '#judge/results'
import type { AllureResult } from '#report/allure/model'
import { type RunningTarget, startTarget } from '#target/start'
import { makeAllurePages } from '#testing/report-readers/allure-pages'
import { columnsOf, countsIn, rowOf } from '#testing/report-readers/report-counts'
import { type FakeShell, fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { newFolder } from '#testing/new-folder'

const scenario = 'avatar-sessions.create-text'
const failing = 'limits.disconnected-timeout.9-rejected'
const waived = 'limits.temperature.below-0-rejected'
const warning = 'avatar-sessions.create.recording-unknown-rejected'
const passing = 'limits.max-duration.four-accepted'
const video = 'avatar-sessions.create.aspect-ratio-nonsense-rejected'
const untestable = 'avatar-sessions.pipeline.tts-payload-effect'

let folder = ''
let target: RunningTarget
let shell: FakeShell
let exit = -1

/** One run that holds every verdict. */
beforeAll(async () => {
  folder = newFolder()
  target = await startTarget({ defects: [failing, waived, warning] })
  const { base_url, ca_pem = '', limits } = target
  writeFileSync(join(folder, 'ca.pem'), ca_pem)
  const expected = { id: waived, reason: 'known', owner: 'us', expires: '9999-12-31' }
  const profile = {
    base_url,
    ca_file: 'ca.pem',
    keys: { primary: 'GR_PRIMARY', rate_limited: 'GR_SLOW' },
    limits,
    abilities: { video: false },
    expected_failures: [expected],
  }
  writeFileSync(join(folder, 'profile.json'), JSON.stringify(profile))
  shell = fakeShell({
    PATH: process.env['PATH'] ?? '',
    XDG_STATE_HOME: join(folder, 'state'),
    GITHUB_STEP_SUMMARY: join(folder, 'step.md'),
    GR_PRIMARY: target.keys.primary,
    GR_SLOW: target.keys.rate_limited,
    // What allure-vitest would obey: leave the files unwritten, leave the tests out, put labels on them.
    ALLURE_TEST_MODE: '1',
    ALLURE_TESTPLAN_PATH: testPlan(),
    ALLURE_LABEL_owner: 'somebody',
  })
  const only = [failing, waived, warning, passing, video, untestable].flatMap((id) => ['--only', id])
  const kinds = ['html', 'junit', 'ctrf', 'github', 'allure'].flatMap((kind) => ['--report', kind])
  const place = ['--target', join(folder, 'profile.json'), '--out', join(folder, 'out')]
  exit = await runProgram(['check', ...place, ...only, ...kinds], shell)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await target.stop()
})

function testPlan(): string {
  const file = join(folder, 'plan.json')
  writeFileSync(file, JSON.stringify({ version: '1.0', tests: [{ id: '1', selector: 'none' }] }))
  return file
}

const written = (...path: readonly string[]): string => readFileSync(join(folder, 'out', ...path), 'utf8')

test('the page of a run shows its counts, its failures and no key', () => {
  const expected = columnsOf(JSON.parse(written('results.json')))
  const page = written('report.html')
  const all = /<strong>All<\/strong><\/th>(.*?)<\/tr>/s.exec(page)?.[1] ?? ''
  expect(rowOf(`all ${all.replaceAll(/<[^>]*>/g, ' ')}`, /all(.*)/s)).toEqual(expected)
  for (const id of [failing, waived, warning]) expect(page).toContain(`npx greenroom check --only ${id}`)
  expect(page).toContain(`--only ${failing} --all-scenarios --target ${join(folder, 'profile.json')}`)
  expect(page).not.toContain(target.keys.primary)
})

test('the line that sends a failure again names the target of the run', () => {
  const replayed = join(folder, 'out', 'replay', `${failing}.json`)
  const line = `npx greenroom replay ${replayed} --target ${join(folder, 'profile.json')}`
  for (const text of [shell.stdout(), written('summary.md'), written('report.html')]) expect(text).toContain(line)
})

test('every report of a run shows the counts of its results', () => {
  const results: Results = JSON.parse(written('results.json'))
  const { summary } = results
  const expected = columnsOf(results)
  expect(expected['untestable']).toBeGreaterThan(0)
  expect(exit).toBe(1)
  for (const verdict of verdicts) expect(summary[verdict], verdict).toBeGreaterThan(0)
  const counts = countsIn(join(folder, 'out'), shell.stdout())
  expect(counts).toMatchObject({
    terminal: expected,
    summary: expected,
    allure: expected,
    junit: summary,
    ctrf: summary,
  })
  expect(rowOf(readFileSync(join(folder, 'step.md'), 'utf8'), /^\| total \|(.*)\|$/m)).toEqual(expected)
  expect(counts.statuses).toMatchObject({
    passed: summary.pass,
    failed: summary.fail,
    pending: expected['inconclusive'],
    skipped: summary.not_applicable + (expected['untestable'] ?? 0),
    other: summary.warn + summary.waived,
  })
})

function allureResults(): readonly AllureResult[] {
  const names = readdirSync(join(folder, 'out', 'allure-results')).filter((name) => name.endsWith('-result.json'))
  return names.map((name) => JSON.parse(written('allure-results', name)))
}

test('allure-vitest recorded the scenarios that ran, and a broken requirement failed its own', () => {
  const results = allureResults()
  const shown = results.find(({ name }) => name === scenario)
  expect(shown?.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  expect(shown?.status).toBe('failed')
  expect(shown?.statusDetails.message).toMatch(
    /^limits\.disconnected-timeout\.9-rejected \(MUST §8, fail\): .*\nexpected: /,
  )
  expect(shown?.statusDetails.trace).toContain(waived)
  expect(shown?.steps.flatMap(({ steps }) => steps).map(({ name }) => name)).toContain(`${warning}: broken (warn)`)
  expect(results.filter(({ status }) => status === 'failed' || status === 'broken')).toEqual([shown])
})

test("Allure's own generator makes pages of them, which count the same and load nothing from elsewhere", async () => {
  vi.stubEnv('ALLURE_NO_ANALYTICS', 'true')
  const pages = join(folder, 'pages')
  await makeAllurePages(join(folder, 'out', 'allure-results'), pages)
  const read = (...path: readonly string[]) => JSON.parse(readFileSync(join(pages, ...path), 'utf8'))
  const results = allureResults()
  const statuses = Map.groupBy(results, ({ status }) => status)
  const statistic = Object.fromEntries([...statuses].map(([status, some]) => [status, some.length]))
  expect(read('widgets', 'summary.json').statistic).toMatchObject({ ...statistic, total: results.length })
  const environment: readonly { name: string; values: readonly string[] }[] = read('widgets', 'environment.json')
  const shown = Object.fromEntries(environment.map(({ name, values }) => [name, Number(values[0])]))
  expect(shown).toMatchObject(columnsOf(JSON.parse(written('results.json'))))
  const categories: readonly { name: string }[] = read('data', 'categories.json').children
  expect(categories.map(({ name }) => name)).toContain('Not conformant')
  const page = readFileSync(join(pages, 'index.html'), 'utf8')
  expect(page.match(/(?:src|href)="(?:https?:)?\/\/[^"]*"/g) ?? []).toEqual([])
  expect(page).toContain('<script')
})

test('names, ids and labels tell nothing of the machine', () => {
  for (const result of allureResults()) {
    const { name, fullName, testCaseId, historyId, titlePath, labels } = result
    expect([fullName, testCaseId, historyId, titlePath]).toEqual([name, name, name, [name.split('.')[0]]])
    const names = new Set(labels.map((label) => label.name))
    for (const foreign of ['host', 'thread', 'package', 'owner', '_fallbackTestCaseId'])
      expect(names).not.toContain(foreign)
  }
  // How to send it again names the files of this machine; nothing else does.
  const shown = JSON.stringify(allureResults(), (name, value: unknown) => (name === 'trace' ? '' : value))
  expect([process.cwd(), folder].filter((place) => shown.includes(place))).toEqual([])
  // A short name may stand by chance inside what a run makes up.
  expect(new Set(shown.match(/[\w.-]+/g))).not.toContain(hostname())
})

test('each attachment is there, and each file is attached', () => {
  const parts = (one: Pick<AllureResult, 'steps' | 'attachments'>): readonly string[] => [
    ...one.attachments.map(({ source }) => source),
    ...one.steps.flatMap(parts),
  ]
  const attached = allureResults().flatMap(parts)
  const files = readdirSync(join(folder, 'out', 'allure-results')).filter((name) => name.includes('-attachment.'))
  expect(files.length).toBeGreaterThan(10)
  expect(attached.toSorted()).toEqual(files.toSorted())
})

test('nothing is left of what was recorded before it was judged', () => {
  expect(readdirSync(join(folder, 'out')).filter((name) => name.startsWith('.'))).toEqual([])
})
