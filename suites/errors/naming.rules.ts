import { createdSession } from '#judge/answers'
import { readOnce } from '#judge/read-once'
import type { Report, Rule } from '#judge/rule'
import { isRecording } from '#judge/recordings'
import type { ExchangeRecord, TraceIndex } from '#judge/trace-index'
import { at, isObject, type Json, type JsonObject } from '#trace/json'
import { answers } from './envelope.rules.ts'

const snakeCase = 'errors.envelope.snake-case-names'
const snakeCaseOfEvents = 'errors.channel.snake-case-names'

/** Members whose inside belongs to the caller or to a provider: tool schemas, extensions, metadata. */
const freeForm = new Set(['parameters', 'payload', 'metadata', 'status_details'])

/** Members that show what a client brought, maybe long ago: "same structure as the request" (2.1), stored (2.7), items (2.9). */
const brought = new Set(['avatars', 'conversation', 'pipeline_config', 'assets', 'item', 'output'])

/** Words that the interface writes with an underscore, in the other spellings that a serialiser may give them. */
const known = [
  'session_id',
  'client_secret',
  'expires_at',
  'auto_close',
  'disconnected_timeout_seconds',
  'interaction_idle_timeout_seconds',
  'active_avatar_id',
  'source_image_id',
  'aspect_ratio',
  'speech_text',
  'visual_prompts',
  'asset_id',
  'avatar_id',
  'sdk_app_id',
  'room_id',
  'user_id',
  'user_sig',
  'publisher_user_id',
  'app_id',
  'channel_name',
  'provider_voice_id',
  'source_images',
  'media_type',
  'default_source_image_id',
  'mime_type',
  'response_defaults',
  'max_output_tokens',
  'turn_detection',
  'silence_duration_ms',
  'input_audio_transcription',
  'created_at',
  'updated_at',
  'character_id',
  'pipeline_config',
  'max_duration_seconds',
  'next_page_token',
  'voice_id',
  'file_id',
  'file_type',
  'size_bytes',
  'live_input',
  'media_status',
  'media_time_ms',
  'last_sequence',
  'generated_video_ms',
  'generated_audio_ms',
  'rtc_a',
  'rtc_b',
  'event_id',
  'request_event_id',
  'media_transport',
  'item_id',
  'previous_item_id',
  'call_id',
  'image_url',
  'response_id',
  'output_index',
  'content_index',
  'audio_start_ms',
  'audio_end_ms',
  'status_details',
]
const otherSpellings = new Map(
  known.flatMap((name) => [
    [camel(name), name],
    [pascal(name), name],
    [name.replaceAll('_', '-'), name],
    [name.toUpperCase(), name],
  ]),
)

/** "JSON field names use snake_case" (Conventions). A name is judged where it is a word of the interface, or plainly camel case. */
export const naming: Rule = {
  id: 'errors.naming',
  proves: [snakeCase],
  judge(trace, report) {
    const sent = namesSent(trace)
    for (const { record, response } of answers(trace)) {
      const { body } = response.entry
      if (!isObject(body)) continue
      const strict = record.operation === 'create-avatar-session'
      const wrong = misspelt(body, { strict, sent, skipsBrought: isRecording(trace) && !(strict && isFirst(record)) })
      if (wrong === undefined) report.held(snakeCase, response.line)
      else {
        const expected = otherSpellings.get(wrong) ?? 'a name in snake_case'
        report.broken(snakeCase, { expected, got: wrong, lines: [response.line], scenario: record.scenario })
      }
    }
  },
}

/** The same of the messages of the service on a control channel, where a name is judged if it is a word of the interface. */
export const namingOfEvents: Rule = {
  id: 'errors.naming-of-events',
  proves: [snakeCaseOfEvents],
  judge(trace, report) {
    const look: Look = { strict: false, sent: namesSent(trace), skipsBrought: isRecording(trace) }
    for (const { direction, data, line, scenario } of trace.frames.values()) {
      if (direction === 'sent' || !isObject(data)) continue
      const wrong = misspelt(data, look)
      if (wrong === undefined) report.held(snakeCaseOfEvents, line)
      else {
        const expected = otherSpellings.get(wrong) ?? 'a name in snake_case'
        report.broken(snakeCaseOfEvents, { expected, got: wrong, lines: [line], scenario })
      }
    }
  },
}

/** How names are looked at. */
interface Look {
  /** Whether any name in camel case is wrong, not the words of the interface alone. */
  readonly strict: boolean
  /** Names that clients sent: these may come back. */
  readonly sent: ReadonlySet<string>
  /** Whether it is left out what a client may have brought before the trace began. */
  readonly skipsBrought: boolean
}

