import { at, isObject, type Json, listAt, stringAt } from '#trace/json'

/** What they send configures an avatar session; what a character saves is "Create-session configuration" (4.2). */
const configuring: ReadonlySet<string> = new Set(['create-avatar-session', 'create-character', 'replace-character'])

/**
 * Whether a service may refuse a body for what no schema tells of: ids that stand twice or name nothing (2.3, 2.4, 4.1), a
 * timeout above the duration (4.1), a name of two References (4.4). One that takes it may make of it what it likes.
 */
export function contradictsItself(operation: string | null, body: Json): boolean {
  if (operation === 'create-world-session') return standsTwice(textsAt(listAt(body, '/references'), '/name'))
  if (!configuring.has(operation ?? '')) return false
  return namesAvatarsWrongly(body) || namesAssetsTwice(body) || closesTooLate(body, at(body, '/max_duration_seconds'))
}

/** "A nonzero `auto_close` timeout cannot exceed the effective maximum session duration" (4.1). @param seconds that duration */
export function closesTooLate(configuration: Json, seconds: Json | undefined): boolean {
  const timeouts = at(configuration, '/auto_close')
  if (typeof seconds !== 'number' || !isObject(timeouts)) return false
  return Object.values(timeouts).some((timeout) => typeof timeout === 'number' && timeout > seconds)
}

function namesAvatarsWrongly(body: Json): boolean {
  const avatars = listAt(body, '/avatars')
  const ids = textsAt(avatars, '/avatar_id')
  const asked = stringAt(body, '/session/active_avatar_id')
  if (standsTwice(ids) || (asked === undefined ? ids.length > 1 : !ids.includes(asked))) return true
  if (avatars.some(namesImagesWrongly)) return true
  const image = stringAt(body, '/session/source_image_id')
  const active = avatars.find((avatar) => stringAt(avatar, '/avatar_id') === (asked ?? ids[0]))
  return image !== undefined && !imagesOf(active).includes(image)
}

function namesImagesWrongly(avatar: Json): boolean {
  const [images, first] = [imagesOf(avatar), stringAt(avatar, '/visual/default_source_image_id')]
  return standsTwice(images) || (first !== undefined && !images.includes(first))
}

function imagesOf(avatar: Json | undefined): readonly string[] {
  return textsAt(listAt(avatar, '/visual/source_images'), '/source_image_id')
}

function namesAssetsTwice(body: Json): boolean {
  const kinds = ['audio', 'speech_text', 'visual_prompts'].flatMap((kind) => listAt(body, `/assets/${kind}`))
  return standsTwice(textsAt(kinds, '/asset_id'))
}

function textsAt(list: readonly Json[], place: string): readonly string[] {
  return list.flatMap((one) => stringAt(one, place) ?? [])
}

function standsTwice(names: readonly string[]): boolean {
  return new Set(names).size < names.length
}
