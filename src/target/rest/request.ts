import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from '../keys.ts'
import type { OperationId } from './operations.ts'

/** A request to an operation, before its key was looked at. */
export interface IncomingRest {
  readonly operation: OperationId
  /** The `{session_id}` of the path; empty where it has none. */
  readonly sessionId: string
  /** What the path has in the place of a `{name}`; empty where it has none. */
  readonly param: (name: string) => string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Whether the caller has gone away. */
  readonly abandoned: () => boolean
}

/** A request of a known account. */
export interface RestRequest extends IncomingRest {
  readonly account: Account
}
