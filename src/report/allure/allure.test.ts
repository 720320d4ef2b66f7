import { expect, test } from 'vitest'
import type { RequirementResult, Results } from '#judge/results'
import type { Rule } from '#judge/rule'
import { handMadeResults, hostileText, row } from '#testing/hand-made-results'
import type { Entry, HeaderEntry } from '#trace/entry'
import { allureReport } from './allure.ts'
import type { AllureResult, Recorded } from './model.ts'

const [must, should] = ['limits.max-duration.three-rejected', 'avatar-sessions.create.recording-unknown-rejected']
const scenario = 'avatar-sessions.create-text'

const header: HeaderEntry = {
  kind: 'header',
  t: 0,
  format: 'greenroom.trace/1',
  greenroom: '0.1.0',
  spec: '1.0.0',
  date: '2026-11-21T12:00:00Z',
  run: 'r1',
  seed: 7,
  tier: 'standard',
  only: [],
  profile: {},
  keys: ['primary'],
  register: 'aa',
  manifest: [{ scenario, proves: [must, should] }],
  skipped: [],
}

/** A create that was to be rejected, and a channel: lines 2 to 9. */
const driven: readonly Entry[] = [
  { kind: 'scenario-start', t: 1, scenario },
  claim(1, must),
  {
    kind: 'request',
    t: 2,
    scenario,
    exchange: 1,
    attempt: 1,
    operation: null,
    method: 'POST',
    path: '/v1/x?a=b',
    key: 'primary',
    headers: { 'content-type': 'application/json' },
    body: { n: 3 },
  },
  {
    kind: 'response',
    t: 5,
    scenario,
    exchange: 1,
    attempt: 1,
    status: 200,
    headers: {},
    body: { code: 0, message: 'm', data: {} },
    bytes: 10,
  },
  { kind: 'channel-open', t: 6, scenario, channel: 1, session: 's', url: 'wss://x.example', credential: 'query' },
  { kind: 'frame-sent', t: 7, scenario, channel: 1, frame: 1, data: { type: 'a' } },
  { kind: 'channel-closed', t: 8, scenario, channel: 1, by: 'us', code: 1000, reason: '' },
  { kind: 'scenario-end', t: 9, scenario, outcome: 'completed' },
]

function claim(exchange: number, requirement: string): Entry {
  return { kind: 'claim', t: 2, scenario, claim: 1, requirement, condition: { is: 'accepted', exchange } }
}

interface Given {
  readonly results?: Partial<Results>
  readonly rules?: readonly Rule[]
  readonly recorded?: readonly Recorded[]
}

function report(
  rows: readonly RequirementResult[],
  entries: readonly Entry[],
  { results, rules, recorded }: Given = {},
) {
  const files = new Map<string, string>()
  const options = {
    resend: () => 'curl x',
    trace: 'trace.ndjson',
    rules: rules ?? [],
    recorded: recorded ?? [],
    text: () => 'Text.',
  }
  allureReport(handMadeResults(rows, results), [header, ...entries], options, ({ name, content }) => {
    files.set(name, content)
  })
  const tests = [...files]
    .filter(([name]) => name.endsWith('-result.json'))
    .map(([, text]): AllureResult => JSON.parse(text))
  return { files, tests, named: (name: string) => tests.find((one) => one.name === name) }
}

/** The claim that is accepted turned into one that is broken. */
const answeredWith = (code: number): readonly Entry[] =>
  driven.map((entry) => (entry.kind === 'response' ? { ...entry, body: { code, message: 'm' } } : entry))

