import { smallOutput } from '#scenario/author/bodies'
import type { Profile } from '#spec/profile'
import type { JsonObject } from '#trace/json'

/** No connection is opened here, and a session that closed by itself would free its place: 0 switches that off (4.1). */
const patient = { auto_close: { disconnected_timeout_seconds: 0 } }

/** The least that a `text_chat` create needs (4.1). The avatar bears the name of the create, so that a session is known by it. */
export function textChat(idempotency_key: string): JsonObject {
  return {
    model: 'svc-a1-stream',
    session: { mode: 'text_chat' },
    avatars: [{ avatar_id: `ada-${idempotency_key}` }],
    ...patient,
    idempotency_key,
  }
}

/** What of it a character is saved with (4.2). */
export function savedChat({ model, session, avatars }: JsonObject, name: string): JsonObject {
  return { name, model, session, avatars } as JsonObject
}

/** The same by the other model (4.1): "lightweight `svc-a1-stream-lite`". */
export function lightChat(idempotency_key: string): JsonObject {
  return { ...textChat(idempotency_key), model: 'svc-a1-stream-lite' }
}

/** The least that a `video_avatar` create needs (4.1), or undefined where the profile gives no image. */
export function videoAvatar(profile: Profile, idempotency_key: string): JsonObject | undefined {
  const url = profile.media?.image_url
  if (url === undefined) return undefined
  const image = { source_image_id: 'face', url, media_type: mediaType(url) }
  return {
    model: 'svc-a1-stream',
    output: smallOutput(profile),
    avatars: [{ avatar_id: `ada-${idempotency_key}`, visual: { source_images: [image] } }],
    ...patient,
    idempotency_key,
  }
}

function mediaType(url: string): string {
  const path = (URL.parse(url)?.pathname ?? url).toLowerCase()
  if (path.endsWith('.jpg') || path.endsWith('.jpeg')) return 'image/jpeg'
  return path.endsWith('.webp') ? 'image/webp' : 'image/png'
}
