import { expect, test } from 'vitest'
import { register } from '#judge/register'
import { familyNamed } from '#spec/register'
import { handMadeResults, handMadeTrace, hostileText, profile, row, unknownVerdict } from '#testing/hand-made-results'
import { resender } from './curl.ts'
import { noPaint } from './paint.ts'
import { terminalReport, type TerminalOptions } from './terminal.ts'

const options: TerminalOptions = {
  paint: noPaint,
  resend: resender(handMadeTrace, 'https://staging.example', profile),
  trace: 'reports/latest/trace.ndjson',
  text: () => undefined,
}

test('every part has a line with a count a verdict', () => {
  const report = terminalReport(handMadeResults([row('voices.a.b', 'pass'), row('limits.a.b', 'waived')]), options)
  expect(report).toMatch(/^voices +1 +· +· +· +· +· +·$/m)
  expect(report).toMatch(/^limits +· +· +· +· +· +· +1$/m)
  expect(report).toMatch(/^total +1 +· +· +· +· +· +1$/m)
})

test('a failure names requirement, section, expectation, what came, how to see it again and where it stands', () => {
  const failures = [{ expected: 'code 30004', got: 'code 0', evidence: [1, 2], scenario: 'voices.clone' }]
  const text = terminalReport(handMadeResults([row('voices.a.b', 'fail', { failures })]), {
    ...options,
    text: () => 'A faulty clone is rejected.',
  })
  for (const piece of [
    'FAIL voices.a.b  MUST §4.1',
    'A faulty clone is rejected.',
    'expected  code 30004',
    'got       code 0',
    'again     curl -sS -i -X POST',
    'evidence  reports/latest/trace.ndjson:1, 2  (voices.clone)',
  ]) {
    expect(text).toContain(piece)
  }
})

test('rows that are newer than the release stand apart', () => {
  const unscored = [row('voices.new.one', 'fail'), row('voices.new.two', 'pass')]
  const text = terminalReport(handMadeResults([row('voices.a.b', 'pass')], { unscored }), options)
  expect(text).toContain('Newer than release 1.0.0 of the requirements, and not scored: 2\n  FAIL voices.new.one\n')
  expect(text).toMatch(/^total +1 +· /m)
})

test('whoever asks for rows alone that are newer than the release sees what became of each', () => {
  const unscored = [row('voices.new.one', 'warn'), row('voices.new.two', 'pass')]
  const text = terminalReport(handMadeResults([], { unscored, conformant: null }), options)
  expect(text).toContain('not scored: 2\n  WARN voices.new.one\n  PASS voices.new.two\n')
  expect(text).toContain('what was asked for is newer than release 1.0.0 of the requirements, and not scored')
})

test('rows without a verdict stand together under what would change it, the largest group first, and what no client can judge apart', () => {
  const quota = ['a', 'b', 'c'].map((name) =>
    row(`voices.x.${name}`, 'inconclusive', { reason_code: 'quota', reason: 'asked for 90 s' }),
  )
  const passive = ['speech', 'a look inside'].map((reason) =>
    row('voices.y', 'inconclusive', { reason_code: 'passive', reason }),
  )
  const reason = 'the profile gives no medium image_url'
  const image = row('voices.z', 'inconclusive', { reason_code: 'missing_media', reason })
  const [never = ''] = [...register().rows].flatMap(([id, { standing }]) => (standing === 'untestable' ? [id] : []))
  const untestable = row(never, 'inconclusive', { reason_code: 'passive', reason: 'inside the service' })
  const report = terminalReport(handMadeResults([...passive, image, untestable, ...quota]), options)
  expect(report).toMatch(
    /3 {2}No quota was left: .*\n +asked for 90 s\n +voices\.x\.a, voices\.x\.b, voices\.x\.c\n +1 {2}Needs the medium/,
  )
  expect(report).toContain('under "media". "image_url": "https://…"')
  expect(report).toMatch(/2 {2}What happens by itself did not happen: .*\n +speech and 1 more reason\n/)
  expect(report).toContain('Untestable: 1 that no client can judge')
  expect(report).toMatch(/^total +· +· +· +6 +1 +· +·$/m)
  expect(report).toContain('6 not judged, 1 untestable')
})

test('a family of one verdict is one line', () => {
  const languages = familyNamed('voices.clone.language-*-accepted')?.ids ?? []
  const failures = [{ expected: 'a clone', got: 'code 30004', evidence: [2] }]
  const failed = terminalReport(handMadeResults(languages.map((id) => row(id, 'fail', { failures }))), options)
  expect(failed).toContain('and so    15 more: voices.clone.language-*-accepted (15 of 16)')
  const open = languages.map((id) => row(id, 'inconclusive', { reason_code: 'quota', reason: 'asked for 90 s' }))
  expect(terminalReport(handMadeResults(open), options)).toMatch(/\n +voices\.clone\.language-\*-accepted \(16\)\n/)
})

