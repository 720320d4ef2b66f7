import { change, cutAt, omit, put, withoutMarkup } from '#target/overrides/changes'
import { onEvent } from '#target/overrides/events'
import { set } from '#target/overrides/operators'
import { isWire, objectsAt } from '#target/wire'
import { byIndex, onlyFirst, withExtra } from '../../tools/control-channel.ts'
import { defectsOf } from '../../tools/table.ts'

const JOINED = 'avatar.added'

export const avatarAddedDefects = defectsOf('control-channel.avatar-added', {
  'avatars-array: Avatars come by id.': onEvent(JOINED, change('avatars', byIndex)),
  'avatar-id-string: Avatars come with `id`.': onEvent(
    JOINED,
    change('avatars.*', (avatar) =>
      isWire(avatar) ? { ...omit('avatar_id')(avatar), id: avatar['avatar_id'] } : avatar,
    ),
  ),
  'lists-every-avatar: Only the first avatar is listed.': onEvent(JOINED, change('avatars', onlyFirst)),
  'lists-no-others: An avatar is listed that nobody added.': onEvent(
    JOINED,
    change('avatars', withExtra({ avatar_id: 'builtin_host' })),
  ),
  'each-once: Avatars are listed twice.': onEvent(JOINED, (event) =>
    put('avatars', [...objectsAt(event, 'avatars'), ...objectsAt(event, 'avatars')])(event),
  ),
  'instructions-effective: Instructions are left out.': onEvent(JOINED, omit('avatars.*.instructions')),
  'instructions-effective~leak: An added avatar without instructions shows those of the one before it.': set(
    'registry.confirmedAvatars',
    (registered) => {
      let last: unknown
      return registered.map((avatar) => {
        last = avatar['instructions'] ?? last
        return last === undefined ? avatar : { ...avatar, instructions: last }
      })
    },
  ),
  'instructions-effective~several: Of several added avatars all are shown with the instructions of the last.': onEvent(
    'avatar.added',
    (event) => {
      const last = objectsAt(event, 'avatars').findLast(({ instructions }) => instructions !== undefined)
      return change('avatars.*.instructions', (own) => (own === undefined ? undefined : last?.['instructions']))(event)
    },
  ),
  'instructions-effective~second: Of several added avatars the second is shown without its instructions.': set(
    'registry.confirmedAvatars',
    (registered) => registered.map((avatar, place) => (place === 1 ? omit('instructions')(avatar) : avatar)),
  ),
  'instructions-effective~markup: What looks like markup in instructions is not shown.': onEvent(
    JOINED,
    change('avatars.*.instructions', withoutMarkup),
  ),
  'instructions-effective~cut: Instructions are shown up to 255 characters.': onEvent(
    JOINED,
    change('avatars.*.instructions', cutAt(255)),
  ),
  'visual-effective~cut: Visual instructions are shown up to 255 characters.': onEvent(
    JOINED,
    change('avatars.*.visual.instructions', cutAt(255)),
  ),
  'visual-effective~description-cut: Descriptions of images are shown up to 255 characters.': onEvent(
    JOINED,
    change('avatars.*.visual.source_images.*.description', cutAt(255)),
  ),
  'visual-effective~description: Descriptions of images are left out.': onEvent(
    JOINED,
    omit('avatars.*.visual.source_images.*.description'),
  ),
  'visual-effective~several: Of several added avatars only the first is shown with its visual.': set(
    'registry.confirmedAvatars',
    (registered) => registered.map((avatar, place) => (place === 0 ? avatar : omit('visual')(avatar))),
  ),
  'visual-effective: The default image is left out.': onEvent(JOINED, omit('avatars.*.visual.default_source_image_id')),
  'voice-effective: The voice is left out.': onEvent(JOINED, omit('avatars.*.voice')),
})
