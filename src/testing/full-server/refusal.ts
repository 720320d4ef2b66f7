/** A REST call that is turned down, with the code of section 7. */
export class Refusal extends Error {
  readonly code: number
  /** When a new try makes sense, as a time in milliseconds. */
  readonly retryAt: number | undefined

  constructor(code: number, message: string, retryAt?: number) {
    super(message)
    this.code = code
    this.retryAt = retryAt
  }
}

/** A client event that is turned down, answered by an `error` event. */
export class Complaint extends Error {
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** Statuses that section 7 gives, and those of this server's own choosing; all other failures are told with 200. */
const statuses: Readonly<Record<number, number>> = {
  10001: 403,
  10003: 412,
  10004: 402,
  10008: 429,
  20007: 413,
  30004: 422,
  30006: 429,
  30007: 502,
  30008: 429,
}

/** @param plain whether everything that has no status of its own is a 400 */
export function statusOf(code: number, plain: boolean): number {
  if (plain && ![10008, 30006, 30007, 30008].includes(code)) return 400
  return statuses[code] ?? 200
}
