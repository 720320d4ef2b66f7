import type { FailureReason } from '#trace/entry'
import type { Json } from '#trace/json'

/**
 * What an exchange came to. `transport failure`: no answer that is surely the target's own (connection reset, an edge's page); see
 * `isLasting` for when it is the target's all the same. `nonsense`: an answer of the target that bears no envelope.
 */
export type Answer =
  | { readonly kind: 'success'; readonly line: number; readonly data: Json | undefined; readonly status: number }
  | {
      readonly kind: 'failure'
      readonly line: number
      readonly code: number
      readonly message: string
      readonly status: number
    }
  | { readonly kind: 'transport-failure'; readonly line: number; readonly why: FailureReason | 'missing' }
  | { readonly kind: 'transport-failure'; readonly line: number; readonly why: 'proxy'; readonly status: number }
  | { readonly kind: 'nonsense'; readonly line: number; readonly status: number }
