import type { Exchange, RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import type { Made } from '../journal/journal-state.ts'
import type { Journal } from '../journal/journal.ts'

/** One that was ended or is nobody's, by the key with which it can be ended. */
export type Found = Made & { readonly key: KeyName }

export interface LookBackTools {
  readonly journal: Journal
  /** Ends what is there. */
  readonly rest: (operation: OperationId, call: RestCall) => Promise<Exchange>
  /** Looks, and gets no answer where the run may send nothing more. */
  readonly look: (operation: OperationId, call: RestCall) => Promise<Exchange>
  /** Keys that have a value. */
  readonly keys: readonly KeyName[]
  readonly deadline: AbortSignal
  /** Lets reads catch up with what was written. */
  readonly lag: () => Promise<void>
  /** Where to look though nothing speaks for more being there than is known. */
  readonly routine: 'everywhere' | 'sessions'
}
