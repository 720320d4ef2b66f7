import type { JsonObject } from '#trace/json'
import type { Step, Steps } from './steps.ts'
import { come, pass, resource } from './talk.ts'

export const image = (id: string, url = `https://media.example/${id}.png`): JsonObject => ({
  source_image_id: id,
  url,
  media_type: 'image/png',
})

/** `guide` has two images and a default, `host` one of its own and one by the same name, `only` a single one, `plain` none. */
const avatars: readonly JsonObject[] = [
  {
    avatar_id: 'guide',
    instructions: 'Be kind.',
    visual: { source_images: [image('g1'), image('g2'), image('bare', '')], default_source_image_id: 'g1' },
  },
  { avatar_id: 'host', visual: { source_images: [image('h1'), image('g2')], default_source_image_id: 'h1' } },
  { avatar_id: 'only', visual: { source_images: [image('o1')] } },
  { avatar_id: 'several', visual: { source_images: [image('s1'), image('s2')] } },
  { avatar_id: 'urlless', visual: { source_images: [image('u1', '')] } },
  { avatar_id: 'plain' },
]
const speechTexts: readonly JsonObject[] = [{ asset_id: 'greet', text: 'Good morning.' }]
const tools: readonly JsonObject[] = [
  { type: 'function', name: 'look_up' },
  { type: 'function', name: 'hang_up' },
]

/** The create of a session and its first connection. */
export function opened(session: string, shown: JsonObject, channel = 'one', body: JsonObject = {}): Steps {
  const conversation = {
    turn_detection: { type: 'manual' },
    input_audio_transcription: { enabled: true },
    tools,
    ...(body['conversation'] as JsonObject | undefined),
  }
  const asked = { model: 'svc-a1-stream', avatars, assets: { speech_text: speechTexts }, ...body, conversation }
  const data = { session: shown, avatars, conversation, assets: { speech_text: speechTexts } }
  return [
    { what: 'create', session, body: asked, data },
    { what: 'open', channel, session },
  ]
}

/** Long enough for all that may be missing. */
export const quiet = pass(40_000)
export const close = (channel = 'one'): Step => ({ what: 'end', channel, by: 'us' })

/** A text to be cut short. */
export const long = ['Once upon ', 'a time ', 'there was ', 'a river.'].join('')

/** A response that calls a function, without its request. Tags: `id.created`, `id.item.done`, `id.done`. */
export function call(id: string, name: string): Steps {
  const item = {
    id: `m-${id}`,
    type: 'function_call',
    status: 'completed',
    call_id: `call-${id}`,
    name,
    arguments: '{"a":1}',
  }
  return [
    come(`${id}.created`, 'response.created', { request_event_id: id, response: resource(`r-${id}`, 'in_progress') }),
    come(`${id}.item`, 'conversation.item.created', {
      previous_item_id: null,
      item: { ...item, status: 'in_progress' },
    }),
    come(`${id}.item.done`, 'response.output_item.done', { response_id: `r-${id}`, output_index: 0, item }),
    come(`${id}.done`, 'response.done', { response: resource(`r-${id}`, 'completed', [item]) }),
  ]
}
