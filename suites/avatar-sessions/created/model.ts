import { isObject, type Json, type JsonObject, listAt, stringAt } from '#trace/json'

/** What follows from the body of a create by the rules of 4.1. Undefined: the rules leave it open, or it must fail. */
export interface Effective {
  readonly mode: { readonly value: string; readonly by: 'request' | 'session omitted' | 'mode omitted' }
  readonly activeAvatar: { readonly id: string; readonly by: 'request' | 'sole' } | undefined
  /** Only in `video_avatar`. */
  readonly sourceImage: SourceImage | undefined
  /** Only in `video_avatar`. */
  readonly transport: { readonly value: string; readonly by: 'request' | 'default' } | undefined
}

export interface SourceImage {
  readonly id: string
  readonly by: 'request' | 'default' | 'sole'
  /** How many images the active avatar has. */
  readonly among: number
  /** What the same rule would give for other avatars, where it gives another image. */
  readonly elsewhere: readonly string[]
}

export function effectiveOf(body: JsonObject): Effective {
  const mode = modeOf(body)
  const activeAvatar = activeAvatarOf(body)
  const video = mode.value === 'video_avatar'
  const sourceImage = video && activeAvatar !== undefined ? sourceImageOf(body, activeAvatar.id) : undefined
  return { mode, activeAvatar, sourceImage, transport: video ? transportOf(body) : undefined }
}

function modeOf(body: JsonObject): Effective['mode'] {
  const asked = stringAt(body, '/session/mode')
  if (asked !== undefined) return { value: asked, by: 'request' }
  return { value: 'video_avatar', by: isObject(body['session']) ? 'mode omitted' : 'session omitted' }
}

/** Rule 1: omitted with exactly one avatar, that avatar is used; with several, the request fails. */
function activeAvatarOf(body: JsonObject): Effective['activeAvatar'] {
  const ids = avatarsOf(body).map((avatar) => stringAt(avatar, '/avatar_id'))
  const asked = stringAt(body, '/session/active_avatar_id')
  if (asked !== undefined) return ids.includes(asked) ? { id: asked, by: 'request' } : undefined
  const [sole] = ids
  return ids.length === 1 && sole !== undefined ? { id: sole, by: 'sole' } : undefined
}

/** Rule 2: the explicit image, else the active avatar's default, else its only image. */
function sourceImageOf(body: JsonObject, activeId: string): SourceImage | undefined {
  const avatars = avatarsOf(body)
  const active = avatars.find((avatar) => stringAt(avatar, '/avatar_id') === activeId)
  if (active === undefined) return undefined
  const images = imagesOf(active)
  const among = images.length
  const asked = stringAt(body, '/session/source_image_id')
  if (asked !== undefined) {
    return images.includes(asked) ? { id: asked, by: 'request', among, elsewhere: [] } : undefined
  }
  const own = resolved(active)
  if (own === undefined) return undefined
  const others = avatars.filter((avatar) => avatar !== active).map((avatar) => resolved(avatar)?.id)
  const elsewhere = others.filter((id): id is string => id !== undefined && id !== own.id)
  return { ...own, among, elsewhere }
}

function resolved(avatar: Json): { readonly id: string; readonly by: 'default' | 'sole' } | undefined {
  const images = imagesOf(avatar)
  const named = stringAt(avatar, '/visual/default_source_image_id')
  if (named !== undefined) return images.includes(named) ? { id: named, by: 'default' } : undefined
  const [sole] = images
  return images.length === 1 && sole !== undefined ? { id: sole, by: 'sole' } : undefined
}

function transportOf(body: JsonObject): NonNullable<Effective['transport']> {
  const asked = stringAt(body, '/delivery/media/transport')
  return asked === undefined ? { value: 'rtc_a', by: 'default' } : { value: asked, by: 'request' }
}

export function avatarsOf(body: Json | undefined): readonly Json[] {
  return listAt(body, '/avatars')
}

function imagesOf(avatar: Json): readonly string[] {
  const ids = listAt(avatar, '/visual/source_images').map((image) => stringAt(image, '/source_image_id'))
  return ids.filter((id) => id !== undefined)
}
