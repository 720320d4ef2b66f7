import { answerTo, envelopeOf } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import type { Placed } from '#judge/trace-index'
import { errorCodeNames } from '#spec/tables'
import type { ResponseEntry } from '#trace/entry'
import { isObject, type Json, parsed } from '#trace/json'
import { answers } from './envelope.rules.ts'

/** Codes whose HTTP status section 7 leaves open, each with a choice point of its own. */
const open = new Set([
  10001, 10003, 10004, 10005, 10009, 20003, 20004, 20005, 20006, 20007, 20008, 20009, 20010, 20012, 20013, 20014, 30001,
  30004,
])

/** Codes whose HTTP status section 7 states. */
const stated = new Set([10008, 30006, 30007, 30008])

/** Members that are integers in 2.1, 2.5 and 2.11; those of 64 bits may come as strings, and which they are is not said. */
const integers = new Set([
  'disconnected_timeout_seconds',
  'interaction_idle_timeout_seconds',
  'fps',
  'max_output_tokens',
  'silence_duration_ms',
  'max_duration_seconds',
  'size_bytes',
  'media_time_ms',
  'last_sequence',
  'max_idle_ms',
])

/** What the interface leaves open about REST answers, as this target does it. Reported, never judged. */
export const choices: Rule = {
  id: 'errors.choices',
  proves: [],
  judge(trace, report) {
    for (const { record, response } of answers(trace)) {
      seeStatus(response, report)
      seeEnvelope(response, report)
      for (const name of spelledIntegers(response.entry.body)) {
        report.saw('errors.envelope.integers-as-strings', name, response.line)
      }
      const attempt = record.attempts.find((one) => one.response === response)
      if (attempt === undefined) continue
      const answer = answerTo(attempt)
      if (answer.kind !== 'failure') continue
      if (errorCodeNames(answer.code).length === 0)
        report.saw('errors.code.unlisted', String(answer.code), response.line)
      const repeats = errorCodeNames(answer.code).some((name) => answer.message.includes(name.slice(6)))
      if (attempt.request.entry.text !== undefined && parsed(attempt.request.entry.text) === undefined) {
        report.saw('errors.code.malformed-json', String(answer.code), response.line)
      }
      report.saw('errors.code.message-text', repeats ? 'repeats the name' : 'says something else', response.line)
    }
  },
}

function seeStatus(response: Placed<ResponseEntry>, report: Report): void {
  const envelope = envelopeOf(response.entry.body)
  if (envelope === undefined) return
  const status = String(response.entry.status)
  if (envelope.code === 0) report.saw('errors.status.success', status, response.line)
  else if (stated.has(envelope.code)) return
  else if (open.has(envelope.code)) report.saw(`errors.status.code-${envelope.code}`, status, response.line)
  else report.saw('errors.status.others', `${envelope.code}: ${status}`, response.line)
}

function seeEnvelope(response: Placed<ResponseEntry>, report: Report): void {
  const { body, headers } = response.entry
  const type = headers['content-type']
  report.saw('errors.envelope.content-type', type ?? 'none', response.line)
  const envelope = envelopeOf(body)
  if (envelope === undefined || !isObject(body)) return
  for (const name of Object.keys(body)) {
    if (!['code', 'message', 'data'].includes(name))
      report.saw('errors.envelope.extra-members', name.slice(0, 60), response.line)
  }
  if (envelope.code === 0)
    report.saw('errors.envelope.message-on-success', envelope.message.slice(0, 60), response.line)
  else report.saw('errors.envelope.data-on-failure', kind(envelope.data), response.line)
}

function kind(value: Json | undefined): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (isObject(value)) return Object.keys(value).length === 0 ? 'an empty object' : 'an object'
  return `a ${typeof value}`
}

function spelledIntegers(value: Json | undefined, into: string[] = []): readonly string[] {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) spelledIntegers(item, into)
  else if (isObject(value)) {
    for (const name in value) {
      const inside = value[name]
      if (integers.has(name) && typeof inside === 'string' && /^-?\d+$/.test(inside)) into.push(name)
      else if (typeof inside === 'object') spelledIntegers(inside, into)
    }
  }
  return into
}
