import { isObject, type Json, type JsonObject } from '#trace/json'
import { without } from '../../suites/characters/bodies.ts'
import { TraceBuilder } from './trace-builder.ts'

type Change = (data: JsonObject) => JsonObject
const asIs: Change = (data) => data
const start = Date.parse('2026-01-15T12:00:00Z')

/** A conversation about characters with a target that does everything right, but for what a test changes. */
export class CharacterStory {
  readonly trace = new TraceBuilder()
  readonly #stored = new Map<string, JsonObject>()
  #seconds = 0
  #sessions = 0
  #key = 'primary'

  /** Lets seconds pass, for the target as well. */
  pass(seconds: number): this {
    this.#seconds += seconds
    this.trace.pass(seconds * 1_000)
    return this
  }

  /** All that follows is asked with this key. */
  by(key: string): this {
    this.#key = key
    return this
  }

  create(id: string, body: JsonObject, change = asIs, key?: string): this {
    const now = this.#now()
    const data = {
      character_id: id,
      ...without(body, 'idempotency_key', 'character_id'),
      created_at: now,
      updated_at: now,
    }
    this.#stored.set(id, data)
    return this.#tell('create-character', change(data), { sent: body, key })
  }

  replace(id: string, body: JsonObject, change = asIs): this {
    const { created_at = '' } = this.#stored.get(id) ?? {}
    const kept = without(body, 'idempotency_key', 'character_id')
    const data = { character_id: id, ...kept, created_at, updated_at: this.#now() }
    this.#stored.set(id, data)
    return this.#tell('replace-character', change(data), { sent: body, path: pathOf(id) })
  }

  get(id: string, change = asIs): this {
    return this.#tell('get-character', change(this.#stored.get(id) ?? {}), { path: pathOf(id) })
  }

  remove(id: string): this {
    this.#stored.delete(id)
    return this.#tell('delete-character', { character_id: id, status: 'deleted' }, { path: pathOf(id) })
  }

  /** Any answer about a character, of which the story remembers nothing. */
  answer(operation: string, id: string, data: JsonObject, sent: JsonObject = {}): this {
    return this.#tell(operation, data, { sent, path: pathOf(id) })
  }

  /** An answer with a code in the place of whatever was asked. */
  refuse(operation: string, code: number, where: { id?: string; sent?: JsonObject; status?: number } = {}): this {
    const { id = '', sent = {}, status = 400 } = where
    this.trace.rest(operation, { status, body: { code, message: 'no' } }, sent, this.#key, pathOf(id))
    return this
  }

  /** A page with these characters. */
  list(ids: readonly string[], next_page_token: string, query = '', change = asIs, key?: string): this {
    const items = ids.map((id) => summaryOf(this.#stored.get(id) ?? foreignCharacter(id)))
    return this.#tell('list-characters', change({ items, next_page_token }), { path: `/v1/characters${query}`, key })
  }

  /** A session that has the stored configuration, merged with what is sent. */
  start(id: string, sent: JsonObject = {}, change = asIs): this {
    const stored = this.#stored.get(id) ?? {}
    this.#sessions += 1
    const data = sessionOf(stored, sent, `s${this.#sessions}`)
    return this.#tell('create-session-from-character', change(data), { sent: { character_id: id, ...sent } })
  }

  #tell(operation: string, data: Json, how: { sent?: Json; path?: string; key?: string | undefined }): this {
    const { sent = {}, path = '/', key = this.#key } = how
    const date = new Date(start + this.#seconds * 1_000).toUTCString()
    this.trace.rest(operation, { body: { code: 0, message: 'ok', data }, headers: { date } }, sent, key, path)
    return this
  }

  #now(): string {
    return `${new Date(start + this.#seconds * 1_000).toISOString().slice(0, 19)}Z`
  }
}

/** A character of somebody else. */
function foreignCharacter(character_id: string): JsonObject {
  const created_at = '2026-01-15T12:00:03Z'
  return { character_id, name: 'somebody else', model: 'svc-a1-stream', created_at, updated_at: created_at }
}

function pathOf(id: string): string {
  return `/v1/characters/${id}`
}

function summaryOf(data: JsonObject): JsonObject {
  const { character_id = '', name = '', model = '', created_at = '', updated_at = '', output } = data
  const resolution = isObject(output) ? { resolution: output['resolution'] ?? '' } : {}
  return { character_id, name, model, created_at, updated_at, ...resolution }
}

const details = {
  rtc_a: { sdk_app_id: 'a', room_id: 'r', user_id: 'u', user_sig: 's', publisher_user_id: 'p' },
  rtc_b: { app_id: 'a', channel_name: 'c', token: 't', user_id: 'u', publisher_user_id: 'p' },
} as const

function sessionOf(stored: JsonObject, sent: JsonObject, session_id: string): JsonObject {
  const session = objectAt(stored, 'session')
  const avatars = (stored['avatars'] ?? []) as readonly JsonObject[]
  const video = session['mode'] !== 'text_chat'
  const delivery = { ...objectAt(stored, 'delivery'), ...objectAt(sent, 'delivery') }
  const named = objectAt(delivery, 'media')['transport'] === 'rtc_b' ? 'rtc_b' : 'rtc_a'
  const active = session['active_avatar_id'] ?? avatars[0]?.['avatar_id'] ?? ''
  const visual = objectAt(avatars.find((one) => one['avatar_id'] === active) ?? {}, 'visual')
  const image = { source_image_id: session['source_image_id'] ?? visual['default_source_image_id'] ?? '' }
  const output = { ...objectAt(stored, 'output'), ...objectAt(sent, 'output'), fps: 24 }
  const none = { disconnected_timeout_seconds: 120, interaction_idle_timeout_seconds: 0 }
  return {
    session_id,
    status: 'active',
    region: '',
    model: sent['model'] ?? stored['model'] ?? '',
    auto_close: { ...none, ...objectAt(stored, 'auto_close') },
    session: { mode: video ? 'video_avatar' : 'text_chat', active_avatar_id: active, ...(video ? image : {}) },
    control: {
      url: `wss://target.example/v1/realtime-avatar/control?session_id=${session_id}`,
      client_secret: `secret ${session_id}`,
    },
    conversation: objectAt(stored, 'conversation'),
    avatars,
    ...(video ? { output, delivery: { media: { transport: named, [named]: details[named] } } } : {}),
  }
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const member = value[name]
  return isObject(member) ? member : {}
}
