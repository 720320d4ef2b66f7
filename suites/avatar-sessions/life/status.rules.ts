import { admission, isLetIn } from '#judge/conditions/admission'
import { isSettled } from '#judge/timing/lag'
import { channelsOf } from '#judge/operations'
import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import { passedSince } from '#judge/timing/standstill'
import { missingAfter } from '#judge/timing/timeouts'
import type { TraceIndex } from '#judge/trace-index'
import { at, type Json } from '#trace/json'
import { equal } from '#trace/match'
import { type Life, livesOf, statusIn, wordsIn } from './lives.ts'
import { type Call } from '#judge/calls'

const part = 'avatar-sessions'

/** Status of a session as Get shows it, held against the transitions of 3.1. */
export const lifecycle: Rule = {
  id: `${part}.lifecycle`,
  proves: [
    `${part}.status.in-set-on-get`,
    `${part}.close.leaves-active`,
    `${part}.close.reaches-closed`,
    `${part}.close.closed-shown-by-get`,
    `${part}.close.never-active-again`,
    `${part}.close.closed-is-final`,
    `${part}.get.names-session`,
    `${part}.get.agrees-with-create`,
    `${part}.get.open-session-not-closed`,
    `${part}.session.auto-close-snapshot`,
  ],
  judge(trace, report) {
    const { lives, started } = livesOf(trace)
    const created = [...lives.values()]
    judgeFailures(created, report)
    for (const life of [...created, ...started.values()]) {
      judgeTransitions(trace, life, report)
      judgeClose(trace, life, report)
    }
    // What Get shows of a session from a character is held against the character elsewhere.
    for (const life of created) {
      for (const get of life.gets) judgePayload(life, get, report)
      judgeOpen(trace, life, report)
    }
  },
}

function judgePayload(life: Life, get: Call, report: Report): void {
  if (get.answer.kind !== 'success') return
  const { data } = get.answer
  const id = at(data, '/session_id')
  if (typeof id === 'string') say(report, 'get.names-session', id === life.id, life.id, id, get)
  const status = at(data, '/status')
  if (id === life.id && typeof status === 'string') {
    say(report, 'status.in-set-on-get', statusIn(get.answer) !== undefined, 'one of the four states', status, get)
  }
  for (const timeout of ['/auto_close/disconnected_timeout_seconds', '/auto_close/interaction_idle_timeout_seconds']) {
    compare(report, 'session.auto-close-snapshot', at(life.data, timeout), at(data, timeout), get)
  }
  compare(report, 'get.agrees-with-create', at(life.data, '/model'), at(data, '/model'), get)
}

function compare(report: Report, row: string, made: Json | undefined, shown: Json | undefined, get: Call): void {
  if (made === undefined || shown === undefined || typeof made !== typeof shown) return
  if (equal(shown, made)) say(report, row, true, '', '', get)
  else say(report, row, false, show(made), show(shown), get)
}

/** States only move on: active, closing, closed. A later Get never shows an earlier state, but for copies that are behind. */
function judgeTransitions(trace: TraceIndex, life: Life, report: Report): void {
  const shown = life.gets.filter((get) => statusIn(get.answer) !== undefined)
  for (const [place, get] of shown.entries()) {
    const before = shown.slice(0, place).filter((other) => other.answeredLine < get.line)
    const settled = before.filter((other) => isSettled(trace, other.answeredT, get.t))
    const status = statusIn(get.answer) ?? ''
    const [past, sure] = [statesOf(before), statesOf(settled)]
    const over = (states: ReadonlySet<string>): boolean => states.has('closing') || states.has('closed')
    if (over(status === 'active' ? sure : past)) {
      say(report, 'close.never-active-again', status !== 'active', 'no way back to active', status, get)
    }
    if ((status === 'closed' ? past : sure).has('closed')) {
      say(report, 'close.closed-is-final', status === 'closed', 'closed', status, get)
    }
  }
}

function statesOf(gets: readonly Call[]): ReadonlySet<string> {
  return new Set(gets.map((get) => statusIn(get.answer) ?? ''))
}

/** An accepted close: the next Get that is not behind is past `active`, and in time the session is closed. */
function judgeClose(trace: TraceIndex, life: Life, report: Report): void {
  const close = life.closes.find((one) => one.answer.kind === 'success' && ours(life, one))
  if (close === undefined) return
  const later = life.gets.filter((get) => get.line > close.answeredLine && ours(life, get))
  const next = later.find((get) => statusIn(get.answer) !== 'active' || isSettled(trace, close.answeredT, get.t))
  if (next !== undefined && next.answer.kind === 'success') {
    const status = statusIn(next.answer)
    if (status === undefined)
      report.unobserved(`${part}.close.leaves-active`, 'model_choice', 'Get shows no status', next.line)
    else say(report, 'close.leaves-active', status !== 'active', 'closing or closed', status, next)
  }
  const end = later.find(isOver)
  if (end !== undefined) {
    if (statusIn(end.answer) !== 'failed') report.held(`${part}.close.reaches-closed`, close.line, end.answeredLine)
    judgeShown(life, end, report)
  } else judgeUnclosed(trace, life, close, later.at(-1), report)
}

