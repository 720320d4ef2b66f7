import { objectOf } from '../envelope.ts'
import type { ServerEvent } from './frames.ts'

/**
 * What an `error` makes of the client event that it names: `rejected` for a mistake of the client, `failed` for a step of
 * the service. The types are examples (6.2): only one says for sure that it is the client's mistake.
 */
export type Failure = 'rejected' | 'failed'

export function failureOf(event: ServerEvent): Failure {
  const { type } = objectOf(event['error'])
  return type === 'invalid_request_error' ? 'rejected' : 'failed'
}

/**
 * For so long it is looked whether a request begins all the same of which an error has told, or may have: "most errors are
 * recoverable" (6.2), so that a step that failed may be tried again.
 */
export const DOUBT_MS = 500
