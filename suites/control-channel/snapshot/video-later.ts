import { smallOutput } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import { at, type Json, type JsonObject } from '#trace/json'
import { imageFrom, speech, textChat } from '../bodies.ts'
import { quiet, respond } from '../responses/responses.ts'
import type { Talk } from '../talk.ts'
import { tryUpdate } from '../updates/updates.ts'

const portrait = 'portrait'

/** A session in `text_chat`, with an avatar that can be shown where the target shows any. */
export function textAtFirst(context: Context): JsonObject {
  const body = textChat()
  if (!mayShow(context)) return body
  const shown = { avatar_id: portrait, visual: { source_images: [imageFrom(context, 'face')] } }
  const avatars = [...(body['avatars'] as readonly Json[]), shown]
  return { ...body, avatars, output: smallOutput(context.profile) }
}

/** Whether this target shows avatars at an address that it can reach. */
export function mayShow(context: Context): boolean {
  return context.offers('video') && context.profile.media?.image_url !== undefined
}

/** A session that began in text may come to video; a speech is rendered there as in any other. */
export async function speakInVideoLater(talk: Talk): Promise<void> {
  if (!mayShow(talk.context)) return
  const end = await tryUpdate(talk, { mode: 'video_avatar', active_avatar_id: portrait })
  if (at(end?.data, '/status') !== 'completed') return
  await respond(talk, speech('Now you can see me.'))
  await quiet(talk)
}
