import type { StimulusOutcome, Status } from './model.ts'
import { idsMade } from './blame.ts'
import type { History, Seen } from './explain.ts'

/** When, in milliseconds of the run, something about a session was written that a read may not show yet. */
interface Written {
  readonly made: Map<string, number>
  readonly ended: Map<string, { readonly t: number; readonly status: Status | undefined }>
}

/** In this order states follow each other (3.1). */
const order: readonly Status[] = ['active', 'closing', 'failed', 'closed']

/**
 * The history without what a copy may have shown that is behind: a list that lacks what was made a moment ago or shows
 * what has just ended, and a Get that shows an earlier state.
 */
export function withoutStale(history: History, lag_ms: number): readonly Seen[] {
  const written: Written = { made: new Map(), ended: new Map() }
  return history.map((seen) => {
    const { since = seen.t } = seen
    const outcome = fresh(seen, written, (t) => t !== undefined && since - t < lag_ms)
    note(seen, written)
    noteGone(seen, outcome, written)
    return outcome === seen.outcome ? seen : { ...seen, outcome }
  })
}

function fresh(
  { stimulus, outcome }: Seen,
  { made, ended }: Written,
  isLately: (t: number | undefined) => boolean,
): StimulusOutcome {
  if (outcome.is === 'listed') {
    const shown = outcome.shown.filter((id) => !isLately(ended.get(id)?.t))
    const missing = outcome.missing.filter((id) => !isLately(made.get(id)))
    return { is: 'listed', shown, missing }
  }
  if (stimulus.act !== 'get' || outcome.is !== 'shown' || outcome.status === undefined) return outcome
  const end = ended.get(stimulus.id)
  const isBehind = order.indexOf(outcome.status) < order.indexOf(end?.status ?? 'closing')
  return isBehind && isLately(end?.t) ? { is: 'shown' } : outcome
}

function note({ stimulus, outcome, t }: Seen, { made, ended }: Written): void {
  const newIds = idsMade(outcome).filter((id) => !made.has(id))
  // A key that makes another session is free again: the one before has ended by then, unless later reads show it open.
  if (newIds.length > 0) for (const id of made.keys()) if (!ended.has(id)) ended.set(id, { t, status: undefined })
  for (const id of newIds) made.set(id, t)
  if (stimulus.act === 'close' && (outcome.is === 'accepted' || outcome.is === 'lost')) {
    ended.set(stimulus.id, { t, status: ended.get(stimulus.id)?.status })
  }
  if (stimulus.act !== 'get' || outcome.is !== 'shown' || outcome.status === undefined) return
  const known = ended.get(stimulus.id)?.status ?? 'active'
  if (order.indexOf(outcome.status) > order.indexOf(known)) ended.set(stimulus.id, { t, status: outcome.status })
}

/** A session that is not found, or not listed any more, ended by itself at the latest then. */
function noteGone({ stimulus, t }: Seen, outcome: StimulusOutcome, { ended }: Written): void {
  const isGone = stimulus.act === 'get' && outcome.is === 'refused'
  const gone = isGone ? [stimulus.id] : outcome.is === 'listed' ? outcome.missing : []
  for (const id of gone) if (ended.get(id)?.status !== 'closed') ended.set(id, { t, status: 'closed' })
}
