const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * The form of RFC 9110, 5.6.7 that is sent today, and the two that are obsolete but have to be read. Written out, since k6
 * compiles what stands in the script once, and what is put together there once for every user.
 */
const fixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const rfc850 = /^[A-Z][a-z]+day, (\d{2})-(\w{3})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/
const asctime = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\w{3}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/

/**
 * How long a `Retry-After` asks to wait, in milliseconds.
 * @param date the answer's own `Date` header: the service's clock may differ from ours, so a date is held against the
 * service's; it has no fractions, so the wait is never too short by it
 * @param now our clock, for an answer without a `Date`
 * @returns undefined for what is neither seconds nor a date
 */
export function readRetryAfter(value: string | undefined, date: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? ''
  // RFC 9110 has whole seconds only; a fraction that came all the same is honoured.
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000
  const until = readHttpDate(text)
  if (until === undefined) return undefined
  return Math.max(0, until - (readHttpDate(date?.trim() ?? '') ?? now))
}

/** Every answer of a second bears the same date, and is looked at many times. */
let last: { readonly text: string; readonly time: number | undefined } = { text: '', time: undefined }

/** @returns milliseconds since 1970; undefined for what is no date of HTTP */
export function readHttpDate(text: string): number | undefined {
  if (text !== last.text) last = { text, time: parseHttpDate(text) }
  return last.time
}

function parseHttpDate(text: string): number | undefined {
  const fixed = fixdate.exec(text)
  if (fixed !== null) return timeOf(fixed[3], fixed[2], fixed[1], fixed.slice(4))
  const old = rfc850.exec(text)
  // "More than 50 years in the future" would be the century before; nobody asks to wait that long.
  if (old !== null) return timeOf(`20${old[3]}`, old[2], old[1], old.slice(4))
  const ancient = asctime.exec(text)
  if (ancient !== null) return timeOf(ancient[6], ancient[1], ancient[2], ancient.slice(3, 6))
  return undefined
}

function timeOf(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  time: readonly string[],
): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = time.map(Number)
  const index = MONTHS.indexOf(month ?? '')
  if (index === -1 || hours > 23 || minutes > 59 || seconds > 60) return undefined
  return Date.UTC(Number(year), index, Number(day), hours, minutes, seconds)
}
