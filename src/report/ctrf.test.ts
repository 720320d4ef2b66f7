import { expect, test } from 'vitest'
import type { Results } from '#judge/results'
import { handMadeResults, handMadeTrace, hostileText, profile, row, unknownVerdict } from '#testing/hand-made-results'
import { type CtrfReport, readCtrf } from '#testing/report-readers/read-ctrf'
import { ctrfReport } from './ctrf.ts'
import { resender } from './curl.ts'

const resend = resender(handMadeTrace, 'https://staging.example', profile)
const read = (results: Results): CtrfReport => readCtrf(ctrfReport(results, { resend, trace: 'trace.ndjson' }))

const every = handMadeResults([
  row('voices.a.b', 'pass'),
  row('voices.a.c', 'fail'),
  row('limits.a.b', 'fail', { failures: [{ expected: 'code 30004', got: 'code 0', evidence: [1, 2] }] }),
  row('limits.a.c', 'warn'),
  row('limits.a.d', 'inconclusive', { reason_code: 'quota', reason: 'no room' }),
  row('limits.a.e', 'not_applicable'),
  row('limits.a.f', 'waived'),
])

test('a reader counts what the results count', () => {
  const { summary } = read(every).results
  expect(summary).toMatchObject({ tests: 7, passed: 1, failed: 2, pending: 1, skipped: 1, other: 2, suites: 2 })
  expect(summary.extra).toEqual({ verdicts: every.summary, untestable: 0, conformant: false, exit: 1 })
})

test('a test says verdict, section, level and reason', () => {
  const { tests } = read(every).results
  expect(tests.map(({ rawStatus }) => rawStatus)).toEqual(every.requirements.map(({ verdict }) => verdict))
  expect(tests[4]).toMatchObject({
    name: 'limits.a.d',
    status: 'pending',
    suite: ['limits'],
    message: 'no room',
    tags: ['must', 'inconclusive'],
    extra: { section: '4.1', level: 'must', verdict: 'inconclusive', reason_code: 'quota' },
  })
})

test('a failure shows what was expected, what came, how to send it again and where it stands', () => {
  const shown = read(every).results.tests[2]
  expect(shown?.trace).toMatch(/^expected: code 30004\ngot: code 0\nagain: curl .*\nevidence: trace\.ndjson:1, 2$/)
})

test('a run that could not be judged has a failed test of its own', () => {
  const rows = [row('voices.a.b', 'inconclusive', { reason_code: 'network' })]
  const { summary, tests } = read(handMadeResults(rows, { conformant: null })).results
  expect(summary).toMatchObject({ tests: 2, failed: 1, pending: 1, extra: { exit: 3, conformant: null } })
  expect(tests.at(-1)).toMatchObject({ name: 'run', suite: ['greenroom'], status: 'failed', rawStatus: 'error' })
})

test('a stale expected failure fails the run, and is named', () => {
  const waivers = { stale: ['voices.a.b'], expired: [], unknown: [] }
  const { tests } = read(handMadeResults([row('voices.a.b', 'pass')], { waivers, conformant: false })).results
  expect(tests.at(-1)?.message).toContain('Expected failures: voices.a.b.')
})

test('hostile text is one printable line', () => {
  const failures = [{ expected: hostileText, got: hostileText, evidence: [2] }]
  const hostile = row('voices.a.b', 'fail', { reason: hostileText, failures })
  const [shown] = read(handMadeResults([hostile])).results.tests
  expect(shown?.message).toContain('\\u{1b}[31m')
  expect(shown?.trace?.split('\n')).toHaveLength(4)
})

test('an unknown verdict throws', () => {
  expect(() => read(handMadeResults([row('voices.a.b', unknownVerdict)]))).toThrow('unknown verdict')
})

test('a row has its sentence, how long its scenarios took, and its waiver', () => {
  const waiver = { reason: 'being mended', owner: 'team-a', expires: '2031-01-31' }
  const results = handMadeResults([row('voices.a.b', 'waived')])
  const expected_failures = [{ id: 'voices.a.b', ...waiver }]
  const waived = { ...results, target: { ...results.target, profile: { expected_failures } } }
  const facts = { text: () => 'A sentence.', durationOf: () => 1_234 }
  const [one] = readCtrf(ctrfReport(waived, { resend, trace: 'trace.ndjson', ...facts })).results.tests
  expect(one).toMatchObject({ duration: 1_234, extra: { requirement: 'A sentence.', waiver } })
})
