/** A create may be sent so many times, always with the same idempotency key. */
const ATTEMPTS = 4

const FIRST_WAIT_MS = 400

/** What section 7 says to retry after a short back-off. The limits that are ours (10008, 30006) have other remedies. */
const passing: readonly string[] = ['network', 'http-5xx', '30008']

/**
 * How long to wait before another attempt: full jitter over a time that doubles, so that many who were refused at once
 * don't come back at once.
 * @param attempts made so far
 * @param random from 0 to 1
 * @returns milliseconds; undefined when it is no use
 */
export function retryAfter(refusal: string, attempts: number, random: number): number | undefined {
  if (attempts >= ATTEMPTS || !passing.includes(refusal)) return undefined
  return random * FIRST_WAIT_MS * 2 ** (attempts - 1)
}
