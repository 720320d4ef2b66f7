import type { Behaviour } from '#target/behaviour/behaviour'
import type { Character, Saved } from '#target/characters/character'
import { isWire, type Wire, wireAt, wiresAt, without } from '#target/wire'
import { defectsOf } from '../table.ts'

type Carry = (old: Wire, next: Wire) => Wire

/** Carries something of the old configuration over into the one that a replace brings. */
const carrying =
  (carry: Carry) =>
  ({ characters }: Behaviour): void => {
    const { replaced } = characters
    characters.replaced = (old, next) => {
      const { name, configuration } = replaced(old, next)
      return { name, configuration: carry(old.configuration, configuration) }
    }
  }

/** Starts go on using a field that was saved once, whatever replaces omit. */
const stays =
  (field: string) =>
  ({ characters }: Behaviour): void => {
    const once = new Map<string, unknown>()
    const { replaced, sessions } = characters
    const { saved } = sessions
    characters.replaced = (old, next) => {
      const value = old.configuration[field]
      if (value !== undefined) once.set(old.id, value)
      return replaced(old, next)
    }
    sessions.saved = (character) =>
      once.has(character.id) ? { [field]: once.get(character.id), ...saved(character) } : saved(character)
  }

/** What `write` does with a record stands in for the write of a replace that is refused. */
const onRefused =
  (refused: (code: string) => boolean, write: (old: Character, next: Saved) => Saved) =>
  ({ characters }: Behaviour): void => {
    let writing = false
    const { replaced, restamped } = characters
    characters.writesRefused = (code, operation) => (writing = operation === 'replace-character' && refused(code))
    characters.replaced = (old, next) => (writing ? write(old, next) : replaced(old, next))
    characters.restamped = (old, now) => {
      const { createdAt, updatedAt } = old
      const times = writing ? { createdAt, updatedAt } : restamped(old, now)
      writing = false
      return times
    }
  }

const keepDefaults: Carry = (old, next) => {
  const sent = wireAt(wireAt(next, 'conversation'), 'response_defaults')
  if (Object.keys(sent).length === 0) return next
  const response_defaults = { ...wireAt(wireAt(old, 'conversation'), 'response_defaults'), ...sent }
  return { ...next, conversation: { ...wireAt(next, 'conversation'), response_defaults } }
}

const keepTimeouts: Carry = (old, next) => {
  const sent = next['auto_close']
  const empty = isWire(sent) && Object.keys(sent).length === 0
  return empty && isWire(old['auto_close']) ? { ...next, auto_close: old['auto_close'] } : next
}

/** The avatar with those images of the old one that it has no longer. */
function withImages(avatar: Wire, before: Wire | undefined): Wire {
  const images = wiresAt(avatar['visual'], 'source_images')
  const ids = images.map((image) => image['source_image_id'])
  const gone = wiresAt(before?.['visual'], 'source_images').filter((image) => !ids.includes(image['source_image_id']))
  if (images.length === 0 || gone.length === 0) return avatar
  return { ...avatar, visual: { ...wireAt(avatar, 'visual'), source_images: [...images, ...gone] } }
}

const keepImages: Carry = (old, next) => {
  const before = wiresAt(old, 'avatars')
  const avatars = wiresAt(next, 'avatars').map((avatar) =>
    withImages(
      avatar,
      before.find((one) => one['avatar_id'] === avatar['avatar_id']),
    ),
  )
  return { ...next, avatars }
}

/** 4.2: "Replaces the whole record (not a patch): omitted keys are deleted from the stored configuration." */
export const subtleReplaceDefects = defectsOf('characters', {
  'replace.nested-gone~response-defaults': [
    'A response default that a replace omits beside another stays.',
    carrying(keepDefaults),
  ],
  'replace.auto-close-gone~empty': [
    'A replace with an empty `auto_close` keeps the saved timeouts.',
    carrying(keepTimeouts),
  ],
  'replace.omitted-gone-from-sessions~delivery': [
    'A start uses the transport that a replace omitted.',
    stays('delivery'),
  ],
  'replace.omitted-gone-from-sessions~timeouts': [
    'A start uses the timeouts that a replace omitted.',
    stays('auto_close'),
  ],
  'replace.avatar-members-gone~images': ['Images that a replace omits from an avatar stay.', carrying(keepImages)],
  'replace.refused-changes-nothing~timeouts': [
    'A refused replace writes its timeouts.',
    onRefused(
      () => true,
      ({ name, configuration }, next) => {
        const { auto_close } = next.configuration
        return {
          name,
          configuration:
            auto_close === undefined ? configuration : { ...without(configuration, 'auto_close'), auto_close },
        }
      },
    ),
  ],
  'replace.moderated-changes-nothing~deleted': [
    'A replace that moderation refuses deletes the character.',
    onRefused(
      (code) => code === '30001',
      (old) => {
        old.deleted = true
        return { name: old.name, configuration: old.configuration }
      },
    ),
  ],
  'character.updated-at-moved-by-replace~name-only': [
    'A replace that changes the name alone leaves `updated_at` as it was.',
    ({ characters }) => {
      let same = false
      const { replaced, restamped } = characters
      characters.replaced = (old, next) => {
        same = JSON.stringify(old.configuration) === JSON.stringify(next.configuration)
        return replaced(old, next)
      }
      characters.restamped = (old, now) => ({
        ...restamped(old, now),
        ...(same ? { updatedAt: old.updatedAt } : {}),
      })
    },
  ],
})
