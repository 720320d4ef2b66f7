import { decoded } from '#trace/decoded'
import { readOnce } from '#judge/read-once'
import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import { isLasting } from '#judge/transport'
import type { Attempt, ExchangeRecord, Placed, TraceIndex } from '#judge/trace-index'
import type { ResponseEntry } from '#trace/entry'
import type { RequirementId } from '#spec/register'
import { isObject, type Json, type JsonObject, own } from '#trace/json'
import { isTargets, lastingFaults } from './origin.ts'

const rows = {
  object: 'errors.envelope.json-object',
  code: 'errors.envelope.code-integer',
  message: 'errors.envelope.message-string',
  data: 'errors.envelope.data-on-success',
  wrapped: 'errors.envelope.failures-wrapped',
  described: 'errors.envelope.message-describes-failure',
  english: 'errors.envelope.message-english',
} as const satisfies { readonly [name: string]: RequirementId }

/** "Every REST response is wrapped as {code, message, data}" (Conventions), judged on every answer of the 18 operations. */
export const envelope: Rule = {
  id: 'errors.envelope',
  proves: Object.values(rows),
  judge(trace, report) {
    for (const { record, response } of answers(trace)) judgeAnswer(record, response, report)
    for (const fault of lastingFaults(trace)) blame(fault, report)
  },
}

interface Answered {
  readonly record: ExchangeRecord
  readonly response: Placed<ResponseEntry>
}

/** Every response of the target to a request of the interface, and what always came in the place of one. */
export const answers = readOnce((trace: TraceIndex): readonly Answered[] =>
  [...trace.exchanges.values()].flatMap((record) => {
    if (record.operation === null) return []
    return record.attempts.flatMap((attempt) => {
      const { response } = attempt
      if (response === undefined) return []
      return isTargets(response.entry) || isLasting(trace, attempt) ? [{ record, response }] : []
    })
  }),
)

function judgeAnswer(record: ExchangeRecord, response: Placed<ResponseEntry>, report: Report): void {
  const { body, problem } = response.entry
  // How deep a field may nest is not said, and we read no deeper.
  if (problem === 'too-deep') return
  const say = (requirement: RequirementId, good: boolean, expected: string, got: () => string): void => {
    if (good) report.held(requirement, response.line)
    else
      report.broken(requirement, { expected, got: got(), lines: linesOf(record, response), scenario: record.scenario })
  }
  say(rows.object, isObject(body), 'a JSON object', () => shape(response.entry))
  if (!isObject(body)) return
  const [code, message] = [own(body, 'code'), own(body, 'message')]
  const failed = code !== 0 && (code !== undefined || response.entry.status >= 400)
  const wrapped = Number.isInteger(code) && typeof message === 'string'
  if (failed) say(rows.wrapped, wrapped, 'an integer code and a string message', () => show(outline(body)))
  say(rows.code, Number.isInteger(code), 'an integer `code`', () => show(code))
  say(rows.message, typeof message === 'string', 'a string `message`', () => show(message))
  if (code === 0) say(rows.data, Object.hasOwn(body, 'data'), '`data` beside code 0', () => show(Object.keys(body)))
  if (typeof message !== 'string') return
  const said = (): string => show(message)
  if (failed) say(rows.described, describesFailure(message), 'a description of the failure', said)
  const ownWords = withoutQuotes(message, record)
  if (/\p{L}/u.test(ownWords)) say(rows.english, mostlyLatin(ownWords), 'an English message', said)
}

/** Words, and others than those of a success. */
function describesFailure(message: string): boolean {
  return /\p{L}/u.test(message) && !/^\W*(?:ok|okay|success|succeeded|successful)\W*$/i.test(message)
}

function blame(fault: Attempt, report: Report): void {
  const got = fault.response === undefined ? 'nothing' : shape(fault.response.entry)
  const lines = [fault.request.line, fault.response?.line ?? fault.request.line]
  const breach = { expected: 'an envelope with a non-zero code', got, lines, scenario: fault.request.entry.scenario }
  report.broken(rows.wrapped, breach)
}

/** A letter of another script than ours. */
const foreign = /[^\p{Script=Latin}\P{L}]/u

/** What stands in quotation marks was said by somebody else: it may have been stored long ago. */
const quotes = /"[^"]*"|“[^”]*”|«[^»]*»|「[^」]*」|『[^』]*』/gu

/** A message may repeat what was sent, in whatever language that was. */
function withoutQuotes(message: string, record: ExchangeRecord): string {
  if (!foreign.test(message)) return message
  const { body, text, path } = record.attempts.at(-1)?.request.entry ?? {}
  const sent = [...textsIn(body), ...(text === undefined ? [] : [text]), ...(path ?? '').split(/[/?&=]/).map(decoded)]
  const rest = sent.filter((one) => foreign.test(one)).reduce((left, one) => left.replaceAll(one, ''), message)
  return rest.replaceAll(quotes, '')
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsIn)
  return isObject(value) ? Object.entries(value).flatMap(([name, inside]) => [name, ...textsIn(inside)]) : []
}

function mostlyLatin(text: string): boolean {
  if (!foreign.test(text)) return true
  const letters = text.match(/\p{L}/gu) ?? []
  return letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length * 2 >= letters.length
}

function shape(response: ResponseEntry): string {
  if (response.body !== undefined) return Array.isArray(response.body) ? 'a JSON array' : show(response.body)
  return `HTTP ${response.status} with ${response.problem ?? 'no body'}: ${show(response.text ?? '')}`
}

/** Names and types only: data may be long. */
function outline(body: JsonObject): Json {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, name === 'data' ? '…' : value]))
}

function linesOf(record: ExchangeRecord, response: Placed<ResponseEntry>): number[] {
  const attempt = record.attempts.find((one) => one.response === response)
  return [attempt?.request.line ?? response.line, response.line]
}
