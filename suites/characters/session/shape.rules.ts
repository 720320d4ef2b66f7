import { answerOf, createdSession } from '#judge/answers'
import { clockOf } from '#judge/calls'
import { faultyExchanges } from '#judge/faulty/exchanges'
import type { Rule } from '#judge/rule'
import { show } from '#judge/show'
import { placeOf } from '#judge/shape-rule'
import { clockWhen } from '#judge/timing/clock-offset'
import { agreedClockAt } from '#judge/timing/clocks-agree'
import { clock_ms } from '#judge/timing/made'
import { isRecording } from '#judge/recordings'
import type { TraceIndex } from '#judge/trace-index'
import { isDateTime } from '#spec/formats'
import { validate } from '#spec/validators'
import { at, type Json, stringAt } from '#trace/json'
import { modeOf } from '../echo.ts'
import { bodyOf, type Call, callsOf, mayBeOld } from '../history.ts'
import { type Start, startsOf } from './model.ts'

const shape = 'characters.session.response-shape'
const expires = 'characters.session.expires-within-saved-duration'

/** `Date` and `expires_at` may be rounded, and clocks may be apart. */
const slack_ms = 5_000

/** "Response: same as Create Session" (4.1). */
export const sessionShape: Rule = {
  id: 'characters.session-shape',
  proves: [shape, expires],
  judge(trace, report) {
    for (const { record, from, until } of namelessStarts(trace)) {
      const expected = 'a session with its `session_id`'
      report.broken(shape, { expected, got: 'none', lines: [from, until], scenario: record.scenario })
    }
    for (const start of startsOf(trace)) {
      const { from, until, record } = start
      const faults = [
        ...shapeFaults(start, modeIn(start, trace) === 'video_avatar'),
        ...controlFaults(start.data, plainOf(trace)),
      ]
      if (faults.length === 0) report.held(shape, until)
      for (const { expected, got } of faults) {
        report.broken(shape, { expected, got, lines: [from, until], scenario: record.scenario })
      }
      const late = lateness(start, trace)
      if (late === undefined) continue
      const got = `${stringAt(start.data, '/expires_at') ?? ''}, ${Math.round(late / 1_000)} s later`
      if (late <= slack_ms) report.held(expires, until)
      else
        report.broken(expires, {
          expected: 'no later than the duration allows',
          got,
          lines: [from, until],
          scenario: record.scenario,
        })
    }
  },
}

/** Starts that were accepted and tell of no session. What a repeated one tells is not said. */
function namelessStarts(trace: TraceIndex): readonly Call[] {
  const faulty = faultyExchanges(trace)
  const keys = new Set<string>()
  return callsOf(trace, 'create-session-from-character')
    .toSorted((one, other) => one.from - other.from)
    .filter((call) => {
      const { record, key } = call
      const name = `${key} ${stringAt(bodyOf(record), '/idempotency_key') ?? `exchange ${record.exchange}`}`
      const isFirst = !keys.has(name)
      keys.add(name)
      const accepted = answerOf(record).kind === 'success' && !faulty.has(record.exchange)
      return isFirst && accepted && !mayBeOld(trace, call) && createdSession(record) === undefined
    })
}

interface Fault {
  readonly expected: string
  readonly got: string
}

/**
 * The mode of a session. In a recording somebody else may have saved the character anew, and a key may bring back a session
 * of before it: there only the session itself tells.
 */
function modeIn({ data, save }: Start, trace: TraceIndex): Json | undefined {
  return !isRecording(trace) ? modeOf(save.body) : at(data, '/session/mode')
}

/** What is demanded in video only counts where the session is one for video. */
function shapeFaults({ data }: Start, inVideo: boolean): readonly Fault[] {
  const errors = validate('rest/create-session-from-character.response', data).filter(
    ({ keyword, schema_path }) => keyword !== 'if' && (inVideo || !/then|complete/.test(schema_path)),
  )
  const image = at(data, '/session/source_image_id')
  const stray =
    !inVideo && image !== undefined ? [{ expected: 'no source_image_id in text_chat', got: show(image) }] : []
  const missing =
    inVideo && image === undefined ? [{ expected: 'a source_image_id in video_avatar', got: 'nothing' }] : []
  const rate = at(data, '/output/fps')
  const still =
    inVideo && rate !== undefined && Number(rate) <= 0 ? [{ expected: 'a positive `fps`', got: show(rate) }] : []
  return [
    ...still,
    ...errors.map((error) => ({ expected: `${placeOf(error)}: ${error.expected}`, got: error.got })),
    ...stray,
    ...missing,
  ]
}

/** 2.1: "Absolute WSS URL, path `/v1/realtime-avatar/control`, carries a `session_id` query parameter." */
function controlFaults(data: Json, plain: boolean): readonly Fault[] {
  const text = stringAt(data, '/control/url')
  if (text === undefined) return []
  const url = URL.parse(text)
  const scheme = url?.protocol === 'wss:' || (plain && url?.protocol === 'ws:')
  const right = scheme && (url?.pathname ?? '').endsWith('/v1/realtime-avatar/control')
  const named = url?.searchParams.get('session_id') === stringAt(data, '/session_id')
  return right && named ? [] : [{ expected: 'the control URL of this session', got: show(text) }]
}

/** A profile may allow a target on a loopback address without TLS. */
function plainOf({ header }: TraceIndex): boolean {
  return stringAt(header?.profile, '/base_url')?.startsWith('http:') === true
}

/** How much later than its duration allows a session expires, by the clock of the target; in milliseconds. */
function lateness({ data, body, save, record }: Start, trace: TraceIndex): number | undefined {
  const text = stringAt(data, '/expires_at')
  const seconds = body['max_duration_seconds'] ?? save.body['max_duration_seconds']
  const answer = record.attempts.at(-1)?.response?.entry
  const clock = clockOf(answer?.headers['date'])
  if (answer === undefined || text === undefined || !isDateTime(text) || typeof seconds !== 'number') return undefined
  const due = Date.parse(text) - seconds * 1_000
  const now = clock === undefined ? undefined : clockWhen(trace, { clock, answeredT: answer.t })
  if (clock !== undefined) return now === undefined ? undefined : due - now
  const ours = agreedClockAt(trace, answer.t)
  const least = ours === undefined ? 0 : due - ours - clock_ms
  return least > slack_ms ? least : undefined
}
