import { expect, test } from 'vitest'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Results } from '#judge/results'
import type { Rule } from '#judge/rule'
import { conclude } from '#report/conclusion'
import { loadRules } from '#scenario/plan/load-rules'
import { asRecording, redRows } from '#testing/recording/watched-run'
import { frozenTrace } from '#testing/frozen/frozen-traces'
import type { Entry, FrameSentEntry } from '#trace/entry'
import { parseTrace, type Trace } from '#trace/reader'
import { WindowedJudge } from './windowed-judge.ts'

const rules = await loadRules()
const recorded = (name: string): Trace => asRecording(parseTrace(frozenTrace(name)))

/** Judges in windows of so many lines; the bytes of a window have no bound. */
function inWindows(trace: Trace, lines: number) {
  const windowed = new WindowedJudge(register(), rules, { lines, bytes: Number.POSITIVE_INFINITY })
  let held = 0
  for (const entry of trace.entries) {
    windowed.add(entry, 1)
    held = Math.max(held, windowed.held)
  }
  const results = windowed.results({ truncated: trace.truncated, sha256: trace.sha256 })
  return { results, held, setAside: windowed.setAside }
}

test('a recording of one window is judged like any other trace', () => {
  const trace = recorded('reference')
  expect(inWindows(trace, 1e6).results).toEqual(judge(trace, register(), rules))
})

test.each([2_000, 700, 200])('windows of %i lines bring no alarm, hold little and lose no count', (lines) => {
  const trace = recorded('minimal')
  const { results, held, setAside } = inWindows(trace, lines)
  const whole = judge(trace, register(), rules)
  expect(redRows(results)).toEqual([])
  expect(held).toBeLessThanOrEqual(1.25 * lines)
  expect(setAside).toBeGreaterThan(0)
  expect(results.summary.pass).toBeGreaterThan(0.8 * whole.summary.pass)
  expect({ ...results.traffic, sessions_created: 0, by_key: {} }).toEqual({
    ...whole.traffic,
    sessions_created: 0,
    by_key: {},
  })
})

test('what is broken in an early window stays broken', () => {
  const row = 'characters.list.next-page-token-string'
  const { results } = inWindows(recorded(row), 700)
  expect(redRows(results)).toEqual([row])
})

test('the same lines bring the same results, wherever it was looked at on the way', () => {
  const trace = recorded('reference')
  const [one, other] = [0, 300].map((every) => {
    const windowed = new WindowedJudge(register(), rules, { lines: 1_500, bytes: Number.POSITIVE_INFINITY })
    const end = { truncated: false, sha256: trace.sha256 }
    trace.entries.forEach((entry, place) => {
      windowed.add(entry, 1)
      if (every > 0 && place % every === 0) windowed.results(end)
    })
    return JSON.stringify(windowed.results(end))
  })
  expect(one).toBe(other)
})

test('a session that began before the recording is judged by its single events alone', () => {
  const trace = recorded('reference')
  const creates = new Set(
    trace.entries.flatMap((entry) =>
      entry.kind === 'request' && /^create-(?:avatar-)?session/.test(entry.operation ?? '') ? [entry.exchange] : [],
    ),
  )
  const entries = trace.entries.filter((entry) => !('exchange' in entry && creates.has(entry.exchange)))
  const late = { ...trace, entries }
  expect(redRows(judge(late, register(), rules))).not.toEqual([])
  const { results } = inWindows(late, 1e6)
  expect(redRows(results)).toEqual([])
  const held = results.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
  expect(held).toContain('control-channel.server-event.event-id-nonempty')
})

test('nobody is called conformant by listening', () => {
  const trace = recorded('reference')
  expect(inWindows(trace, 1e6).results).toMatchObject({ conformant: null, run: { recording: 'watch' } })
})

test('a rule that throws hides no failure that another rule found, and its own count for nothing', () => {
  const row = 'characters.list.next-page-token-string'
  const own = 'characters.list.items-array'
  const stumbling: Rule = {
    id: 'test.stumbling',
    proves: [own],
    judge: (_trace, report) => {
      report.broken(own, { expected: 'a', got: 'b', lines: [1] })
      throw new Error('no such path')
    },
  }
  const trace = recorded(row)
  const results = judge(trace, register(), [...rules, stumbling])
  expect(redRows(results)).toEqual([row])
  expect(results.conformant).toBe(false)
  expect(conclude(results)).toMatchObject({ exit: 1, sentence: expect.stringContaining('Greenroom itself failed') })
  const whole = judge(recorded('minimal'), register(), [...rules, stumbling])
  expect([whole.conformant, conclude(whole).exit]).toEqual([null, 4])
  const run = judge(parseTrace(frozenTrace(row)), register(), [...rules, stumbling])
  expect([run.conformant, conclude(run).exit]).toEqual([null, 4])
})

test.each<[string, (sent: FrameSentEntry) => Entry, boolean]>([
  ['JSON in binary frames, which the service reads, is judged', (sent) => ({ ...sent, binary: true }), true],
  ['what nobody can read leaves its session open', asUnreadable, false],
])('%s', (_, change, judged) => {
  const trace = recorded('reference')
  const entries = trace.entries.map((entry) => (entry.kind === 'frame-sent' ? change(entry) : entry))
  const { results } = inWindows({ ...trace, entries }, 1e6)
  expect(redRows(results)).toEqual([])
  expect(passes(results, 'control-channel.response-created.request-event-id-names-request')).toBe(judged)
})

test('what a client sent in binary frames and the service passed over in silence was not promised an answer', () => {
  const trace = recorded('reference')
  const entries = trace.entries
    .filter((entry) => entry.kind !== 'frame-received')
    .map((entry) => (entry.kind === 'frame-sent' ? { ...entry, binary: true as const } : entry))
  expect(redRows(inWindows({ ...trace, entries }, 1e6).results)).toEqual([])
})

function asUnreadable({ kind, t, channel, frame }: FrameSentEntry): Entry {
  return { kind, t, channel, frame, text: '(binary, 10 bytes)', binary: true }
}

function passes({ requirements }: Results, id: string): boolean {
  return requirements.some((row) => row.id === id && row.verdict === 'pass')
}