test('a scenario that bore its requirement out has passed, with its claims, requests and frames', () => {
  const { files, named } = report([row(must, 'pass')], driven)
  const shown = named(scenario)
  expect(shown).toMatchObject({ status: 'passed', statusDetails: {}, start: Date.parse(header.date) + 1 })
  expect(shown?.steps.map(({ name }) => name)).toEqual(['Judged: 1 held, 0 broken, 0 not judged', 'Sent: 1 requests'])
  expect(shown?.steps[0]?.steps).toMatchObject([{ name: `${must}: held`, status: 'passed' }])
  const [sent] = shown?.steps[1]?.steps ?? []
  expect(sent?.name).toBe('POST /v1/x?a=b (key primary): HTTP 200, code 0')
  expect(JSON.parse(files.get(sent?.attachments[0]?.source ?? '') ?? '')).toMatchObject({
    schemaVersion: 1,
    request: {
      method: 'POST',
      url: 'https://staging.example/v1/x?a=b',
      query: [{ name: 'a', value: 'b' }],
      body: { value: '{"n":3}' },
    },
    response: { status: 200, body: { value: '{"code":0,"message":"m","data":{}}', size: 10 } },
    stop: Date.parse(header.date) + 5,
  })
  const frames =
    files
      .get(shown?.attachments[0]?.source ?? '')
      ?.trim()
      .split('\n') ?? []
  expect(frames.map((line) => JSON.parse(line).line)).toEqual([6, 7, 8])
})

test('names and ids come of the scenario alone', () => {
  const shown = report([row(must, 'pass')], driven).named(scenario)
  expect(shown).toMatchObject({
    fullName: scenario,
    testCaseId: scenario,
    historyId: scenario,
    titlePath: ['avatar-sessions'],
    parameters: [],
  })
  expect(shown?.labels.map(({ name, value }) => `${name}=${value}`)).toEqual([
    'framework=vitest',
    'language=javascript',
    'epic=avatar-sessions',
    'suite=avatar-sessions',
    'severity=critical',
    'feature=§4.1',
    'section=4.1',
    `requirement=${should}`,
    `requirement=${must}`,
  ])
})

test('a broken requirement fails its scenario, with what was expected, what came and where', () => {
  const shown = report([row(must, 'fail')], answeredWith(30004)).named(scenario)
  expect(shown).toMatchObject({ status: 'failed' })
  expect(shown?.statusDetails.message).toMatch(
    new RegExp(`^${RegExp.escape(must)} \\(MUST §4\\.1, fail\\): Text\\.\nexpected: .+\ngot: .*30004`),
  )
  expect(shown?.statusDetails.trace).toContain('again: curl x\nevidence: trace.ndjson:4, 5')
  expect(shown?.steps[0]?.steps).toMatchObject([{ name: `${must}: broken (fail)`, status: 'failed' }])
})

const ruled: Rule = {
  id: 'r',
  proves: [must],
  judge: (_, told) => told.broken(must, { expected: 'x', got: hostileText, lines: [4], scenario }),
}

test('what a rule found fails the scenario too, and hostile text stays one line', () => {
  const shown = report([row(must, 'fail')], driven, { rules: [ruled] }).named(scenario)
  expect(shown?.status).toBe('failed')
  expect(shown?.steps[0]?.name).toBe('Judged: 1 held, 1 broken, 0 not judged')
  expect(shown?.statusDetails.message?.split('\n')).toHaveLength(3)
})

test.for(['warn', 'waived'] as const)('a row that is %s leaves the scenario passed and says so', (verdict) => {
  const shown = report([row(must, verdict)], answeredWith(30004)).named(scenario)
  expect(shown?.status).toBe('passed')
  expect(shown?.statusDetails.message).toContain(`, ${verdict})`)
})

test('a scenario that showed nothing is skipped, not passed', () => {
  const [start, , ...rest] = driven
  const unseen = report([row(must, 'inconclusive')], start === undefined ? [] : [start, ...rest]).named(scenario)
  expect(unseen).toMatchObject({
    status: 'skipped',
    statusDetails: { message: 'nothing that it showed could be judged' },
  })
})

const ending = (more: Partial<Entry>): readonly Entry[] =>
  driven.map((entry) => (entry.kind === 'scenario-end' ? ({ ...entry, ...more } as Entry) : entry))

