import type { RequirementId } from '#spec/register'
import type { StimulusOutcome } from './model.ts'
import { type Broken, type History, mustBe, type Seen, wasShut, witness } from './explain.ts'

/** The session that an unexplained outcome is about. */
export interface Suspect {
  readonly id: string
  readonly rows: readonly RequirementId[]
  /** What it contradicts, where it contradicts something other than the rules of 3.1 alone. */
  readonly against: Seen | undefined
}

/** Which requirements an outcome breaks that no truth explains. */
export function blame(broken: Broken, history: History): Suspect {
  const seen = history[broken.place]
  if (seen === undefined) throw new Error('nothing stands at the place of the fault')
  const past = history.slice(0, broken.place)
  const id = suspectOf(broken, seen)
  const before = witness(broken, id)
  const against = before === undefined ? undefined : history[before]
  return { id, rows: rowsOf({ seen, past, id, against, before: before ?? -1 }), against }
}

interface Case {
  readonly seen: Seen
  readonly past: History
  readonly id: string
  readonly against: Seen | undefined
  readonly before: number
}

function rowsOf(one: Case): readonly RequirementId[] {
  const { seen, past, id } = one
  switch (seen.stimulus.act) {
    case 'create':
      return createRows(seen, past)
    case 'list':
      return isIn(seen.outcome, id) ? ['avatar-sessions.list.hides-closed-sessions'] : endRows(one, 'list')
    case 'connect':
      return wasAskedToClose(past, id) ? ['control-channel.secret.refused-after-closed'] : openRows(one)
    case 'close':
      return ['avatar-sessions.close.accepted']
    default:
      return getRows(one)
  }
}

function getRows(one: Case): readonly RequirementId[] {
  const { outcome } = one.seen
  if (outcome.is !== 'shown') return endRows(one, 'get')
  if (outcome.status === 'active') return openRows(one)
  return showed(one.past, one.id, ['closed']) ? ['avatar-sessions.close.closed-is-final'] : endRows(one, 'get')
}

/** The session is open after all: what said otherwise was wrong. */
function openRows({ past, id, against, before }: Case): readonly RequirementId[] {
  if (wasAskedToClose(past, id)) {
    const row = showed(past, id, ['closing', 'closed', 'failed']) ? 'never-active-again' : 'leaves-active'
    return [`avatar-sessions.close.${row}`]
  }
  if (against?.stimulus.act === 'create') return createRows(against, past.slice(0, before))
  if (against?.stimulus.act === 'list') return ['avatar-sessions.list.shows-open-sessions']
  if (against?.stimulus.act === 'close') return ['avatar-sessions.close.accepted']
  if (against?.outcome.is === 'refused') return ['avatar-sessions.get.own-session-found']
  return ['avatar-sessions.get.open-session-not-closed']
}

/** The session is over though nobody asked: most likely it went with another that was closed. */
function endRows({ past, id, seen }: Case, act: 'get' | 'list'): readonly RequirementId[] {
  const sight = past.findLastIndex((one) => isSightOf(one, id))
  const another = past.findLastIndex((one) => one.stimulus.act === 'close-another')
  if (sight >= 0 && another > sight) return ['avatar-sessions.close.leaves-others-open']
  if (act === 'list') return ['avatar-sessions.list.shows-open-sessions']
  const row = seen.outcome.is === 'refused' ? 'own-session-found' : 'open-session-not-closed'
  return [`avatar-sessions.get.${row}`]
}

/** One key gave two sessions: in a race or one after the other, and after what went wrong before. */
export function createRows(seen: Seen, past: History): readonly RequirementId[] {
  const creates = [...past.filter((one) => one.stimulus.act === 'create'), seen]
  const race = seen.outcome.is === 'together'
  const troubles = new Set(creates.slice(0, -1).map((one) => one.trouble))
  return [
    `avatar-sessions.idempotency.${race ? 'concurrent-one-session' : 'retry-same-session'}`,
    ...(troubles.has('throttled') ? (['avatar-sessions.idempotency.after-429-one-session'] as const) : []),
    ...(troubles.has('fault') ? (['avatar-sessions.idempotency.after-5xx-one-session'] as const) : []),
    ...(troubles.has('silence') ? (['avatar-sessions.idempotency.after-timeout-one-session'] as const) : []),
  ]
}

function suspectOf({ believed, place }: Broken, { stimulus, outcome }: Seen): string {
  if ('id' in stimulus) return stimulus.id
  const states = believed[place] ?? []
  const known = states.flatMap((state) => state.map((session) => session.id ?? ''))
  if (outcome.is !== 'listed') return known.at(-1) ?? idsMade(outcome)[0] ?? ''
  const shut = outcome.shown.find((id) => mustBe(states, id, ['closed']) && wasShut(states, id))
  return shut ?? outcome.missing[0] ?? outcome.shown[0] ?? ''
}

/** Ids that creates gave. */
export function idsMade(outcome: StimulusOutcome): readonly string[] {
  if (outcome.is === 'together') return outcome.of.flatMap(idsMade)
  return outcome.is === 'made' ? [outcome.id] : []
}

/** It was seen to be open: more than the word of its create. */
export function isSightOf({ stimulus, outcome }: Seen, id: string): boolean {
  if (outcome.is === 'listed') return outcome.shown.includes(id)
  if (!('id' in stimulus) || stimulus.id !== id) return false
  return outcome.is === 'admitted' || (outcome.is === 'shown' && (outcome.status ?? 'active') === 'active')
}

export function wasAskedToClose(past: History, id: string): boolean {
  return past.some(
    ({ stimulus, outcome }) =>
      stimulus.act === 'close' && stimulus.id === id && (outcome.is === 'accepted' || outcome.is === 'lost'),
  )
}

/** Whether Get showed the session in one of these states. */
export function showed(past: History, id: string, statuses: readonly string[]): boolean {
  return past.some(
    ({ stimulus, outcome }) =>
      stimulus.act === 'get' &&
      stimulus.id === id &&
      outcome.is === 'shown' &&
      outcome.status !== undefined &&
      statuses.includes(outcome.status),
  )
}

function isIn(outcome: StimulusOutcome, id: string): boolean {
  return outcome.is === 'listed' && outcome.shown.includes(id)
}

export function isAcceptedClose({ stimulus, outcome }: Seen, id: string): boolean {
  return stimulus.act === 'close' && stimulus.id === id && outcome.is === 'accepted'
}
