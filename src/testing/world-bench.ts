import { type JsonObject, objectAt } from '#target/wire'
import type { KeyName } from '#target/keys'
import type { Bench, RawChannel, RawReply } from './bench.ts'

export const WORLDS = '/v1/streaming-world/sessions'

export const textBlock = (text: string): JsonObject => ({ type: 'input_text', text })
export const imageBlock = (extra: JsonObject = {}): JsonObject => ({
  type: 'input_image',
  url: 'https://media.example.com/face.png',
  ...extra,
})
export const audioBlock = (extra: JsonObject = {}): JsonObject => ({
  type: 'input_audio',
  url: 'https://media.example.com/voice.wav',
  ...extra,
})

/** The least that a world create needs, and more. */
export const worldBody = (extra: JsonObject = {}): JsonObject => ({
  model: 'svc-w1-stream',
  initial_prompt: { content: [textBlock('A calm beach at dawn.')] },
  ...extra,
})

export const worldPath = (data: JsonObject): string => `${WORLDS}/${encodeURIComponent(String(data['session_id']))}`

/** World sessions over a bench's connection. */
export const worldsOf = (bench: Bench) => ({
  create: (body: unknown, key: KeyName = 'primary'): Promise<RawReply> => bench.call('POST', WORLDS, { key, body }),
  get: (data: JsonObject, key: KeyName = 'primary'): Promise<RawReply> => bench.call('GET', worldPath(data), { key }),
  close: (data: JsonObject, body: JsonObject = {}, key: KeyName = 'primary'): Promise<RawReply> =>
    bench.call('POST', `${worldPath(data)}/close`, { key, body }),
  secrets: (data: JsonObject, body: JsonObject = {}, key: KeyName = 'primary'): Promise<RawReply> =>
    bench.call('POST', `${worldPath(data)}/client-secrets`, { key, body }),
  /** Opens a channel with the descriptor that `data` holds, or with another token. */
  dial: (data: JsonObject, channel: 'control' | 'media', token?: string): Promise<RawChannel | number> => {
    const descriptor = objectAt(data, channel)
    const secret = token ?? String(descriptor['client_secret'])
    return bench.dial(`${String(descriptor['url'])}&token=${encodeURIComponent(secret)}`)
  },
})
