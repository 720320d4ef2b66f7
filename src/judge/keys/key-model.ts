import type { Model, Timed } from '../orders/orders.ts'

/** What an operation promises to whoever sends the same key again. */
export interface KeyPromise {
  /** Whether another body is refused as a conflict (world sessions, section 7); otherwise what comes of it is left open. */
  readonly comparesBodies: boolean
}

/** What may be true of one idempotency key: free, or standing for what a create made. */
export type State =
  | { readonly is: 'free' }
  | {
      readonly is: 'taken'
      /** Undefined while only a create whose answer was lost tells of it. */
      readonly id: string | undefined
      readonly body: string
      /** Its session was asked to close: what the key returns then is left open. */
      readonly ended: boolean
    }

/** Something that was sent with the key, or that ended what came of it. */
export interface Deed extends Timed {
  readonly did: 'create' | 'end'
  /** Of what was made, or is ended; undefined where the answer was lost. */
  readonly id: string | undefined
  /** The body as text; the same for identical ones. */
  readonly body: string
  readonly lines: readonly number[]
  readonly scenario: string | undefined
}

/**
 * "Retrying a create with the same key does not allocate a duplicate" (4.1, 4.5): creates that were accepted. A refusal
 * tells nothing here: what is refused, or told to be in progress, may be sent again.
 */
export function keyModel(promise: KeyPromise): Model<State, Deed> {
  return {
    start: [{ is: 'free' }],
    step: (state, deed) => (deed.did === 'end' ? [ended(state, deed)] : created(state, deed, promise)),
    nameOf: (state) => (state.is === 'free' ? '' : `${state.id ?? '?'} ${String(state.ended)} ${state.body}`),
  }
}

function ended(state: State, { id }: Deed): State {
  return state.is === 'taken' && (state.id === id || state.id === undefined) ? { ...state, ended: true } : state
}

function created(state: State, { id, body }: Deed, { comparesBodies }: KeyPromise): readonly State[] {
  if (state.is === 'free') return [{ is: 'taken', id, body, ended: false }]
  const other = body !== state.body
  if (id === undefined) return [state]
  if (state.ended || (other && !comparesBodies)) return [state, { is: 'taken', id, body, ended: false }]
  if (other) return []
  return state.id === id || state.id === undefined ? [{ ...state, id }] : []
}
