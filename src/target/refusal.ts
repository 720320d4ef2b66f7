import type { ErrorCode } from './behaviour/codes.ts'

/** Ends the handling of a REST request with a non-zero code (section 7). */
export class Refusal extends Error {
  readonly code: ErrorCode
  /** Seconds that `Retry-After` names; only 10008 has one. */
  readonly retryAfterSeconds: number | undefined
  /** Shows what was found and may not be seen, as its owner sees it. */
  readonly hidden: (() => unknown) | undefined

  constructor(code: ErrorCode, message: string, retryAfterSeconds?: number, hidden?: () => unknown) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.hidden = hidden
  }
}

/** Ends the handling of a client event with an `error` event (6.2). */
export class EventRefusal extends Error {
  readonly type: string
  readonly code: string | undefined
  readonly param: string | undefined

  constructor(message: string, details: { code?: string; param?: string; type?: string } = {}) {
    super(message)
    this.name = 'EventRefusal'
    this.type = details.type ?? 'invalid_request_error'
    this.code = details.code
    this.param = details.param
  }
}
