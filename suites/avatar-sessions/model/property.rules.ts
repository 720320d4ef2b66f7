import { channelsOf } from '#judge/operations'
import { isSessionClosed } from '#judge/sessions/session-end'
import { lagOf } from '#judge/timing/lag'
import { leastMoments } from '#judge/timing/moments'
import type { Report, Rule } from '#judge/rule'
import { missingAfter } from '#judge/timing/timeouts'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { blame } from './blame.ts'
import { type Ending, isHabit } from './endings.ts'
import { borneOut } from './held.ts'
import { withoutStale } from './lag.ts'
import { type Broken, type History, least, type Legal, type Lenience, explain } from './explain.ts'
import { type Thread, threadsOf } from './threads.ts'
import { deedsOf } from './trace.ts'
import { findingsOf } from './walk.ts'
import { legalThen, seenThen } from './words.ts'
import { propertyIds } from './moves.ts'

const part = 'avatar-sessions'

/** Life of sessions and their idempotency keys, on the random walks of the property: no truth of the model explains it. */
export const sessionLife: Rule = {
  id: `${part}.session-life`,
  proves: [
    `${part}.idempotency.retry-same-session`,
    `${part}.idempotency.concurrent-one-session`,
    `${part}.idempotency.after-429-one-session`,
    `${part}.idempotency.after-5xx-one-session`,
    `${part}.idempotency.after-timeout-one-session`,
    `${part}.idempotency.other-key-other-session`,
    `${part}.session.id-unique`,
    `${part}.status.in-set-on-get`,
    `${part}.get.own-session-found`,
    `${part}.get.open-session-not-closed`,
    `${part}.get.unknown-session-rejected`,
    `${part}.list.accepted`,
    `${part}.list.shows-open-sessions`,
    `${part}.list.hides-closed-sessions`,
    `${part}.close.accepted`,
    `${part}.close.leaves-active`,
    `${part}.close.reaches-closed`,
    `${part}.close.closed-shown-by-get`,
    `${part}.close.never-active-again`,
    `${part}.close.closed-is-final`,
    `${part}.close.leaves-others-open`,
    `${part}.close.unknown-session-rejected`,
    'control-channel.secret.refused-after-closed',
  ],
  judge(trace, report) {
    for (const scenario of propertyIds) judgeWalk(trace, scenario, report)
  },
}

function judgeWalk(trace: TraceIndex, scenario: string, report: Report): void {
  const deeds = deedsOf(trace, [scenario])
  const sorted = threadsOf(deeds)
  const lag = lagOf(trace)
  const prompt = sorted.threads.map((thread) => ({ ...thread, history: [...withoutStale(thread.history, lag)] }))
  const threads = { ...sorted, threads: prompt }
  const walk: Walk = { scenario, report }
  for (const thread of threads.threads) judgeThread(thread, walk)
  judgeEndings(trace, threads.threads, walk)
  for (const { row, lines, fault } of findingsOf(deeds, threads, missingAfter(trace, 'closed_ms'))) {
    if (fault === undefined) report.held(row, ...lines)
    else report.broken(row, { ...fault, lines, scenario })
  }
}

interface Walk {
  readonly scenario: string
  readonly report: Report
}

const always: Lenience = () => true

/** Any session may have ended by itself: what even that does not explain is wrong. */
function judgeThread(thread: Thread, walk: Walk): void {
  const { history } = thread
  const result = explain(history, always)
  if (result.is === 'overflow') {
    const why = 'too many truths are possible at once'
    walk.report.unobserved(`${part}.idempotency.retry-same-session`, 'model_choice', why)
    return
  }
  credit(thread, result, walk)
  if (result.is === 'broken') tell(result, history, always, walk)
}

/** Enters what the outcomes bear out, by what must be true if no session ends by itself. */
function credit({ history, safeUntil }: Thread, result: Broken | Legal, { report }: Walk): void {
  const sure = explain(history, (seen) => seen.t > safeUntil)
  const whole = result.is === 'legal' ? history : history.slice(0, result.place)
  for (const [place, seen] of whole.entries()) {
    const states = (sure.is === 'overflow' ? undefined : sure.believed[place]) ?? result.believed[place] ?? []
    for (const row of borneOut(states, history.slice(0, place), seen)) report.held(row, ...seen.lines)
  }
}

/**
 * Sessions may end by themselves while nobody looks (3.1), and a service may have its habits. Two that do so before any timer
 * can be, at different times and each at the worst moment, are no accident.
 */
function judgeEndings(trace: TraceIndex, threads: readonly Thread[], walk: Walk): void {
  // What is wrong for sure explains more than what is unlikely.
  if (threads.some(({ history }) => explain(history, always).is === 'broken')) return
  const found = threads.flatMap(({ history, safeUntil }) => {
    const lenient: Lenience = (seen) => seen.t > safeUntil
    const result = explain(history, lenient)
    if (result.is !== 'broken' || isEndTold(trace, blame(result, history).id)) return []
    return [{ result, history, lenient }]
  })
  const endings = found.map(({ result, history }) => endingOf(result, history))
  if (leastMoments(endings) < 2 || isHabit(trace, endings)) return
  for (const { result, history, lenient } of found) tell(result, history, lenient, walk)
}

/** Whether the service said that the session ends (6.2): it really did, then, and Get tells the truth. */
function isEndTold(trace: TraceIndex, id: string): boolean {
  return channelsOf(trace, id).some(({ frames }) => frames.some(isSessionClosed))
}

/** From when the session was last seen to be open to when it was seen to be over. */
function endingOf(broken: Broken, history: History): Ending {
  const { place } = broken
  const last = history.slice(0, place).findLast(({ outcome }) => showsOpen(outcome))
  const { id } = blame(broken, history)
  return { id, from: last?.since ?? last?.t ?? 0, until: history[place]?.t ?? Number.POSITIVE_INFINITY }
}

function showsOpen(outcome: History[number]['outcome']): boolean {
  if (outcome.is === 'shown') return outcome.status === 'active'
  return ['made', 'together', 'admitted'].includes(outcome.is) || (outcome.is === 'listed' && outcome.shown.length > 0)
}

function tell(broken: Broken, history: History, lenient: Lenience, walk: Walk): void {
  const { rows, against } = blame(broken, history)
  const shortest = shortestWith(broken, history, lenient, rows)
  const seen = shortest.at(-1)
  const again = explain(shortest, lenient)
  if (seen === undefined || again.is !== 'broken') return
  const states = again.believed[again.place] ?? []
  const expected = legalThen(states, seen, { unprompted: lenient(seen) })
  const contrary = against === undefined ? '' : `: so said lines ${against.lines.join(', ')}`
  const lines = [...new Set(shortest.flatMap((one) => one.lines))].toSorted((one, other) => one - other)
  const got = `${seenThen(states, seen)}${contrary}`
  for (const row of rows) walk.report.broken(row, { expected, got, lines, scenario: walk.scenario })
}

/** The least of the history that breaks the same requirements in the same way. */
function shortestWith(broken: Broken, history: History, lenient: Lenience, rows: readonly RequirementId[]): History {
  const upTo = history.slice(0, broken.place + 1)
  return least(upTo, (shorter) => {
    const result = explain(shorter, lenient)
    if (result.is !== 'broken' || result.place !== shorter.length - 1) return false
    return blame(result, shorter).rows.join() === rows.join()
  })
}
