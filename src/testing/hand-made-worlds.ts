import { TraceBuilder } from './trace-builder.ts'
import type { Json, JsonObject } from '#trace/json'
import { world as minimal } from '#scenario/author/bodies'
import { merged } from '../../suites/world-sessions/bodies.ts'

/** What a service may answer about world sessions, for tests of the rules. */
export const capabilities: JsonObject = {
  event_content_types: ['input_text', 'input_reference'],
  reference_content_types: ['input_text', 'input_image', 'input_audio'],
  event_handling: ['steer'],
  live_audio: { supported: true, interpretation: 'transcription' },
  runtime_references: false,
  event_cancel: true,
  continuation: { hold: true, resume: true, automatic: true },
  reconnect: { snapshot: true, event_replay: false },
  limits: { max_event_bytes: 65536, max_references: 8, max_reference_images: 8 },
}

const expires_at = '2026-01-15T12:05:00Z'

function descriptor(kind: 'control' | 'media', secret: string, id: string): JsonObject {
  const host = kind === 'control' ? 'wss://svc.example/v1/streaming-world/control' : 'wss://media.example/join'
  return { url: `${host}?session_id=${id}`, client_secret: `[client_secret ${kind} ${secret}]`, expires_at }
}

/** The session object that a create with `asked` beyond the minimal body returns. */
export function session(id: string, asked: JsonObject = {}): JsonObject {
  const whole: JsonObject = {
    session_id: id,
    status: 'active',
    model: 'svc-w1-stream',
    control: descriptor('control', id, id),
    media: descriptor('media', id, id),
    output: { aspect_ratio: '16:9', resolution: '720p', fps: 24, captions: false },
    live_input: { audio: { enabled: false } },
    continuation: { start_mode: 'manual', max_idle_ms: 60_000 },
    references: [],
    runtime: { media_status: 'held', media_time_ms: 0, applied_world_event_id: null, pending_world_event_id: null },
    capabilities,
    metadata: {},
    created_at: '2026-01-15T12:00:00Z',
    expires_at: '2026-01-15T12:10:00Z',
  }
  const { references = [], idempotency_key: _, max_session_duration_seconds: __, ...rest } = asked
  const names = (references as readonly JsonObject[]).map(({ name }) => ({ name: name ?? null }))
  return merged(merged(whole, rest), { references: names })
}

/** The same as Get Session shows it. */
export function snapshot(made: JsonObject): JsonObject {
  const bare = (kind: 'control' | 'media') => {
    const { client_secret: _, ...shown } = made[kind] as JsonObject
    return shown
  }
  const usage = { generated_video_ms: 0, generated_audio_ms: 0 }
  return { ...made, control: bare('control'), media: bare('media'), last_sequence: 3, usage }
}

export function renewed(id: string, nth: number): JsonObject {
  return {
    session_id: id,
    control: descriptor('control', `${id} ${nth}`, id),
    media: descriptor('media', `${id} ${nth}`, id),
  }
}

/** A body that carries much. */
export const lavish: JsonObject = {
  references: [
    { name: 'ship', content: [{ type: 'input_text', text: 'A schooner.' }] },
    { name: 'captain', content: [{ type: 'input_image', url: 'https://cdn.example/captain.png' }] },
  ],
  output: { aspect_ratio: '9:16', resolution: '480p', captions: true },
  live_input: { audio: { enabled: true, transcription: true, language: 'en-US' } },
  continuation: { start_mode: 'manual', max_idle_ms: 30_000 },
  max_session_duration_seconds: 600,
  metadata: { scene: 'one' },
}

function idOf(made: JsonObject): string {
  return typeof made['session_id'] === 'string' ? made['session_id'] : ''
}

/** Changes answers on their way into the trace: `what` is the operation, counted from 1. */
export type Turn = (what: string, data: JsonObject) => Json | number

/** Records a run of world sessions; a number in the place of data is a failure with that code. */
export class Run {
  readonly trace = new TraceBuilder()
  readonly #turn: Turn
  readonly #counts = new Map<string, number>()
  #key = 'primary'

  constructor(turn: Turn = (_, data) => data) {
    this.#turn = turn
  }

  /** All that follows is asked with this key. */
  by(key: string): this {
    this.#key = key
    return this
  }

  call(operation: string, data: JsonObject | number, sent: JsonObject = {}, id = ''): number {
    const count = (this.#counts.get(operation) ?? 0) + 1
    this.#counts.set(operation, count)
    const turned = typeof data === 'number' ? data : this.#turn(`${operation} ${count}`, data)
    const body =
      typeof turned === 'number' ? { code: turned, message: 'no' } : { code: 0, message: 'ok', data: turned as Json }
    const headers = { date: 'Thu, 15 Jan 2026 12:00:01 GMT' }
    return this.trace.rest(operation, { body, headers }, sent, this.#key, `/v1/streaming-world/sessions/${id}/x`)
  }

  create(id: string, asked: JsonObject = {}): JsonObject {
    const made = session(id, asked)
    this.call('create-world-session', made, merged(minimal(), asked))
    return made
  }

  get(made: JsonObject, change: JsonObject = {}): void {
    this.call('get-world-session', merged(snapshot(made), change), {}, idOf(made))
  }
}
