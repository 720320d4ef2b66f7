import type { Model, Timed } from '#judge/orders/orders'

/** What may be true of a character: stored as the save with this number left it, or deleted (3.6). */
export type State = { readonly is: 'stored'; readonly save: number } | { readonly is: 'deleted' }

/** Shown where parts of several saves stand together: no save leaves that. */
export const mixed = -1

/** What was asked about a character, and what came of it. */
export interface Deed extends Timed {
  readonly did: 'replace' | 'delete' | 'get' | 'start'
  /** `lost`: nothing tells whether it was done. `missing`: 20005. `refused`: any other code, of a delete. */
  readonly ended: 'done' | 'missing' | 'refused' | 'lost'
  /** Number of the exchange: of a replace, the save that it makes. */
  readonly exchange: number
  /** The save that an answer shows, where it shows one that is known. */
  readonly shown?: number | undefined
  /** Milliseconds of the run at which it was asked, and answered. */
  readonly sent: number
  readonly answered: number
  /** Lines of the trace. */
  readonly lines: readonly number[]
  readonly scenario: string | undefined
}

/** Stored until it is deleted; then it is "treated as not found by get, update and delete" and starts no session (3.6). */
export function lifeModel(create: number): Model<State, Deed> {
  return {
    start: [{ is: 'stored', save: create }],
    step,
    nameOf: (state) => (state.is === 'stored' ? String(state.save) : state.is),
  }
}

function step(state: State, deed: Deed): readonly State[] {
  // A proxy may send a DELETE again by itself (RFC 9110, 9.2.2), and hand on the answer to the second one.
  if (deed.did === 'delete' && deed.ended === 'missing') return [{ is: 'deleted' }]
  if (deed.ended === 'missing' || deed.ended === 'refused') return state.is === 'deleted' ? [state] : []
  if (deed.ended === 'lost') return [after(state, deed)]
  if (state.is === 'deleted') return []
  const next = after(state, deed)
  const shows = deed.shown === undefined || (next.is === 'stored' && next.save === deed.shown)
  return shows ? [next] : []
}

function after(state: State, { did, exchange }: Deed): State {
  if (state.is === 'deleted') return state
  if (did === 'delete') return { is: 'deleted' }
  return did === 'replace' ? { is: 'stored', save: exchange } : state
}
