import { answerOf } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { TraceIndex } from '#judge/trace-index'
import type { ChoiceId } from '#spec/register'
import { at, isObject, type Json, type JsonObject, stringAt } from '#trace/json'
import { probes } from './probes.ts'
import { sentAt } from './expiry.rules.ts'

import { type Creation, plainCreations } from './creations.ts'

/** What the interface leaves open about creates, as this target does it. Reported, never judged. */
export const createChoices: Rule = {
  id: 'avatar-sessions.create-choices',
  proves: [],
  judge(trace, report) {
    for (const creation of plainCreations(trace)) seeCreation(creation, trace, report)
    for (const record of trace.exchanges.values()) {
      const body = record.attempts.at(-1)?.request.entry.body
      if (record.operation === 'create-avatar-session' && isObject(body)) seeProbe(body, answerOf(record), report)
    }
  },
}

function seeCreation(creation: Creation, trace: TraceIndex, report: Report): void {
  const { body, data, line, record } = creation
  const saw = (choice: ChoiceId, what: Json | undefined): void => report.saw(choice, short(what), line)
  saw('avatar-sessions.create.initial-status', data['status'])
  saw('avatar-sessions.create.expires-at-returned', data['expires_at'] === undefined ? 'omitted' : 'returned')
  saw('avatar-sessions.create.http-status', record.attempts.at(-1)?.response?.entry.status)
  if (body['region'] === undefined) saw('avatar-sessions.create.region-without-hint', data['region'])
  if (body['assets'] === undefined) {
    saw('avatar-sessions.assets.returned-when-none-sent', data['assets'] === undefined ? 'omitted' : 'returned')
  }
  if (body['pipeline_config'] !== undefined) {
    saw('avatar-sessions.pipeline.returned', data['pipeline_config'] === undefined ? 'not shown' : 'shown')
  }
  seeDefaults(creation, trace, report)
}

function seeDefaults(creation: Creation, trace: TraceIndex, report: Report): void {
  const { body, data, line } = creation
  const timeout = '/auto_close/disconnected_timeout_seconds'
  if (at(body, timeout) === undefined) {
    const what = short(at(data, timeout))
    report.saw('avatar-sessions.create.disconnected-timeout-default', what, line)
    report.saw('limits.disconnected-timeout.platform-setting', what, line)
  }
  const expires = Date.parse(stringAt(data, '/expires_at') ?? '')
  const sent = sentAt(creation, trace)
  if (body['max_duration_seconds'] !== undefined || Number.isNaN(expires) || sent === undefined) return
  const about = `about ${Math.round((expires - sent) / 10_000) * 10} s`
  report.saw('avatar-sessions.create.max-duration-default', about, line)
  report.saw('limits.max-duration.default', about, line)
}

/** Codes of load, quota and keys say nothing about the body. */
const aside = new Set([10001, 10003, 10004, 10005, 10008, 10009, 30006, 30008])

function seeProbe(body: JsonObject, answer: ReturnType<typeof answerOf>, report: Report): void {
  if (answer.kind !== 'success' && (answer.kind !== 'failure' || aside.has(answer.code))) return
  const asked = probes.flatMap(({ choice, seen }) => {
    const what = seen(body)
    return what === undefined ? [] : [{ choice, what }]
  })
  // What a refusal of several is for is not told.
  if (answer.kind === 'failure' && asked.length > 1) return
  const received = answer.kind === 'success' ? 'accepted' : `refused with ${answer.code}`
  for (const { choice, what } of asked) {
    report.saw(choice, what === '' ? received : `${what}: ${received}`, answer.line)
  }
}

function short(value: Json | undefined): string {
  return typeof value === 'string' ? value.slice(0, 60) : show(value).slice(0, 60)
}
