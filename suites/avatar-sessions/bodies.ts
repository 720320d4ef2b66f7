import type { Profile } from '../../src/law/profile.ts'
import type { JsonObject } from '../../src/trace/json.ts'

/** A medium that a body may name. */
export interface Medium {
  readonly url: string
  readonly type: string
  /** The profile vouches for it. Otherwise a target that fetches it may refuse it. */
  readonly given: boolean
}

/** A portrait for avatars. */
export function portrait(profile: Profile): Medium {
  const url = profile.media?.image_url
  if (url === undefined) return { url: 'https://example.com/portrait.png', type: 'image/png', given: false }
  return { url, type: imageType(url), given: true }
}

/** A speech recording. */
export function recording(profile: Profile): Medium {
  const url = profile.media?.audio_url
  if (url === undefined) return { url: 'https://example.com/speech.wav', type: 'audio/wav', given: false }
  return { url, type: endsWith(url, 'mp3') ? 'audio/mpeg' : 'audio/wav', given: true }
}

/** One source image of an avatar (2.3). */
export function sourceImage(profile: Profile, source_image_id: string): JsonObject {
  const { url, type } = portrait(profile)
  return { source_image_id, url, media_type: type }
}

/** The least that a `text_chat` create needs (4.1). */
export function textChat(): JsonObject {
  return { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }
}

/** The least that a `video_avatar` create needs (4.1): the mode is the default one, `output` and an image are required. */
export function videoAvatar(profile: Profile): JsonObject {
  return {
    model: 'svc-a1-stream',
    output: { aspect_ratio: '9:16', resolution: '480p' },
    avatars: [{ avatar_id: 'ada', visual: { source_images: [sourceImage(profile, 'face')] } }],
  }
}

function imageType(url: string): string {
  if (endsWith(url, 'jpg') || endsWith(url, 'jpeg')) return 'image/jpeg'
  return endsWith(url, 'webp') ? 'image/webp' : 'image/png'
}

function endsWith(url: string, extension: string): boolean {
  const path = URL.parse(url)?.pathname ?? url
  return path.toLowerCase().endsWith(`.${extension}`)
}
