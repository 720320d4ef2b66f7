import type { Context } from '#scenario/author/context'
import type { JsonObject } from '#trace/json'
import { silence } from '../assets/media.ts'

/** What the model is told before all else; here it stands at the root. */
export const systemMessage: JsonObject = {
  type: 'message',
  role: 'system',
  content: [{ type: 'input_text', text: 'Answer in one short sentence.' }],
}

/** A message of the user with an image and a sound. */
export function withMedia({ profile }: Context): JsonObject {
  const image_url = profile.media?.image_url
  const image = image_url === undefined ? [] : [{ type: 'input_image', image_url, detail: 'low' }]
  const sound = { type: 'input_audio', audio: silence(0.1), transcript: 'Hm.' }
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look and listen.' }, ...image, sound] }
}
