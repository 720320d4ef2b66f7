import type { Override } from '#target/behaviour/behaviour'
import { avatarOf } from '#target/behaviour/create'
import { around, remembering } from '#target/overrides/operators'
import { isWire, type JsonObject, objectAt, objectsAt } from '#target/wire'

/** What a replace makes of the old configuration and the one that it brings. */
type Carry = (old: JsonObject, next: JsonObject) => JsonObject

/** Changes what a replace keeps. */
export const keeping = (carry: Carry): Override =>
  around('characters.replaced', (replaced) => (old, next) => {
    const { name, configuration } = replaced(old, next)
    return { name, configuration: carry(old.configuration, configuration) }
  })

/** A field that is omitted stays. */
export const staying = (field: string) =>
  keeping((old, next) => (field in old ? { [field]: old[field], ...next } : next))

export const merged = (old: unknown, next: unknown): unknown =>
  isWire(old) && isWire(next) ? { ...old, ...next } : next

export const keepTools: Carry = (old, next) => {
  const conversation = next['conversation']
  if (!isWire(conversation) || conversation['tools'] === undefined) return next
  const tools = objectsAt(conversation, 'tools')
  const names = tools.map(({ name }) => name)
  const former = objectsAt(old['conversation'], 'tools').filter(({ name }) => !names.includes(name))
  return { ...next, conversation: { ...conversation, tools: [...former, ...tools] } }
}

export const keepVisuals: Carry = (old, next) => {
  const former = objectsAt(old, 'avatars')
  const avatars = objectsAt(next, 'avatars').map((avatar) => {
    const visual = { ...objectAt(avatarOf(former, avatar['avatar_id']), 'visual'), ...objectAt(avatar, 'visual') }
    return isWire(avatar['visual']) ? { ...avatar, visual } : avatar
  })
  return { ...next, avatars }
}

export const keepDefaults: Carry = (old, next) => {
  const sent = objectAt(objectAt(next, 'conversation'), 'response_defaults')
  if (Object.keys(sent).length === 0) return next
  const response_defaults = { ...objectAt(objectAt(old, 'conversation'), 'response_defaults'), ...sent }
  return { ...next, conversation: { ...objectAt(next, 'conversation'), response_defaults } }
}

export const keepTimeouts: Carry = (old, next) => {
  const sent = next['auto_close']
  const empty = isWire(sent) && Object.keys(sent).length === 0
  return empty && isWire(old['auto_close']) ? { ...next, auto_close: old['auto_close'] } : next
}

/** The avatar with those images of the old one that it has no longer. */
function withImages(avatar: JsonObject, before: JsonObject | undefined): JsonObject {
  const images = objectsAt(avatar['visual'], 'source_images')
  const ids = images.map((image) => image['source_image_id'])
  const gone = objectsAt(before?.['visual'], 'source_images').filter((image) => !ids.includes(image['source_image_id']))
  if (images.length === 0 || gone.length === 0) return avatar
  return { ...avatar, visual: { ...objectAt(avatar, 'visual'), source_images: [...images, ...gone] } }
}

export const keepImages: Carry = (old, next) => {
  const before = objectsAt(old, 'avatars')
  const avatars = objectsAt(next, 'avatars').map((avatar) => withImages(avatar, avatarOf(before, avatar['avatar_id'])))
  return { ...next, avatars }
}

/** Starts go on using a field that was saved once, whatever replaces omit. */
export const stays = (field: string): Override =>
  remembering(() => {
    const once = new Map<string, unknown>()
    return [
      around('characters.replaced', (replaced) => (old, next) => {
        const value = old.configuration[field]
        if (value !== undefined) once.set(old.id, value)
        return replaced(old, next)
      }),
      around(
        'characters.sessions.saved',
        (saved) => (character) =>
          once.has(character.id) ? { [field]: once.get(character.id), ...saved(character) } : saved(character),
      ),
    ]
  })

/** Of a conversation that is omitted the last tool stays. */
export const keepLastTool = keeping((old, next) => {
  const tools = objectsAt(objectAt(old, 'conversation'), 'tools').slice(-1)
  return 'conversation' in next || tools.length === 0 ? next : { ...next, conversation: { tools } }
})

/** An idle timeout that is omitted stays. */
export const keepIdle = keeping((old, next) => {
  const { interaction_idle_timeout_seconds: idle } = objectAt(old, 'auto_close')
  return idle === undefined
    ? next
    : { ...next, auto_close: { interaction_idle_timeout_seconds: idle, ...objectAt(next, 'auto_close') } }
})

/** An operation does not find a character, by whether it was replaced before. */
export const hidden = (hides: (operation: string, wasReplaced: boolean) => boolean): Override =>
  remembering(() => {
    const replaced = new Set<unknown>()
    return [
      around('characters.restamped', (restamped) => (character, now) => {
        replaced.add(character)
        return restamped(character, now)
      }),
      around(
        'characters.found',
        (found) => (character, operation) => found(character, operation) && !hides(operation, replaced.has(character)),
      ),
    ]
  })
