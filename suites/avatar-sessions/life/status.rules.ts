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
import { isStatus, type Life, livesOf, statusIn } from './lives.ts'
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
      for (const get of life.gets) judgePayload(life, get, report)
      judgeOpen(trace, life, report)
    }
    // The model and the policy of a session from a character are held against the character elsewhere.
    for (const life of created) for (const get of life.gets) judgeAgreement(life, get, report)
  },
}

function judgePayload(life: Life, get: Call, report: Report): void {
  if (get.answer.kind !== 'success') return
  const { data } = get.answer
  const id = at(data, '/session_id')
  if (typeof id === 'string') say(report, 'get.names-session', id === life.id, life.id, id, get)
  const status = at(data, '/status')
  if (id === life.id && typeof status === 'string') {
    say(report, 'status.in-set-on-get', isStatus(status), 'one of the four states', status, get)
  }
}

function judgeAgreement(life: Life, get: Call, report: Report): void {
  if (get.answer.kind !== 'success') return
  const { data } = get.answer
  for (const timeout of ['/auto_close/disconnected_timeout_seconds', '/auto_close/interaction_idle_timeout_seconds']) {
    compare(report, 'session.auto-close-snapshot', at(life.data, timeout), at(data, timeout), get)
  }
  compare(report, 'get.agrees-with-create', at(life.data, '/model'), at(data, '/model'), get)
}

function compare(report: Report, row: string, made: Json | undefined, shown: Json | undefined, get: Call): void {
  if (made === undefined || shown === undefined || !comparable(made, shown)) return
  if (equal(shown, made)) say(report, row, true, '', '', get)
  else say(report, row, false, show(made), show(shown), get)
}

/** Integers may come as texts (Conventions): then they are numbers all the same. */
function comparable(made: Json, shown: Json): boolean {
  const kindOf = (one: Json): string => (typeof one === 'string' && /^-?\d+$/.test(one) ? 'number' : typeof one)
  return kindOf(made) === kindOf(shown) || typeof made === typeof shown
}

/** States only move on: active, closing, closed. A later Get never shows an earlier state, but for copies that are behind. */
function judgeTransitions(trace: TraceIndex, life: Life, report: Report): void {
  const shown = life.gets.filter((get) => statusIn(get.answer, life.id) !== undefined)
  for (const [place, get] of shown.entries()) {
    const before = shown.slice(0, place).filter((other) => other.answeredLine < get.line)
    const settled = before.filter((other) => isSettled(trace, other.answeredT, get.t))
    const status = statusIn(get.answer, life.id) ?? ''
    const [past, sure] = [statesOf(life, before), statesOf(life, settled)]
    const over = (states: ReadonlySet<string>): boolean => states.has('closing') || states.has('closed')
    if (over(status === 'active' ? sure : past)) {
      say(report, 'close.never-active-again', status !== 'active', 'no way back to active', status, get)
    }
    if ((status === 'closed' ? past : sure).has('closed')) {
      say(report, 'close.closed-is-final', status === 'closed', 'closed', status, get)
    }
  }
}

function statesOf(life: Life, gets: readonly Call[]): ReadonlySet<string> {
  return new Set(gets.map((get) => statusIn(get.answer, life.id) ?? ''))
}

/** An accepted close: the next Get that is not behind is past `active`, and in time the session is closed. */
function judgeClose(trace: TraceIndex, life: Life, report: Report): void {
  const close = life.closes.find((one) => one.answer.kind === 'success' && ours(life, one))
  if (close === undefined) return
  const later = life.gets.filter((get) => get.line > close.answeredLine && ours(life, get))
  const next = later.find(
    (get) => statusIn(get.answer, life.id) !== 'active' || isSettled(trace, close.answeredT, get.t),
  )
  if (next !== undefined && next.answer.kind === 'success') {
    const status = statusIn(next.answer, life.id)
    if (status === undefined)
      report.unobserved(`${part}.close.leaves-active`, 'model_choice', 'Get shows no status', next.line)
    else say(report, 'close.leaves-active', status !== 'active', 'closing or closed', status, next)
  }
  const end = later.find((get) => isOver(get, life))
  if (end !== undefined) {
    if (statusIn(end.answer, life.id) !== 'failed')
      report.held(`${part}.close.reaches-closed`, close.line, end.answeredLine)
    judgeShown(life, end, report)
  } else judgeUnclosed(trace, life, close, later.at(-1), report)
}

