import type { RequirementId } from '#spec/register'
import { idsMade, isAcceptedClose, isSightOf, showed, wasAskedToClose } from './blame.ts'
import { type History, mustBeOpen, type Seen } from './explain.ts'
import type { State } from './model.ts'

/** Requirements that an outcome bears out: what might have been seen against them was not. */
export function borneOut(before: readonly State[], past: History, seen: Seen): readonly RequirementId[] {
  switch (seen.stimulus.act) {
    case 'create':
      return byCreate(before, seen)
    case 'list':
      return byList(before, past, seen)
    case 'get':
      return byGet(before, past, seen, seen.stimulus.id)
    case 'close': {
      const { id } = seen.stimulus
      return seen.outcome.is === 'accepted' && mustBeOpen(before, id) ? ['avatar-sessions.close.accepted'] : []
    }
    case 'connect':
      return seen.outcome.is === 'admitted' ? spared(before, past, seen, seen.stimulus.id) : []
    case 'close-another':
      return []
  }
}

function byCreate(before: readonly State[], { outcome }: Seen): readonly RequirementId[] {
  const ids = idsMade(outcome)
  const race = outcome.is === 'together' && outcome.of.length > 1 && new Set(ids).size === 1
  if (race && ids.length > 1) return ['avatar-sessions.idempotency.concurrent-one-session']
  const [id] = ids
  return id !== undefined && outcome.is === 'made' && mustBeOpen(before, id)
    ? ['avatar-sessions.idempotency.retry-same-session']
    : []
}

function byList(before: readonly State[], past: History, seen: Seen): readonly RequirementId[] {
  const { outcome } = seen
  if (outcome.is !== 'listed') return []
  const rows: RequirementId[] = []
  const open = outcome.shown.filter((id) => mustBeOpen(before, id))
  if (open.length > 0) rows.push('avatar-sessions.list.shows-open-sessions')
  if (outcome.missing.some((id) => showed(past, id, ['closed'])))
    rows.push('avatar-sessions.list.hides-closed-sessions')
  return [...rows, ...open.flatMap((id) => spared(before, past, seen, id))]
}

function byGet(before: readonly State[], past: History, seen: Seen, id: string): readonly RequirementId[] {
  const { outcome } = seen
  if (outcome.is !== 'shown') return []
  if (mustBeOpen(before, id) && !wasAskedToClose(past, id)) {
    const open: readonly RequirementId[] = ['avatar-sessions.get.own-session-found']
    if (outcome.status !== 'active') return open
    return [...open, 'avatar-sessions.get.open-session-not-closed', ...spared(before, past, seen, id)]
  }
  const { status } = outcome
  if (status === undefined || !past.some((one) => isAcceptedClose(one, id))) return []
  return [
    'avatar-sessions.close.leaves-active',
    ...(showed(past, id, ['closing', 'closed']) ? (['avatar-sessions.close.never-active-again'] as const) : []),
    ...(showed(past, id, ['closed']) ? (['avatar-sessions.close.closed-is-final'] as const) : []),
    ...(status === 'closed' ? (['avatar-sessions.close.reaches-closed'] as const) : []),
  ]
}

/** Seen open before another session was closed, and after it. */
function spared(before: readonly State[], past: History, seen: Seen, id: string): readonly RequirementId[] {
  const another = past.findLastIndex((one) => one.stimulus.act === 'close-another')
  const known = past.slice(0, Math.max(another, 0)).some((one) => isSightOf(one, id))
  return known && isSightOf(seen, id) && mustBeOpen(before, id) ? ['avatar-sessions.close.leaves-others-open'] : []
}
