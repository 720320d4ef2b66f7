import { smallOutput } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import type { JsonObject } from '#trace/json'

/** Avatars of every session here. `guide` is active at first; `plain` has an id and nothing else. */
export const guide = 'guide'
export const host = 'host'
export const plain = 'plain'

/** A function that a model may call where the target offers tool calls. */
export const lookUp: JsonObject = {
  type: 'function',
  name: 'look_up',
  description: 'Looks up a topic.',
  parameters: { type: 'object', properties: { topic: { type: 'string' } } },
}

const instructions = {
  guide: 'You are a friendly guide. Answer in one short sentence.',
  host: 'You are a calm host. Answer in one short sentence.',
}

/** A session in `text_chat` with three avatars, in which only the client starts responses. */
export function textChat(extra: JsonObject = {}): JsonObject {
  return {
    model: 'svc-a1-stream',
    session: { mode: 'text_chat', active_avatar_id: guide },
    avatars: [
      { avatar_id: guide, instructions: instructions.guide },
      { avatar_id: host, instructions: instructions.host },
      { avatar_id: plain },
    ],
    conversation: { turn_detection: { type: 'manual' }, ...extra },
  }
}

/** A session in `video_avatar` with two avatars. */
export function videoAvatar(context: Context): JsonObject {
  const visual = { source_images: [imageFrom(context, 'face')] }
  return {
    model: 'svc-a1-stream',
    session: { mode: 'video_avatar', active_avatar_id: guide },
    output: smallOutput(context.profile),
    avatars: [
      { avatar_id: guide, instructions: instructions.guide, visual },
      { avatar_id: host, instructions: instructions.host, visual },
    ],
    conversation: { turn_detection: { type: 'manual' } },
  }
}

/** A source image (2.3) at the address that the profile vouches for. */
export function imageFrom({ profile }: Context, source_image_id: string) {
  const url = profile.media?.image_url ?? 'https://example.com/portrait.png'
  const jpeg = /\.jpe?g$/i.test(URL.parse(url)?.pathname ?? url)
  return { source_image_id, url, media_type: jpeg ? 'image/jpeg' : 'image/png' }
}

/** A message of the user. */
export function userMessage(text: string, extra: JsonObject = {}): JsonObject {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }], ...extra }
}

/** A scripted speech. */
export function speech(text: string, extra: JsonObject = {}): JsonObject {
  return { script: { vocal: { type: 'speech', text } }, ...extra }
}

/** Prose of about this many characters, every sentence of it different. */
export function prose(characters: number): string {
  const sentences: string[] = []
  for (let length = 0, line = 1; length < characters; line += 1) {
    const sentence = `Verse ${line} tells of a river that found its way from the hills to the sea.`
    sentences.push(sentence)
    length += sentence.length + 1
  }
  return sentences.join(' ')
}