function misspelt(value: Json | undefined, look: Look): string | undefined {
  if (Array.isArray(value)) return first(value as readonly Json[], (item) => misspelt(item, look))
  if (!isObject(value)) return undefined
  for (const name in value) {
    if (isMisspelt(name, look.strict) && !look.sent.has(name)) return name
    const inside = value[name]
    const free = freeForm.has(name) || (look.skipsBrought && brought.has(name))
    const found = typeof inside === 'object' && !free ? misspelt(inside, look) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function isMisspelt(name: string, strict: boolean): boolean {
  return otherSpellings.has(name) || (strict && /^[A-Za-z][a-z0-9]*([A-Z][a-z0-9]*)+$/.test(name))
}

/** Whether a create shows what it brought itself: with an idempotency key it may show what an earlier one did. */
function isFirst({ attempts }: ExchangeRecord): boolean {
  return (at(attempts[0]?.request.entry.body, '/idempotency_key') ?? '') === ''
}

/** Misspelt names in what was sent, REST and control channel. A service may keep and show fields that it does not know. */
const namesSent = readOnce((trace: TraceIndex): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const { attempts } of trace.exchanges.values()) collect(attempts[0]?.request.entry.body, names)
  for (const { direction, data } of trace.frames.values()) if (direction === 'sent') collect(data, names)
  return names
})

function collect(value: Json | undefined, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) collect(item, names)
  if (!isObject(value)) return
  for (const name in value) {
    if (isMisspelt(name, true)) names.add(name)
    if (!freeForm.has(name)) collect(value[name], names)
  }
}

function first<T, R>(items: readonly T[], look: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = look(item)
    if (found !== undefined) return found
  }
  return undefined
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function pascal(name: string): string {
  return camel(`_${name}`)
}

const insideId = 'errors.envelope.fields-inside-data'
const zeroId = 'errors.envelope.code-zero-on-success'
const resultFields = ['session_id', 'control', 'session', 'avatars', 'conversation', 'auto_close', 'delivery']

/** "Field descriptions refer to fields inside `data`"; "`code` = 0 means success" (Conventions), seen on creates. */
export const results: Rule = {
  id: 'errors.results',
  proves: [insideId, zeroId],
  judge(trace, report) {
    const ours = new Set([...trace.exchanges.values()].map(createdSession).filter((id) => id !== undefined))
    for (const { record, response } of answers(trace)) {
      const { body } = response.entry
      if (!isObject(body)) continue
      if (record.operation === 'list-avatar-sessions') judgeList(ours, body, response.line, report)
      if (record.operation !== 'create-avatar-session') continue
      const data = Object.hasOwn(body, 'data') && isObject(body['data']) ? body['data'] : {}
      const lines = [response.line]
      const strayed = failed(body)
        ? []
        : resultFields.filter((name) => Object.hasOwn(body, name) && !Object.hasOwn(data, name))
      if (strayed.length > 0) {
        report.broken(insideId, {
          expected: 'fields of the result inside `data`',
          got: `${strayed.join(', ')} beside it`,
          lines,
          scenario: record.scenario,
        })
      } else if (made(data)) report.held(insideId, ...lines)
      if (!made(data)) continue
      if (body['code'] === 0) report.held(zeroId, ...lines)
      else
        report.broken(zeroId, {
          expected: 'code 0 with a session',
          got: `code ${JSON.stringify(body['code'])}`,
          lines,
          scenario: record.scenario,
        })
    }
  },
}

/** A list that shows a session of ours was carried out, whatever code it bears. */
function judgeList(ours: ReadonlySet<unknown>, body: JsonObject, line: number, report: Report): void {
  if (!shows(ours, body['data'], '')) return
  if (body['code'] === 0) report.held(zeroId, line)
  else
    report.broken(zeroId, {
      expected: 'code 0 with a list',
      got: `code ${JSON.stringify(body['code'])}`,
      lines: [line],
    })
}

/** An id of ours, in a list or under the name of an id: a count may be spelt like one. */
function shows(ours: ReadonlySet<unknown>, value: Json | undefined, name: string): boolean {
  if (Array.isArray(value)) return value.some((one: Json) => shows(ours, one, 'id'))
  if (!isObject(value)) return /id$/i.test(name) && ours.has(value)
  return Object.entries(value).some(([inside, one]) => shows(ours, one, inside))
}

/** A failure has no result: what stands beside its data are fields that we do not know (9.3). */
function failed({ code }: JsonObject): boolean {
  return typeof code === 'number' && code !== 0
}

function made(data: JsonObject): boolean {
  return typeof data['session_id'] === 'string' && data['session_id'] !== '' && isObject(data['control'])
}
