import type { Operand, Pattern, Point, Test } from '#trace/claim'
import { isObject, type Json, textAt } from '#trace/json'
import type { TraceIndex } from './trace-index.ts'

const longest = 300

/** A JSON value in words that fit a line. */
export function show(value: Json | undefined): string {
  return cut(value === undefined ? 'nothing' : JSON.stringify(value))
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

export function showPattern(pattern: Pattern): string {
  const tests = Object.entries(pattern.where ?? {}).map(([pointer, wanted]) => `${pointer} ${showTest(wanted)}`)
  return `${pattern.type ?? 'an event'}${tests.length === 0 ? '' : ` whose ${cut(tests.join(', and whose '))}`}`
}

/** What is asked of a value, as `src/trace/match.ts` tests it. */
function showTest(wanted: Json | Test): string {
  if (!isObject(wanted) || !Object.keys(wanted).some((name) => name.startsWith('$')))
    return `is ${show(wanted as Json)}`
  const { $in, $absent, $not, $present } = wanted as Test
  const values = $in === undefined ? [] : [$in.length === 1 ? show($in[0]) : `one of ${$in.map(show).join(', ')}`]
  const allowed = [...values, ...($absent === true ? ['missing'] : [])]
  const asked = [
    ...(allowed.length === 0 ? [] : [`is ${allowed.join(' or ')}`]),
    ...($not === undefined ? [] : [`is not ${show($not)}`]),
    ...($present === true ? ['is there'] : []),
  ]
  return asked.join(' and ')
}

export function showPatterns(patterns: readonly Pattern[]): string {
  return patterns.map(showPattern).join(' or ')
}

/** A moment in words, by what was asked and said there rather than by a number. */
export function showPoint(trace: TraceIndex, point: Point): string {
  const plus = point.plus_ms === undefined ? '' : ` + ${point.plus_ms} ms`
  if ('exchange' in point) {
    const asked = nameOfExchange(trace, point.exchange)
    return `${point.edge === 'answered' ? `the answer to ${asked}` : asked}${plus}`
  }
  if ('frame' in point) return `${nameOfFrame(trace, point.frame)}${plus}`
  if ('mark' in point) return `mark ${point.mark}${plus}`
  if ('event' in point) return `${showPattern(point.event.match)}${plus}`
  return `channel ${point.channel} ${point.edge}${plus}`
}

/** The time between two moments, in words. */
export function showSpan(trace: TraceIndex, from: Point, until: Point): string {
  const [start, end] = [showPoint(trace, from), showPoint(trace, until)]
  return `between ${start} and ${end === start ? end.replace(/^our /, 'our next ') : end}`
}

/** Where a value stands, in words; undefined for one that the claim itself gives. */
export function showPlace(trace: TraceIndex, operand: Operand): string | undefined {
  if ('exchange' in operand) return `${partOf(operand)} ${nameOfExchange(trace, operand.exchange)}`
  if ('channel' in operand) return `the state of the session by channel ${operand.channel}, opened with its secret`
  if ('event' in operand) return `${operand.path} of ${operand.event.match.type ?? 'an event'}`
  return 'sent' in operand ? `${operand.path} of ${nameOfFrame(trace, operand.sent)}` : undefined
}

function partOf({ part = 'body', path }: Extract<Operand, { exchange: number }>): string {
  if (part === 'status') return 'the HTTP status of the answer to'
  if (part === 'state') return 'the state of the session in the answer to'
  const what = part === 'headers' ? `the header ${path.slice(1)}` : path === '' ? 'all' : path
  return part === 'request' ? `${what} as sent by` : `${what} of the answer to`
}

function nameOfExchange(trace: TraceIndex, exchange: number): string {
  const operation = trace.asked.get(exchange)?.operation ?? 'a request'
  return `${operation} (exchange ${exchange})`
}

function nameOfFrame(trace: TraceIndex, number: number): string {
  const frame = trace.frames.get(number)
  const type = textAt(frame?.data, '/type') ?? 'what is no event'
  return frame?.direction === 'sent' ? `our ${type}` : frame === undefined ? 'an event that was to be sent' : type
}
