import type { ErrorCode } from '../behaviour/codes.ts'
import { Refusal } from '../refusal.ts'
import { isWire, type Wire } from '../wire.ts'

/** "Bodies are JSON" (Conventions): a JSON object, or the operation's code for an invalid argument. */
export function readJson(body: Buffer, code: ErrorCode): Wire {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new Refusal(code, 'the body is not valid JSON')
  }
  if (!isWire(value)) throw new Refusal(code, 'the body must be a JSON object')
  return value
}
