import { type JsonObject, objectAt } from '#target/wire'
import type { KeyName } from '#target/keys'
import type { RawTarget, RawChannel, RawReply } from './raw-target.ts'

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

/** World sessions over a raw's connection. */
export const worldsOf = (raw: RawTarget) => ({
  create: (body: unknown, key: KeyName = 'primary'): Promise<RawReply> => raw.call('POST', WORLDS, { key, body }),
  get: (data: JsonObject, key: KeyName = 'primary'): Promise<RawReply> => raw.call('GET', worldPath(data), { key }),
  close: (data: JsonObject, body: JsonObject = {}, key: KeyName = 'primary'): Promise<RawReply> =>
    raw.call('POST', `${worldPath(data)}/close`, { key, body }),
  secrets: (data: JsonObject, body: JsonObject = {}, key: KeyName = 'primary'): Promise<RawReply> =>
    raw.call('POST', `${worldPath(data)}/client-secrets`, { key, body }),
  /** Opens a channel with the descriptor that `data` holds, or with another token. */
  dial: (data: JsonObject, channel: 'control' | 'media', token?: string): Promise<RawChannel | number> => {
    const descriptor = objectAt(data, channel)
    const secret = token ?? String(descriptor['client_secret'])
    return raw.dial(`${String(descriptor['url'])}&token=${encodeURIComponent(secret)}`)
  },
})