test('a blocked scenario is skipped with its reason', () => {
  const entries = ending({ outcome: 'blocked', reason_code: 'quota', reason: 'no room' })
  expect(report([row(must, 'pass')], entries).named(scenario)).toMatchObject({
    status: 'skipped',
    statusDetails: { message: 'quota: no room' },
  })
})

test('a mistake of ours is broken, whatever the target did', () => {
  const mistake: Entry = { kind: 'harness-error', t: 9, scenario, message: 'TypeError: x' }
  const { named } = report([row(must, 'fail')], [...answeredWith(30004), mistake])
  expect(named(scenario)).toMatchObject({ status: 'broken', statusDetails: { message: 'TypeError: x' } })
  expect(named('run')?.statusDetails.message).toContain(must)
})

test('a test that vitest saw fail is broken though the trace says nothing', () => {
  const recorded = [{ uuid: 'u', name: scenario, status: 'broken' }]
  expect(report([row(must, 'pass')], driven, { recorded }).named(scenario)).toMatchObject({
    uuid: 'u',
    status: 'broken',
  })
})

test('a planned scenario that never ended is broken, or skipped where the run was cut short', () => {
  const [start] = driven
  const entries = start === undefined ? [] : [start]
  expect(report([row(must, 'inconclusive')], entries).named(scenario)?.status).toBe('broken')
  const run = { ...handMadeResults([]).run, outcome: 'interrupted' as const }
  expect(report([row(must, 'inconclusive')], entries, { results: { run } }).named(scenario)?.status).toBe('skipped')
})

test('what failed outside of all scenarios has a test of its own', () => {
  const outside: Rule = { ...ruled, judge: (_, told) => told.broken(must, { expected: 'x', got: 'y', lines: [2] }) }
  const { tests, named } = report([row(must, 'fail', { reason: 'expected x, got y' })], driven, { rules: [outside] })
  expect(tests.map(({ name, status }) => `${name}: ${status}`)).toEqual([`${scenario}: passed`, 'run: failed'])
  expect(named('run')?.statusDetails.message).toBe(`${must}: expected x, got y`)
})

test('a run that could not be judged has a broken test', () => {
  const { named } = report([row(must, 'inconclusive', { reason_code: 'network' })], driven, {
    results: { conformant: null },
  })
  expect(named('run')).toMatchObject({ status: 'broken' })
  expect(named('run')?.statusDetails.message).toMatch(/^Could not be judged: /)
})

test('scenarios that the run left out say why, those that nobody asked for are not there', () => {
  const left = {
    ...header,
    skipped: [
      { scenario: 'a.tier', proves: [], why: 'tier', what: 'full' },
      { scenario: 'a.away', proves: [], why: 'not_applicable', what: 'voices' },
      { scenario: 'a.only', proves: [], why: 'only' },
    ],
  } as const satisfies HeaderEntry
  const files = new Map<string, string>()
  const options = { resend: () => undefined, trace: 't', rules: [], recorded: [], text: () => undefined }
  allureReport(
    handMadeResults([row(must, 'pass')]),
    [left, ...driven],
    options,
    ({ name, content }) => void files.set(name, content),
  )
  const told = [...files].flatMap(([name, text]) =>
    name.includes('-a.') ? [JSON.parse(text).statusDetails.message] : [],
  )
  expect(told).toEqual(['tier: runs in tier full only', 'not_applicable: the profile declares voices away'])
})

test('the environment counts requirements by verdict, one line each', () => {
  const rows = [row(must, 'fail', { reason: 'x' }), row(should, 'waived')]
  const { files } = report(rows, driven, { results: { target: { base_url: 'https://ä.example\\\n', profile: {} } } })
  const lines = files.get('environment.properties')?.split('\n')
  expect(lines?.slice(0, 4)).toEqual(['pass=0', 'fail=1', 'warn=0', 'inconclusive=0'])
  expect(lines?.slice(4, 7)).toEqual(['untestable=0', 'not_applicable=0', 'waived=1'])
  expect(lines).toContain('target=https://\\u00e4.example\\\\\\\\n')
})
