import type { Account } from '../keys.ts'
import type { OperationId } from './operations.ts'

/** A request that has an operation and a known key. */
export interface RestRequest {
  readonly operation: OperationId
  readonly account: Account
  /** The `{session_id}` of the path; empty where it has none. */
  readonly sessionId: string
  readonly body: Buffer
}
