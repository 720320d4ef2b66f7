import { expect, test } from 'vitest'
import { handMadeResults, handMadeTrace, hostileText, profile, row, unknownVerdict } from '#testing/hand-made-results'
import { resender } from './curl.ts'
import { githubReport } from './github.ts'

const options = { resend: resender(handMadeTrace, 'https://staging.example', profile), trace: 'trace.ndjson' }

test('the summary has a row a part and a total', () => {
  const report = githubReport(handMadeResults([row('voices.a.b', 'pass'), row('limits.a.b', 'waived')]), options)
  expect(report).toContain('| voices | 1 | 0 | 0 | 0 | 0 | 0 | 0 |')
  expect(report).toContain('| total | 1 | 0 | 0 | 0 | 0 | 0 | 1 |')
})

test('what the target sent is never markup, a new line or a workflow command', () => {
  const failures = [{ expected: hostileText, got: hostileText, evidence: [2] }]
  const results = handMadeResults(
    [row('voices.a.b', 'fail', { failures }), row('voices.a.c', 'inconclusive', { reason: hostileText })],
    { choices: [{ id: 'voices.x', section: '4.3', observed: [hostileText], evidence: [] }] },
  )
  const report = githubReport(results, options)
  expect(report).not.toContain('<script')
  expect(report).not.toContain('**x**')
  expect(report).not.toMatch(/^::/m)
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(report).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  for (const line of report.split('\n').filter((one) => /^\| (voices|1) /.test(one))) {
    expect(line.match(/\|/g)).toHaveLength(line.startsWith('| voices |') ? 9 : 5)
  }
})

test('ids and codes stay readable, links and mentions do not come to life', () => {
  const reason = 'code 20005: https://evil.example www.evil.example @team #12 :tada: _x_'
  const report = githubReport(handMadeResults([row('voices.a-b.c_d', 'inconclusive', { reason })]), options)
  expect(report).toContain('| voices.a-b.c_d |')
  expect(report).toContain(
    'code 20005: https&#58;//evil.example www&#46;evil.example &#64;team &#35;12 &#58;tada: &#95;x&#95;',
  )
})

test('a failure shows what was expected, what came and how to send it again', () => {
  const failures = [{ expected: 'code 30004', got: 'code 0', evidence: [1, 2] }]
  const report = githubReport(handMadeResults([row('voices.a.b', 'fail', { failures })]), options)
  expect(report).toContain('- expected: code 30004')
  expect(report).toContain('- got: code 0')
  expect(report).toContain('- again: curl ')
})

test('an unknown verdict throws', () => {
  expect(() => githubReport(handMadeResults([row('voices.a.b', unknownVerdict)]), options)).toThrow('unknown verdict')
})

test('what may excuse the target is told above its failures, and not where nothing failed', () => {
  const failures = [{ expected: 'a session', got: 'code 30004', evidence: [2] }]
  const notes = ['The address may be to blame.']
  const red = githubReport(handMadeResults([row('voices.a.b', 'fail', { failures })]), { ...options, notes })
  expect(red).toContain('### Broken\n\nThe address may be to blame.\n\n**fail**')
  expect(githubReport(handMadeResults([row('voices.a.b', 'pass')]), { ...options, notes })).not.toContain('to blame')
})