test('a waived row says why, whose it is and until when', () => {
  const expected_failures = [{ id: 'voices.a.b', reason: 'known', owner: 'team-a', expires: '2099-12-31' }]
  const target = { base_url: 'https://staging.example', profile: { ...profile, expected_failures } }
  const report = terminalReport(handMadeResults([row('voices.a.b', 'waived')], { target }), options)
  expect(report).toContain('WAIVED voices.a.b: waived until 2099-12-31, owner team-a: known')
})

test('the last line says the conclusion and the exit code', () => {
  const report = terminalReport(handMadeResults([row('voices.a.b', 'pass')]), options)
  expect(report.trimEnd().split('\n').at(-1)).toBe('Conformant: 1 requirement passed, none failed. (exit code 0)')
})

test('what could not be cleaned up, stale waivers and harness errors are named', () => {
  const report = terminalReport(
    handMadeResults([], {
      leaked: [{ resource: 'avatar-session', id: hostileText, reason: 'timeout' }],
      undeletable: [
        { resource: 'voice', id: 'v' },
        { resource: 'audio-file', id: 'f1' },
        { resource: 'audio-file', id: 'f2' },
      ],
      waivers: { stale: ['voices.a.b'], expired: ['voices.a.c'], unknown: ['voices.a.d'] },
      harness_errors: [{ message: 'boom', evidence: [3] }],
    }),
    options,
  )
  for (const piece of [
    'LEFT OPEN avatar-session',
    'cannot delete it: 1 voice, 2 audio files',
    'STALE voices.a.b',
    'EXPIRED voices.a.c',
    'UNKNOWN voices.a.d',
    'HARNESS ERROR boom',
  ]) {
    expect(report).toContain(piece)
  }
})

test('nothing that a target sent reaches the terminal raw', () => {
  const failures = [{ expected: hostileText, got: hostileText.repeat(500), evidence: [2], scenario: hostileText }]
  const report = terminalReport(
    handMadeResults([
      row('voices.a.b', 'fail', { failures, reason: hostileText }),
      row('voices.a.c', 'inconclusive', { reason: hostileText }),
    ]),
    options,
  )
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(report).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\ud800]/)
  expect(report).not.toMatch(/^::/m)
  expect(Math.max(...report.split('\n').map((line) => line.length))).toBeLessThan(6_500)
})

test('an unknown verdict throws', () => {
  expect(() => terminalReport(handMadeResults([row('voices.a.b', unknownVerdict)]), options)).toThrow('unknown verdict')
})

test('what walks have made is told, and what is left', () => {
  const walks = [
    { name: 'doors', pairs: 4, left: ['open × shut'] },
    { name: 'windows', pairs: 2, left: [] },
  ]
  const text = terminalReport(handMadeResults([row('voices.a.b', 'pass')], { walks }), options)
  expect(text).toContain('  doors: 3 of 4; left: open × shut\n  windows: 2 of 2\n')
})

test('where nobody answered there is one sentence and nothing else', () => {
  const run = { ...handMadeResults([]).run, outcome: 'unreachable', reason: 'nothing listens there' } as const
  const rows = [row('voices.a.b', 'inconclusive', { reason_code: 'interrupted', reason: 'cut short' })]
  const report = terminalReport(handMadeResults(rows, { run, conformant: null }), options)
  expect(report).toBe('Could not be judged: nothing listens there. (exit code 3)\n')
})

test('a run in which all that was seen is waived says so', () => {
  const report = terminalReport(handMadeResults([row('voices.a.b', 'waived')], { conformant: null }), options)
  expect(report).toContain('Could not be judged: all that was seen is 1 waived, and nothing passed.')
  const both = [row('voices.a.b', 'waived'), row('voices.a.c', 'warn', { level: 'should' })]
  expect(terminalReport(handMadeResults(both, { conformant: null }), options)).toContain(
    'all that was seen is 1 waived or 1 warned, and nothing passed',
  )
})

test.for([
  ['its scenario was left out: tier (standard)', 'standard'],
  ['its scenario was left out: tier (full)', 'full'],
  ['not reached in tier smoke', 'standard'],
  ['not reached in tier standard', 'full'],
  ['reached in tier full', 'full'],
] as const)('"%s" is helped by the tier %s', ([reason, tier]) => {
  const rows = [row('voices.a.b', 'inconclusive', { reason_code: 'tier', reason })]
  const report = terminalReport(handMadeResults(rows), options)
  expect(report).toContain(`Needs the tier ${tier}: A larger tier reaches it. --tier ${tier}`)
})
