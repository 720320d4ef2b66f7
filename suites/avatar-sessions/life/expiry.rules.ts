import type { Report, Rule } from '#judge/rule'
import { clockWhen } from '#judge/timing/clock-offset'
import { agreedClockAt } from '#judge/timing/clocks-agree'
import { clock_ms } from '#judge/timing/made'
import { stillBetween } from '#judge/timing/standstill'
import { timeoutOf } from '#judge/timing/timeouts'
import type { TraceIndex } from '#judge/trace-index'
import { mayRepeat } from '../created/creations.ts'
import { at, isObject, type Json } from '#trace/json'
import { isOver } from './status.rules.ts'
import { type Life, livesOf } from './lives.ts'

const part = 'avatar-sessions.expiry'
/** `Date` is in whole seconds, and the answer took its time. */
const tolerance_ms = 5_000

/** `expires_at`, where it is returned: within an explicit duration, and the end of the session (2.1). */
export const expiry: Rule = {
  id: part,
  proves: [`${part}.expires-at-within-max-duration`, `${part}.expires-at-ends-session`],
  judge(trace, report) {
    for (const life of livesOf(trace).lives.values()) {
      const left = lifetime(life, trace)
      if (left === undefined) judgeUndated(life, trace, report)
      else {
        judgeLength(life, left, trace, report)
        judgeEnd(trace, life, left, report)
      }
    }
  },
}

/** Milliseconds from the answer to `expires_at`, by the clock that sessions expire by. */
function lifetime({ data, created }: Life, trace: TraceIndex): number | undefined {
  const { clock, answeredT } = created
  const now = clock === undefined ? undefined : clockWhen(trace, { clock, answeredT })
  return untilExpiry(data, now)
}

function untilExpiry(data: Json, now: number | undefined): number | undefined {
  const expires = at(data, '/expires_at')
  const time = typeof expires === 'string' ? Date.parse(expires) : Number.NaN
  return Number.isNaN(time) || now === undefined ? undefined : time - now
}

/** Where no answer is dated, what is too late by our clock is too late, if other times agree with that; more is not known. */
function judgeUndated(life: Life, trace: TraceIndex, report: Report): void {
  const { clock, answeredT } = life.created
  const now = clock === undefined ? agreedClockAt(trace, answeredT) : undefined
  const least = untilExpiry(life.data, now === undefined ? undefined : now + clock_ms)
  const asked = at(life.asked, '/max_duration_seconds')
  if (least === undefined || typeof asked !== 'number' || least <= asked * 1_000 + tolerance_ms) return
  judgeLength(life, least, trace, report)
}

function judgeLength(life: Life, left: number, trace: TraceIndex, report: Report): void {
  const asked = at(life.asked, '/max_duration_seconds')
  if (typeof asked !== 'number') return
  const lines = [life.created.line, life.created.answeredLine] as const
  // A session of before under the same key has the duration of before.
  if (isObject(life.asked) && mayRepeat({ body: life.asked, lines, record: life.created }, trace)) return
  if (left <= asked * 1_000 + tolerance_ms) report.held(`${part}.expires-at-within-max-duration`, ...lines)
  else {
    const got = `${Math.round(left / 1_000)} s`
    report.broken(`${part}.expires-at-within-max-duration`, {
      expected: `at most ${asked} s`,
      got,
      lines,
      scenario: life.created.scenario,
    })
  }
}

function judgeEnd(trace: TraceIndex, life: Life, left: number, report: Report): void {
  const end = life.created.answeredT + left
  const late = end + timeoutOf(trace, 'auto_close_grace_ms')
  const closed = Math.min(...life.closes.map((close) => close.line), Number.POSITIVE_INFINITY)
  for (const get of life.gets.filter((one) => one.line < closed)) {
    const lines = [life.created.answeredLine, get.answeredLine]
    if (get.t > end - 1_500 && isOver(get, life)) report.held(`${part}.expires-at-ends-session`, ...lines)
    else if (
      get.t - stillBetween(trace, { t: end }, get) > late &&
      get.answer.kind === 'success' &&
      at(get.answer.data, '/status') === 'active'
    ) {
      report.broken(`${part}.expires-at-ends-session`, {
        expected: 'over after expires_at',
        got: 'active',
        lines,
        scenario: get.scenario,
      })
    }
  }
}
