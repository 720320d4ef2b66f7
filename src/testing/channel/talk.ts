import type { JsonObject } from '#trace/json'
import type { Step, Steps } from './steps.ts'

/** What we send, under a tag that is its `event_id` too. */
export function send(tag: string, type: string, fields: JsonObject = {}, channel = 'one'): Step {
  return { what: 'send', channel, tag, event: { type, event_id: tag, ...fields } }
}

/** What comes. */
export function come(tag: string, type: string, fields: JsonObject = {}, channel = 'one'): Step {
  return { what: 'come', channel, tag, event: { type, ...fields } }
}

export const pass = (ms: number): Step => ({ what: 'pass', ms })

/** An applied `session.update`: tags `id`, `id.updated`, `id.done`. */
export function applied(id: string, asked: JsonObject, shown: JsonObject): Steps {
  return [
    send(id, 'session.update', { session: asked }),
    come(`${id}.updated`, 'session.updated', { event_id: id, session: shown }),
    come(`${id}.done`, 'session.update.done', { request_event_id: id, status: 'completed' }),
  ]
}

/** An event that is refused: tags `id`, `id.error`. */
export function refused(id: string, type: string, fields: JsonObject = {}): Steps {
  return [send(id, type, fields), failed(id)]
}

export function failed(id: string): Step {
  const error = { type: 'invalid_request_error', code: 'invalid_event', message: 'No.', event_id: id, param: 'session' }
  return come(`${id}.error`, 'error', { error })
}

export function state(mode: string, active_avatar_id: string, source_image_id: string | null = null): JsonObject {
  return { mode, active_avatar_id, source_image_id }
}

export function message(id: string, role: string, text: string, more: JsonObject = {}): JsonObject {
  const type = role === 'assistant' ? 'text' : 'input_text'
  return { id, type: 'message', role, content: text === '' ? [] : [{ type, text }], ...more }
}

/** An item that is created and confirmed: tags `id.create`, `id.created`. */
export function created(id: string, item: JsonObject, previous: string | null, asked: JsonObject = {}): Steps {
  return [
    send(`${id}.create`, 'conversation.item.create', { item, ...asked }),
    come(`${id}.created`, 'conversation.item.created', {
      previous_item_id: previous,
      item: { status: 'completed', ...item, id },
    }),
  ]
}

/** An item that is retrieved: tags `tag`, `tag.retrieved`. */
export function retrieved(tag: string, item: JsonObject): Steps {
  return [
    send(tag, 'conversation.item.retrieve', { item_id: item['id'] ?? '' }),
    come(`${tag}.retrieved`, 'conversation.item.retrieved', { item }),
  ]
}

export interface Life {
  /** The `response` of the request. */
  readonly asked?: JsonObject
  readonly pieces?: readonly string[]
  /** Ends early after its pieces: no final text. */
  readonly cut?: Steps
  readonly status?: string
  readonly item_status?: string
  /** Announced in the conversation, after this item. */
  readonly previous?: string | null
  readonly video?: boolean
  readonly channel?: string
}

/**
 * A response in one message, from its request to its end. Tags: `id`, `id.created`, `id.item` (announced), `id.started`,
 * `id.delta1` …, `id.text`, `id.item.done`, `id.stopped`, `id.done`.
 */
export function response(id: string, life: Life = {}): Steps {
  const { asked, channel = 'one' } = life
  return [send(id, 'response.create', asked === undefined ? {} : { response: asked }, channel), ...answer(id, life)]
}

/** The same without its request. */
export function answer(id: string, life: Life = {}): Steps {
  const { pieces = ['Hello ', 'there', '.'], cut, previous = null, asked, video = false, channel = 'one' } = life
  const text = pieces.join('')
  const status = life.status ?? (cut === undefined ? 'completed' : 'cancelled')
  const place = { response_id: `r-${id}`, item_id: `m-${id}`, output_index: 0 }
  const ended = message(`m-${id}`, 'assistant', text, {
    status: life.item_status ?? (cut === undefined ? 'completed' : 'incomplete'),
  })
  const item = message(`m-${id}`, 'assistant', '', { status: 'in_progress' })
  const written = asked?.['conversation'] !== 'none'
  const one = (name: string, type: string, fields: JsonObject): Step => come(`${id}.${name}`, type, fields, channel)
  return [
    one('created', 'response.created', { request_event_id: id, response: resource(`r-${id}`, 'in_progress') }),
    ...(written ? [one('item', 'conversation.item.created', { previous_item_id: previous, item })] : []),
    ...(video ? [one('started', 'response.render.started', { response_id: `r-${id}` })] : []),
    ...pieces.map((delta, at) => one(`delta${at + 1}`, 'response.output_text.delta', { ...place, delta })),
    ...(cut ?? [one('text', 'response.output_text.done', { ...place, text })]),
    one('item.done', 'response.output_item.done', { response_id: `r-${id}`, output_index: 0, item: ended }),
    ...(video
      ? [
          one('stopped', 'response.render.stopped', {
            response_id: `r-${id}`,
            status: cut === undefined ? 'completed' : 'interrupted',
          }),
        ]
      : []),
    one('done', 'response.done', { response: resource(`r-${id}`, status, [ended]) }),
  ]
}

export function resource(id: string, status: string, output: readonly JsonObject[] = []): JsonObject {
  return { id, status, status_details: null, output, max_output_tokens: 'inf' }
}

export const speech = (text: string, more: JsonObject = {}): JsonObject => ({
  script: { vocal: { type: 'speech', text } },
  ...more,
})

export const speechAsset = (id: string, more: JsonObject = {}): JsonObject => ({
  script: { vocal: { type: 'speech_asset', speech_text_asset_id: id } },
  ...more,
})
