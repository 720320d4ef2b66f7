import type { RequirementId } from '#spec/register'
import { leastFailures, soon_ms } from '../life/status.rules.ts'
import { isAcceptedClose, showed } from './blame.ts'
import type { History, Seen } from './explain.ts'
import type { Deed } from './trace.ts'
import type { Thread, Threads } from './threads.ts'

/** Something that one look at a walk tells, without the model of a single key. */
export interface Finding {
  readonly row: RequirementId
  readonly lines: readonly number[]
  /** What was expected and what came, where it speaks against the row. */
  readonly fault?: { readonly expected: string; readonly got: string }
}

export function findingsOf(deeds: readonly Deed[], threads: Threads, patience_ms: number): readonly Finding[] {
  const histories = threads.threads.map(({ history }) => history)
  return [
    ...clashes(threads),
    ...deeds.flatMap((deed) => [...odd(deed), ...refusedList(deed)]),
    ...threads.foreign.flatMap((deed) => foreignFinding(deed, deeds, threads.foreign)),
    ...histories.flatMap((history) => [...unfinished(history, patience_ms), ...vanished(history)]),
    ...alwaysFailed(histories),
  ]
}

/** Different keys make different sessions, and an id is never used again. */
function clashes({ threads, clashes: found }: Threads): readonly Finding[] {
  if (found.length === 0) return threads.filter(hasSession).slice(1).map(apart)
  return found.map(({ id, lines, again }) => {
    const row = again ? 'avatar-sessions.session.id-unique' : 'avatar-sessions.idempotency.other-key-other-session'
    return { row, lines, fault: { expected: 'a session for each key', got: `two keys got ${id}` } }
  })
}

const hasSession = ({ ids }: Thread): boolean => ids.size > 0

function apart({ history }: Thread): Finding {
  return { row: 'avatar-sessions.idempotency.other-key-other-session', lines: history[0]?.lines ?? [] }
}

function odd({ odd: status, lines }: Deed): readonly Finding[] {
  if (status === undefined) return []
  const fault = { expected: 'one of the four states', got: `status ${status}` }
  return [{ row: 'avatar-sessions.status.in-set-on-get', lines, fault }]
}

function refusedList({ stimulus, outcome, lines }: Deed): readonly Finding[] {
  if (stimulus.act !== 'list' || outcome.is !== 'refused') return []
  return [{ row: 'avatar-sessions.list.accepted', lines, fault: { expected: 'a list', got: 'a refusal' } }]
}

/** A refusal of an id that nobody issued counts beside the same request for a session of ours. */
function foreignFinding(deed: Deed, deeds: readonly Deed[], foreign: readonly Deed[]): readonly Finding[] {
  const { act } = deed.stimulus
  if (act !== 'get' && act !== 'close') return []
  const good = act === 'get' ? 'shown' : 'accepted'
  const row = `avatar-sessions.${act}.unknown-session-rejected` as const
  const positiveControl = deeds.find(
    (one) => one.stimulus.act === act && one.outcome.is === good && !foreign.includes(one),
  )
  if (deed.outcome.is === good) {
    const fault = { expected: 'a refusal', got: 'success for an id that nobody issued' }
    return [{ row, lines: deed.lines, fault }]
  }
  return deed.outcome.is === 'refused' && positiveControl !== undefined
    ? [{ row, lines: [...positiveControl.lines, ...deed.lines] }]
    : []
}

/** "`closing`, Cleanup finishes: `closed`": in the end, after patient looking, a closed session is closed. */
function unfinished(history: History, patience_ms: number): readonly Finding[] {
  return idsClosed(history).flatMap(({ id, close }) => {
    const last = history.findLast((seen) => statusOf(seen, id) !== undefined)
    if (last === undefined || statusOf(last, id) !== 'closing' || last.t - close.t < patience_ms) return []
    const fault = { expected: 'status closed in the end', got: 'status closing' }
    return [{ row: 'avatar-sessions.close.reaches-closed', lines: [...close.lines, ...last.lines], fault } as const]
  })
}

/** Where Get shows states at all, it shows `closed` before it forgets a session. */
function vanished(history: History): readonly Finding[] {
  return idsClosed(history).flatMap(({ id, close }) => {
    const place = history.findIndex((seen) => isGetOf(seen, id) && seen.outcome.is === 'refused')
    const gone = history[place]
    const past = history.slice(0, Math.max(place, 0))
    const looked = Math.max(close.t, ...past.filter((seen) => isGetOf(seen, id)).map(({ t }) => t))
    if (gone === undefined || gone.t < close.t || (gone.since ?? gone.t) - looked > soon_ms) return []
    if (showed(past, id, ['closed', 'failed'])) return []
    if (!showed(past, id, ['active', 'closing'])) return []
    const fault = { expected: 'status closed', got: 'not found before it was shown' }
    return [
      { row: 'avatar-sessions.close.closed-shown-by-get', lines: [...close.lines, ...gone.lines], fault } as const,
    ]
  })
}

/** Some cleanups may end in `failed` (clients handle it); where all do, none reaches `closed`. */
function alwaysFailed(histories: readonly History[]): readonly Finding[] {
  const ends = histories.flatMap((history) =>
    idsClosed(history).map(({ id }) => history.findLast((seen) => statusOf(seen, id) !== undefined && isEnd(seen))),
  )
  const failed = ends.filter((seen) => seen?.outcome.is === 'shown' && seen.outcome.status === 'failed')
  if (failed.length < leastFailures || failed.length < ends.filter((seen) => seen !== undefined).length) return []
  const fault = { expected: 'closed', got: `failed, ${failed.length} times, and never closed` }
  return [{ row: 'avatar-sessions.close.reaches-closed', lines: failed.flatMap((seen) => seen?.lines ?? []), fault }]
}

function isEnd({ outcome }: Seen): boolean {
  return outcome.is === 'shown' && (outcome.status === 'closed' || outcome.status === 'failed')
}

function idsClosed(history: History): readonly { readonly id: string; readonly close: Seen }[] {
  const closes = history.flatMap((close) =>
    'id' in close.stimulus && isAcceptedClose(close, close.stimulus.id) ? [{ id: close.stimulus.id, close }] : [],
  )
  return [...new Map(closes.toReversed().map((one) => [one.id, one])).values()]
}

function isGetOf({ stimulus }: Seen, id: string): boolean {
  return stimulus.act === 'get' && stimulus.id === id
}

function statusOf(seen: Seen, id: string): string | undefined {
  return isGetOf(seen, id) && seen.outcome.is === 'shown' ? seen.outcome.status : undefined
}