/** For so long at least Get shows `closed`: a session at which nobody looked meanwhile may be forgotten. */
export const soon_ms = 2_000

function judgeShown(life: Life, end: Call, report: Report): void {
  const row = 'close.closed-shown-by-get'
  const before = life.gets.filter((get) => get.line < end.line)
  // A close is accepted as well where the session had ended by itself long ago (3.1).
  const seen = [...before, ...life.closes].filter((one) => one.line < end.line && isThere(one, life))
  const looked = Math.max(...seen.map((one) => one.answeredT))
  if (end.answer.kind === 'success') say(report, row, true, '', '', end)
  else if (end.t - looked <= soon_ms && before.some((get) => statusIn(get.answer, life.id) !== undefined)) {
    say(report, row, false, 'status closed', 'not found before it showed closed', end)
  }
}

function isThere({ answer }: Call, life: Life): boolean {
  return ['active', 'closing'].includes(statusIn(answer, life.id) ?? '')
}

function judgeUnclosed(trace: TraceIndex, life: Life, close: Call, last: Call | undefined, report: Report): void {
  const row = `${part}.close.reaches-closed`
  const status = last === undefined ? undefined : statusIn(last.answer, life.id)
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
    const isLate = (get: Call): boolean => life.closes.some((close) => close.line < get.line)
    const last = life.gets.findLast((get) => isLate(get) && isOver(get, life))
    return last === undefined ? [] : [{ last, status: statusIn(last.answer, life.id) }]
  })
  const failed = ends.flatMap(({ last, status }) => (status === 'failed' ? [last] : []))
  const [first] = failed
  if (first === undefined || failed.length < ends.length) return
  const got = `failed, ${failed.length} time(s), and never closed`
  if (failed.length >= leastFailures) return say(report, 'close.reaches-closed', false, 'closed', got, first)
  report.unobserved(`${part}.close.reaches-closed`, 'model_choice', got, first.answeredLine)
}

/** Get shows an end of a session that a channel or a later Get proves to be open. */
function judgeOpen(trace: TraceIndex, life: Life, report: Report): void {
  const row = 'get.open-session-not-closed'
  const firstClose = Math.min(...life.closes.map((close) => close.line), Number.POSITIVE_INFINITY)
  for (const get of life.gets) {
    const status = statusIn(get.answer, life.id)
    if (status === undefined || get.answeredLine > firstClose) continue
    if (status === 'active') say(report, row, true, '', '', get)
    else if (provenOpen(trace, life, get, status)) say(report, row, false, 'an open session is not closed', status, get)
  }
}

/**
 * A later Get may come from a copy that has not heard of the end yet (3.1: the service may end a session by itself). A
 * connection tells of `closed` alone: one that is closing may have control connections yet (6.2).
 */
function provenOpen(trace: TraceIndex, life: Life, { answeredLine: after, answeredT }: Call, status: string): boolean {
  const isLate = status === 'closed'
  const channel = isLate && channelsOf(trace, life.id).some((one) => one.open.line > after && isLetIn(trace, one))
  const caughtUp = life.gets.filter((get) => get.line > after && isSettled(trace, answeredT, get.t))
  return channel || caughtUp.some((get) => statusIn(get.answer, life.id) === 'active')
}

/** Whether the key is one of the workspace that owns the session. */
function ours(life: Life, call: Call): boolean {
  return call.key === life.key || (life.workspace === 'primary' && call.key === 'same_workspace')
}

/** Closed, failed, or not found any more. */
export function isOver(get: Call, life: Life): boolean {
  if (get.answer.kind === 'failure') return get.answer.code === 20005
  const status = statusIn(get.answer, life.id)
  return status === 'closed' || status === 'failed'
}

function say(report: Report, row: string, good: boolean, expected: string, got: string, call: Call): void {
  const lines = [call.line, call.answeredLine].filter(Number.isFinite)
  if (good) report.held(`${part}.${row}`, ...lines)
  else report.broken(`${part}.${row}`, { expected, got, lines, scenario: call.scenario })
}
