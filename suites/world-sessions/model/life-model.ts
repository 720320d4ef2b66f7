import type { Model, Timed } from '#judge/orders/orders'

/** What may be true of a world session (3.2); `gone`: over, and not found any more. */
export type State = 'provisioning' | 'active' | 'closing' | 'closed' | 'failed' | 'gone'

/** What was asked about a session, and what came of it. */
export interface Deed extends Timed {
  readonly did: 'get' | 'renew' | 'close'
  /** `missing`: 20005. `refused`: any other code that speaks of the session. `lost`: nothing tells whether it was done. */
  readonly ended: 'done' | 'missing' | 'refused' | 'lost'
  /** As Get shows it, where it is one of the five. */
  readonly status: Exclude<State, 'gone'> | undefined
  readonly sent: number
  readonly answered: number
  readonly lines: readonly number[]
  readonly scenario: string | undefined
}

const over: readonly State[] = ['closing', 'closed', 'failed', 'gone']

/** Where a session may be by now. It may end though nobody asked: transitions into `failed` are not shown (3.2). */
const reached: { readonly [state in State]: readonly State[] } = {
  provisioning: ['provisioning', 'active', ...over],
  active: ['active', ...over],
  closing: over,
  closed: ['closed', 'gone'],
  failed: over,
  gone: ['closed', 'gone'],
}

/** Get, Create Client Secret and Close of one session (3.2, 4.5). */
export function lifeModel(start: State): Model<State, Deed> {
  return { start: [start], step, nameOf: (state) => state }
}

function step(state: State, deed: Deed): readonly State[] {
  if (deed.did === 'get') return got(state, deed)
  return deed.did === 'renew' ? renewed(state, deed) : closed(state, deed)
}

/** "Closed or expired" (20005, section 7): it is over by then. */
function got(state: State, { ended, status }: Deed): readonly State[] {
  if (ended === 'missing') return reached[state].filter((one) => one === 'gone')
  return status === undefined ? [state] : reached[state].filter((one) => one === status)
}

/** "For an active session" (4.5): what a refusal leaves is one that is not ready yet, or over. */
function renewed(state: State, { ended }: Deed): readonly State[] {
  if (ended === 'done') return reached[state].filter((one) => one === 'active' || (state === one && !isOver(one)))
  return reached[state].filter((one) => one === 'provisioning' || isOver(one))
}

/** A session that failed has something to close, or not. */
function closed(state: State, { ended }: Deed): readonly State[] {
  if (ended === 'missing') return reached[state].filter((one) => one === 'closed' || one === 'gone')
  if (ended === 'refused') return reached[state].filter(isOver)
  return state === 'closed' || state === 'gone' ? reached[state] : ['closing', 'closed', 'failed', 'gone']
}

/** Of a failed session it is not said what it refuses. */
function isOver(state: State): boolean {
  return over.includes(state)
}
