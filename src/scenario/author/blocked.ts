import type { ReasonCode } from '#trace/entry'

/** Thrown to end a scenario for a reason outside its rows; never the target's fault, never ours. */
export class Blocked extends Error {
  readonly code: ReasonCode

  constructor(code: ReasonCode, reason: string) {
    super(reason)
    this.name = 'Blocked'
    this.code = code
  }
}
