import type { Model, Timed } from '#judge/orders/orders'

/** Sessions that are open for sure, by their ids, in order. */
export type State = readonly string[]

/** A create that was accepted, or a moment from which a session may be over. */
export interface Deed extends Timed {
  readonly did: 'create' | 'end'
  readonly id: string
  readonly lines: readonly number[]
  readonly scenario: string | undefined
}

/**
 * "A per-workspace cap on concurrently open avatar sessions" (section 8): a create that is accepted found a place. A place
 * is taken to be free as soon as that may be, so that nothing is held against a workspace that frees it late or early.
 */
export function placesModel(cap: number): Model<State, Deed> {
  return {
    start: [[]],
    step: (open, { did, id }) => {
      if (did === 'end') return [open.filter((one) => one !== id)]
      // The key of an open session gives it again.
      if (open.includes(id)) return [open]
      return open.length < cap ? [[...open, id].toSorted()] : []
    },
    nameOf: (open) => open.join(),
  }
}