/** For so long at least Get shows `closed`: a session at which nobody looked meanwhile may be forgotten. */
export const soon_ms = 2_000

function judgeShown(life: Life, end: Call, report: Report): void {
  const row = 'close.closed-shown-by-get'
  const before = life.gets.filter((get) => get.line < end.line)
  const looked = Math.max(
    ...[...before, ...life.closes].filter(({ line }) => line < end.line).map((one) => one.answeredT),
  )
  if (end.answer.kind === 'success') say(report, row, true, '', '', end)
  else if (end.t - looked <= soon_ms && before.some((get) => statusIn(get.answer) !== undefined)) {
    say(report, row, false, 'status closed', 'not found before it showed closed', end)
  }
}

function judgeUnclosed(trace: TraceIndex, life: Life, close: Call, last: Call | undefined, report: Report): void {
  const row = `${part}.close.reaches-closed`
  const status = last === undefined ? undefined : statusIn(last.answer)
  const late = last !== undefined && passedSince(trace, close, last) >= missingAfter(trace, 'closed_ms')
  // A secret may stop working while the session is still `closing`: where Get says so, that counts.
  if (late && status !== undefined) {
    say(report, 'close.reaches-closed', false, 'closed', status, last)
    return
  }
  const refused = channelsOf(trace, life.id).find(
    (channel) => channel.open.line > close.answeredLine && admission(trace, channel) === 'refused',
  )
  if (refused !== undefined) report.held(row, close.line, refused.open.line)
  else if (late) report.unobserved(row, 'model_choice', 'Get shows no status', last.line)
}

/** So many cleanups that all failed did not fail by accident. */
export const leastFailures = 4

/** Some cleanups may end in `failed` (clients handle it); where every one does, none reaches `closed`. */
function judgeFailures(lives: readonly Life[], report: Report): void {
  const ends = lives.flatMap((life) => {
    const last = life.gets.findLast((get) => life.closes.some((close) => close.line < get.line) && isOver(get))
    return last === undefined ? [] : [last]
  })
  const failed = ends.filter((get) => statusIn(get.answer) === 'failed')
  const [first] = failed
  if (first === undefined || failed.length < ends.length) return
  const got = `failed, ${failed.length} time(s), and never closed`
  if (failed.length >= leastFailures) return say(report, 'close.reaches-closed', false, 'closed', got, first)
  report.unobserved(`${part}.close.reaches-closed`, 'model_choice', got, first.answeredLine)
}

/** Get shows `closed` for a session that a channel or a later Get proves to be open. */
function judgeOpen(trace: TraceIndex, life: Life, report: Report): void {
  const row = 'get.open-session-not-closed'
  const firstClose = Math.min(...life.closes.map((close) => close.line), Number.POSITIVE_INFINITY)
  for (const get of life.gets) {
    const status = statusIn(get.answer)
    if (status === undefined || get.answeredLine > firstClose) continue
    if (status === 'active') say(report, row, true, '', '', get)
    else if (provenOpen(trace, life, get)) say(report, row, false, 'an open session is not closed', status, get)
  }
}

/** A later Get may come from a copy that has not heard of the end yet (3.1: the service may end a session by itself). */
function provenOpen(trace: TraceIndex, life: Life, { answeredLine: after, answeredT }: Call): boolean {
  const channel = channelsOf(trace, life.id).some((one) => one.open.line > after && isLetIn(trace, one))
  const caughtUp = life.gets.filter((get) => get.line > after && isSettled(trace, answeredT, get.t))
  return channel || caughtUp.some((get) => statusIn(get.answer) === 'active')
}

/** Whether the key is one of the workspace that owns the session. */
function ours(life: Life, call: Call): boolean {
  return call.key === life.key || (life.workspace === 'primary' && call.key === 'same_workspace')
}

/** Closed, failed, or not found any more; whichever member of the payload says so. */
export function isOver(get: Call): boolean {
  if (get.answer.kind === 'failure') return get.answer.code === 20005
  if (get.answer.kind !== 'success') return false
  const status = statusIn(get.answer)
  if (status !== undefined) return status === 'closed' || status === 'failed'
  const said = wordsIn(get)
  return (said.has('closed') || said.has('failed')) && !said.has('active') && !said.has('closing')
}

function say(report: Report, row: string, good: boolean, expected: string, got: string, call: Call): void {
  const lines = [call.line, call.answeredLine].filter(Number.isFinite)
  if (good) report.held(`${part}.${row}`, ...lines)
  else report.broken(`${part}.${row}`, { expected, got, lines, scenario: call.scenario })
}
