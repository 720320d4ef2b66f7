import { offers, type Profile } from '#spec/profile'
import type { JsonObject } from '#trace/json'

/** The least that a `text_chat` create needs (4.1), and more where it is given. */
export function textChat(more: JsonObject = {}): JsonObject {
  return { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }], ...more }
}

/** The least that a world create needs (4.5), and more where it is given. */
export function world(more: JsonObject = {}): JsonObject {
  const content = [{ type: 'input_text', text: 'A calm beach at dawn, seen from a dune.' }]
  return { model: 'svc-w1-stream', initial_prompt: { content }, ...more }
}

/** The least that a `video_avatar` create needs (4.1): the mode is the default one, `output` and an image are required. */
export function videoAvatar(profile: Profile): JsonObject {
  return {
    model: 'svc-a1-stream',
    output: smallOutput(profile),
    avatars: [{ avatar_id: 'ada', visual: { source_images: [sourceImage(profile, 'face')] } }],
  }
}

/** An `output` (4.1) of the smallest picture that the target offers. */
export function smallOutput(profile: Profile) {
  return { aspect_ratio: '9:16', resolution: offers(profile, 'resolution_480p') ? '480p' : '720p' } as const
}

/** A medium that a body may name. */
interface Medium {
  readonly url: string
  /** Empty where it is not known. */
  readonly type: string
  /** The profile vouches for it, and its type is known. Otherwise a target that fetches it may refuse it. */
  readonly given: boolean
}

/** A portrait for avatars. */
export function portrait(profile: Profile): Medium {
  const url = profile.media?.image_url
  if (url === undefined) return { url: 'https://example.com/portrait.png', type: 'image/png', given: false }
  const type = imageTypes.find(([extension]) => endsWith(url, extension))?.[1]
  return { url, type: type ?? 'image/png', given: type !== undefined }
}

/** Whether a session in video may be counted on: offered, with a portrait that the profile vouches for. */
export const countsOnVideo = (profile: Profile): boolean => offers(profile, 'video') && portrait(profile).given

/** The real format may be looked at (2.3): where the address does not tell it, it is a guess. */
const imageTypes = [
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['avif', 'image/avif'],
] as const

/**
 * What instructions may well hold: more than one line, more than a short column, what looks like markup, and a character of
 * four bytes.
 */
export const fullInstructions = `You are Ada 🦉.\nSay "yes & no" where asked, <b>never</b> call Zoë a guest.\n${'Keep answers short. '.repeat(90)}Stop there.`

/** Text of several lines that is longer than a short column, for what no section limits. @param about its first words */
export const fullText = (about: string): string =>
  `${about}\nNot “by heart” or <i>fast</i>, and ask Zoë 🦉.\n${'Take your time. '.repeat(18)}Done.`

/** A speech recording. */
export function recording(profile: Profile): Medium {
  const url = profile.media?.audio_url
  if (url === undefined) return { url: 'https://example.com/speech.wav', type: 'audio/wav', given: false }
  const type = endsWith(url, 'mp3') ? 'audio/mpeg' : endsWith(url, 'wav') ? 'audio/wav' : ''
  return { url, type, given: true }
}

/** One source image of an avatar (2.3). */
export function sourceImage(profile: Profile, source_image_id: string): JsonObject {
  const { url, type } = portrait(profile)
  return { source_image_id, url, media_type: type }
}

function endsWith(url: string, extension: string): boolean {
  const path = URL.parse(url)?.pathname ?? url
  return path.toLowerCase().endsWith(`.${extension}`)
}
