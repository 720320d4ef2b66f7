/**
 * Milliseconds that a `Retry-After` asks for: seconds, or an HTTP date, which counts from the answer's own `Date` where it
 * has one, since clocks differ.
 *
 * @param now wall-clock time in milliseconds
 * @returns undefined where the header is missing or says neither.
 */
export function retryAfter(headers: { readonly [name: string]: string }, now: number): number | undefined {
  const text = own(headers, 'retry-after')?.trim()
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const until = httpDate(text)
  if (until === undefined) return undefined
  return Math.max(0, until - (httpDate(own(headers, 'date') ?? '') ?? now))
}

/** IMF-fixdate, as `Sun, 06 Nov 1994 08:49:37 GMT`. */
function httpDate(text: string): number | undefined {
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

function own(headers: { readonly [name: string]: string }, name: string): string | undefined {
  return Object.hasOwn(headers, name) ? headers[name] : undefined
}
