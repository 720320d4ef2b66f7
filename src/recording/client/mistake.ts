/** What clients of a service can do wrong, as far as a recording shows it. */
export type MistakeKind =
  | 'invalid-event'
  | 'invalid-request'
  | 'missing-key'
  | 'secret-in-the-wrong-place'
  | 'key-in-a-browser'
  | 'retried-too-early'

/** One thing that a client did wrong. */
export interface Mistake {
  readonly kind: MistakeKind
  /** Of the trace, from 1. */
  readonly line: number
  /** One sentence without a secret. */
  readonly what: string
}
