const dateTime =
  /^(?<date>\d{4}-\d\d-\d\d)[Tt](?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(\.\d+)?([Zz]|(?<sign>[+-])(?<offsetHour>\d\d):(?<offsetMinute>\d\d))$/
const uri = /^[a-z][a-z0-9+.-]*:([\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})+$/i

/** The formats that our schemas use, by name. Stricter than the usual libraries where those accept what the RFCs forbid. */
export const formats = {
  date: isDate,
  'date-time': isDateTime,
  uri: isUri,
} as const

/** A day of the calendar, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** An RFC 3339 timestamp. A second of 60 is taken only where a leap second can be: at the end of a day in UTC. */
export function isDateTime(text: string): boolean {
  const part = dateTime.exec(text)?.groups
  if (part === undefined || !isDate(part['date'] ?? '')) return false
  const [hour, minute, second] = [Number(part['hour']), Number(part['minute']), Number(part['second'])]
  const [offsetHour, offsetMinute] = [Number(part['offsetHour'] ?? 0), Number(part['offsetMinute'] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  const offset = (part['sign'] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  return second < 60 || (hour * 60 + minute - offset + 2880) % 1440 === 1439
}

/** An absolute URI of RFC 3986; one with an authority must also be a URL. */
export function isUri(text: string): boolean {
  return uri.test(text) && (!/^[^:]+:\/\//.test(text) || URL.canParse(text))
}
