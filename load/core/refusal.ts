import { type Envelope, succeeded } from './envelope.ts'

/**
 * What a refusal means for the one who asked. The body's code decides, since three different things come as 429; the
 * status only where the body has none.
 * - `rate` (10008): our key asked too often; `Retry-After` says when to come back
 * - `concurrency` (30006): our workspace has too many sessions open; one has to end first
 * - `capacity` (30008): the platform is short of the model; back off
 * - `throttled`: 429 with another code or none
 * - `server`: 5xx, or 408, which an edge says that had no answer in time; `network`: no answer, or the page of an edge: both
 *   may have done what was asked, so only a keyed create is sent again
 * - `request`: the request itself is said to be wrong; sending it again changes nothing
 * - `final`: our key, our account, or what nobody knows: nor does it then
 */
export const refusals = [
  'rate',
  'concurrency',
  'capacity',
  'throttled',
  'server',
  'network',
  'request',
  'final',
] as const

export type Refusal = (typeof refusals)[number]

/** @returns undefined for a success */
export function refusalOf(answer: Envelope): Refusal | undefined {
  if (succeeded(answer)) return undefined
  if (answer.code === '10008') return 'rate'
  if (answer.code === '30006') return 'concurrency'
  if (answer.code === '30008') return 'capacity'
  if (answer.status === 0) return 'network'
  if (answer.status === 429) return 'throttled'
  if (answer.status >= 500 || answer.status === 408) return 'server'
  if (answer.code === 'no-envelope' && answer.status >= 400) return 'network'
  return isOfRequest(answer.code) ? 'request' : 'final'
}

/** Codes of requests; no regular expression: the first one costs a user of k6 17 kB. */
const isOfRequest = (code: string): boolean => code === '30004' || (code.length === 5 && code.startsWith('200'))

/** Whether section 7 lists a code as one that calls the request itself wrong: another one may speak of what is used up. */
export const saysWrong = (code: string): boolean =>
  code === '30004' || (isOfRequest(code) && code >= '20003' && code <= '20014' && code !== '20011')

/** Whether a refusal calls the request itself wrong, in words of section 7. */
export const isCalledWrong = (answer: Envelope): boolean => refusalOf(answer) === 'request' && saysWrong(answer.code)
