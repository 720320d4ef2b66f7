import type { Profile } from '#spec/profile'
import { fullInstructions, fullText, smallOutput, textChat } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import { isObject, type JsonObject } from '#trace/json'

/** Ids of avatars here. */
export const ada = 'ada'
export const bea = 'bea'
export const cleo = 'cleo'

/** A function that a model may call. */
export const lookUp: JsonObject = {
  type: 'function',
  name: 'lookUp',
  description: 'Looks up a topic.',
  parameters: {
    type: 'object',
    properties: {
      topic: { type: 'string', enum: ['rivers', 'mountains'] },
      brief: { type: 'boolean', default: false },
      // A name that is no `snake_case`.
      hintFor: { type: 'string' },
    },
    required: ['topic'],
  },
}

/** Another one, without what may be left out: a service that keeps only one of several loses one of both. */
const ring: JsonObject = { type: 'function', name: 'ring' }

/**
 * A name that nobody else has, with what is lost where names are escaped or decoded, taken for a path, or kept in sixteen bits
 * a character.
 */
export const oddName = (c: Context, word: string): string => `${c.id(word)} &  <Zoë> 😀 "5%25+1" isn't a/b\\c`

/** The least that a `text_chat` character needs (4.2), with a name that nobody else has. */
export function textCharacter(c: Context, word: string): JsonObject {
  return textChat({ name: c.id(word) })
}

/** Two avatars, of which the last is named as active. */
export function pairCharacter(c: Context, word: string): JsonObject {
  return {
    ...textCharacter(c, word),
    session: { mode: 'text_chat', active_avatar_id: ada },
    avatars: [
      { avatar_id: bea, instructions: 'You are Bea. Answer in one short sentence.' },
      { avatar_id: ada, instructions: 'You are Ada. Answer in one short sentence.' },
    ],
  }
}

/** Timeouts and a duration that nobody has for a default. */
export const oddSeconds = { duration: 577, disconnected: 233, idle: 241 } as const

/** The same for services whose sessions last a minute at most: the longest that one may last is not shown (section 8). */
const fewSeconds = { duration: 59, disconnected: 41, idle: 47 } as const

/** A duration and timeouts in seconds. */
export function lasting({ duration, disconnected, idle }: Readonly<Record<keyof typeof oddSeconds, number>>) {
  return {
    max_duration_seconds: duration,
    auto_close: { disconnected_timeout_seconds: disconnected, interaction_idle_timeout_seconds: idle },
  }
}

/** All that a save may hold beside a model, a mode, avatars and a pipeline; `conversation` as far as 4.2 names it. */
export const settings = {
  conversation: {
    tools: [lookUp, ring],
    response_defaults: { temperature: 0.4, max_output_tokens: 333 },
    turn_detection: { type: 'manual' },
    input_audio_transcription: { enabled: true, language: 'en-US' },
  },
  ...lasting(oddSeconds),
} as const

/** A `text_chat` character with all that can be saved but a pipeline. */
export function richCharacter(c: Context): JsonObject {
  return {
    ...pairCharacter(c, 'rich'),
    name: oddName(c, 'rich'),
    avatars: [
      { avatar_id: bea, instructions: 'You are Bea. Answer in one short sentence.' },
      { avatar_id: ada, instructions: fullInstructions },
    ],
    idempotency_key: c.id('save'),
    ...settings,
    conversation: {
      ...settings.conversation,
      instructions: fullInstructions,
      tools: [{ ...lookUp, description: fullText('Looks up a topic.') }, ring],
    },
  }
}

/** One source image of an avatar (2.3). */
export function sourceImage(profile: Profile, source_image_id: string, extra: JsonObject = {}): JsonObject {
  const url = profile.media?.image_url ?? 'https://example.com/portrait.png'
  const path = (URL.parse(url)?.pathname ?? url).toLowerCase()
  const kind = /\.jpe?g$/.test(path) ? 'jpeg' : path.endsWith('.webp') ? 'webp' : 'png'
  return { source_image_id, url, media_type: `image/${kind}`, ...extra }
}

/** A `video_avatar` character: two avatars, the active one behind the other, with two images and a default that is not the explicit one. */
export function videoCharacter(c: Context, word: string): JsonObject {
  const { profile } = c
  return {
    name: c.id(word),
    model: 'svc-a1-stream',
    session: { mode: 'video_avatar', active_avatar_id: ada, source_image_id: 'profile' },
    output: smallOutput(profile),
    avatars: [
      {
        avatar_id: bea,
        visual: {
          source_images: [
            sourceImage(profile, 'plain'),
            sourceImage(profile, 'spare', { description: 'Bea from the side.' }),
          ],
          default_source_image_id: 'plain',
          instructions: 'Stand still.',
        },
      },
      {
        avatar_id: ada,
        visual: {
          source_images: [
            sourceImage(profile, 'front', { description: fullText('Ada from the front.') }),
            sourceImage(profile, 'profile'),
          ],
          default_source_image_id: 'front',
          instructions: fullText('Look straight ahead.'),
        },
      },
    ],
  }
}

/** What 4.2 names of `conversation`. */
const namedMembers = ['tools', 'turn_detection', 'input_audio_transcription']

/** The body with no more of `conversation` than 4.2 names: a service may refuse to save the rest. */
export function named(body: JsonObject): JsonObject {
  const { conversation, ...rest } = body
  if (!isObject(conversation)) return body
  const kept = Object.entries(conversation).filter(([name]) => namedMembers.includes(name))
  return kept.length === 0 ? rest : { ...rest, conversation: Object.fromEntries(kept) }
}

/** The body in no certain language, which a model may not know (30004). */
export function inAnyLanguage(body: JsonObject): JsonObject {
  const { conversation } = body
  if (!isObject(conversation) || !isObject(conversation['input_audio_transcription'])) return body
  const input_audio_transcription = without(conversation['input_audio_transcription'], 'language')
  return { ...body, conversation: { ...conversation, input_audio_transcription } }
}

/** The body with the duration and the timeouts of a short session, where it has any. */
export function brief(body: JsonObject): JsonObject {
  return body['max_duration_seconds'] === undefined ? body : { ...body, ...lasting(fewSeconds) }
}

/** The body without some of its members. */
export function without(body: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}
