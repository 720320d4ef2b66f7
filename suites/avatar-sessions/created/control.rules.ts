import type { Report, Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { at, isObject, stringAt } from '#trace/json'

import { type Creation, plainCreations } from './creations.ts'
import { namesSession } from './session-parameter.ts'

const absolute: RequirementId = 'avatar-sessions.control.url-absolute-wss'
const path = '/v1/realtime-avatar/control'

/** `control.url`: "Absolute WSS URL, path `/v1/realtime-avatar/control`, carries a `session_id` query parameter" (2.1). */
export const controlUrl: Rule = {
  id: 'avatar-sessions.control-url',
  proves: [
    absolute,
    'avatar-sessions.control.url-path',
    'avatar-sessions.control.url-session-id-parameter',
    'avatar-sessions.control.url-session-id-value',
    'avatar-sessions.control.url-without-token',
  ],
  judge(trace, report) {
    for (const creation of plainCreations(trace)) judgeUrl(creation, trace, report)
  },
}

/** A URL that cannot be read has one fault, not five. */
function judgeUrl(creation: Creation, trace: TraceIndex, report: Report): void {
  const { data, line, lines, record } = creation
  const text = stringAt(data, '/control/url')
  const url = text === undefined ? null : URL.parse(text)
  if (text === undefined) return
  const say = (row: RequirementId, holds: boolean, expected: string, got: string): void => {
    if (holds) report.held(row, line)
    else report.broken(row, { expected, got, lines, scenario: record.scenario })
  }
  if (url?.protocol === 'ws:' && isPlainLoopback(trace)) {
    report.unobserved(absolute, 'model_choice', 'the target is reached without TLS', line)
  } else say(absolute, url?.protocol === 'wss:', 'an absolute wss: URL', text)
  if (url === null) return
  const onPath = [path, prefixOf(trace) + path].includes(url.pathname)
  say('avatar-sessions.control.url-path', onPath, `the path ${path}`, url.pathname)
  const id = url.searchParams.get('session_id')
  const parameter = 'avatar-sessions.control.url-session-id-parameter'
  say(parameter, id !== null && id !== '', 'a session_id parameter', url.search)
  const wanted = stringAt(data, '/session_id') ?? ''
  if (id !== null && id !== '' && wanted !== '') {
    say('avatar-sessions.control.url-session-id-value', namesSession(url, wanted), wanted, id)
  }
  say('avatar-sessions.control.url-without-token', !revealing(url, text, creation), 'no credential in the URL', text)
}

function revealing(url: URL, text: string, { data }: Creation): boolean {
  const secret = stringAt(data, '/control/client_secret') ?? ''
  if (url.searchParams.has('token')) return true
  return secret !== '' && (text.includes(secret) || text.includes(encodeURIComponent(secret.toWellFormed())))
}

/** A profile may allow a target on a loopback address without TLS. */
function isPlainLoopback({ header }: TraceIndex): boolean {
  return baseOf(header?.profile)?.protocol === 'http:'
}

/** Where the target stands behind a path of its own, so may its control URLs. */
function prefixOf({ header }: TraceIndex): string {
  return (baseOf(header?.profile)?.pathname ?? '').replace(/\/+$/, '')
}

function baseOf(profile: unknown): URL | undefined {
  const text = isObject(profile) ? at(profile, '/base_url') : undefined
  return typeof text === 'string' ? (URL.parse(text) ?? undefined) : undefined
}
