import { expect, test } from 'vitest'
import { handMadeResults, handMadeTrace, hostileText, profile, row, unknownVerdict } from '#testing/hand-made-results'
import { elements, readXml } from '#testing/report-readers/read-xml'
import { resender } from './curl.ts'
import { junitReport } from './junit.ts'

const resend = resender(handMadeTrace, 'https://staging.example', profile)
const options = { resend, trace: 'trace.ndjson' }

test('a reader counts what the results count', () => {
  const results = handMadeResults([
    row('voices.a.b', 'pass'),
    row('voices.a.c', 'fail'),
    row('limits.a.b', 'fail', { failures: [{ expected: 'x', got: hostileText, evidence: [2] }] }),
    row('limits.a.c', 'warn'),
    row('limits.a.d', 'inconclusive', { reason_code: 'quota' }),
    row('limits.a.e', 'not_applicable'),
    row('limits.a.f', 'waived'),
  ])
  const root = readXml(junitReport(results, options))
  expect(root.attributes).toMatchObject({ tests: '7', failures: '2', errors: '0', skipped: '3' })
  expect(elements(root, 'testcase')).toHaveLength(7)
  expect(elements(root, 'failure')).toHaveLength(results.summary.fail)
  expect(elements(root, 'skipped')).toHaveLength(3)
  expect(elements(root, 'testsuite').map(({ attributes }) => [attributes['name'], attributes['failures']])).toEqual([
    ['voices', '1'],
    ['limits', '1'],
  ])
})

test('a row has its sentence, how long its scenarios took, and its waiver', () => {
  const expected_failures = [{ id: 'voices.a.b', reason: 'being mended', owner: 'team-a', expires: '2031-01-31' }]
  const results = handMadeResults([row('voices.a.b', 'waived'), row('voices.a.c', 'fail')])
  const waived = { ...results, target: { ...results.target, profile: { expected_failures } } }
  const facts = { text: (id: string) => `The sentence of ${id}.`, durationOf: () => 1_234 }
  const root = readXml(junitReport(waived, { ...options, ...facts }))
  expect(elements(root, 'testcase').map(({ attributes }) => attributes['time'])).toEqual(['1.234', '1.234'])
  expect(elements(root, 'skipped')[0]?.attributes['message']).toContain(
    'waived until 2031-01-31, owner team-a: being mended',
  )
  const values = elements(root, 'property').map(({ attributes }) => attributes['value'])
  expect(values).toEqual(
    expect.arrayContaining(['The sentence of voices.a.b.', 'being mended', 'team-a', '2031-01-31']),
  )
  expect(elements(root, 'failure')[0]?.text).toContain('The sentence of voices.a.c.')
})

test('hostile text stays text in every place', () => {
  const failures = [{ expected: hostileText, got: hostileText, evidence: [2] }]
  const results = handMadeResults(
    [
      row('voices.a.b', 'fail', { reason: hostileText, failures }),
      row('voices.a.c', 'inconclusive', { reason: hostileText }),
      row('voices.a.d', 'warn', { failures }),
    ],
    { harness_errors: [{ message: hostileText, evidence: [] }] },
  )
  const root = readXml(junitReport(results, options))
  expect(elements(root, 'script')).toEqual([])
  expect(elements(root, 'failure')[0]?.attributes['message']).toContain('<script>alert(1)</script>')
  expect(elements(root, 'failure')[0]?.text).toContain('\\u{1b}[31m')
})

test('section, level and verdict are properties', () => {
  const root = readXml(junitReport(handMadeResults([row('voices.a.b', 'warn', { level: 'should' })]), options))
  const pairs = elements(root, 'property').map(({ attributes }) => [attributes['name'], attributes['value']])
  expect(Object.fromEntries(pairs)).toEqual({ section: '4.1', level: 'should', verdict: 'warn', observations: '1' })
})

test('a skipped row says why', () => {
  const root = readXml(
    junitReport(handMadeResults([row('voices.a.b', 'inconclusive', { reason_code: 'tier', reason: 'r' })]), options),
  )
  expect(elements(root, 'skipped')[0]?.attributes['message']).toBe('tier: r')
})

test('a run that could not be judged is an error, so that the file is not green', () => {
  const results = handMadeResults([row('voices.a.b', 'inconclusive', { reason_code: 'network' })], { conformant: null })
  const root = readXml(junitReport(results, options))
  expect(root.attributes).toMatchObject({ tests: '2', failures: '0', errors: '1', skipped: '1' })
})

test('a stale expected failure is an error of the run', () => {
  const waivers = { stale: ['voices.a.b'], expired: [], unknown: [] }
  const root = readXml(
    junitReport(handMadeResults([row('voices.a.b', 'pass')], { waivers, conformant: false }), options),
  )
  expect(elements(root, 'error')[0]?.attributes['message']).toContain('voices.a.b')
})

test('an unknown verdict throws', () => {
  expect(() => junitReport(handMadeResults([row('voices.a.b', unknownVerdict)]), options)).toThrow('unknown verdict')
})
