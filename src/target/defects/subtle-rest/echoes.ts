import { type Wire, wireAt, wiresAt, wiresOf } from '#target/wire'
import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onCreated } from '../tools.ts'

const imagesOf = (avatar: Wire): Wire[] => wiresAt(wireAt(avatar, 'visual'), 'source_images')

/** Changes every source image of the avatars that a create returns. */
const withImages = (data: Wire, make: (image: Wire) => Wire): Wire => ({
  ...data,
  avatars: wiresAt(data, 'avatars').map((avatar) =>
    change('visual.source_images', (images) => wiresOf(images).map(make))(avatar),
  ),
})

/** The first URL that each image id stands for, in whichever avatar. */
function firstUrls(data: Wire): Map<unknown, unknown> {
  const urls = new Map<unknown, unknown>()
  for (const { source_image_id: id, url } of wiresAt(data, 'avatars').flatMap(imagesOf))
    if (!urls.has(id)) urls.set(id, url)
  return urls
}

/** 2.1, 2.3 and 2.5: what comes back wrong only beside something else, or only for some values. */
export const subtleEchoDefects = defectsOf('avatar-sessions', {
  'session.region-echoed~non-ascii': [
    'A region loses its characters outside ASCII.',
    ({ create }) => {
      const { region } = create
      create.region = (body) =>
        Array.from(region(body))
          .filter((one) => one.charCodeAt(0) < 128)
          .join('')
    },
  ],
  'session.disconnected-timeout-zero~beside-idle': [
    'Beside an idle timeout, a disconnected timeout of 0 becomes that one.',
    ({ create }) => {
      const { autoClose } = create
      create.autoClose = (...given) => {
        const { disconnectedSeconds, idleSeconds } = autoClose(...given)
        return { disconnectedSeconds: disconnectedSeconds || idleSeconds, idleSeconds }
      }
    },
  ],
  'avatars.voice-echoed~second': [
    'Every voice of an avatar comes back as the first one.',
    (b) =>
      onCreated(b, (data) => {
        const first = wiresAt(data, 'avatars').find(({ voice }) => voice !== undefined)?.['voice']
        return change('avatars.*.voice', (voice) => (voice === undefined ? undefined : first))(data)
      }),
  ],
  'avatars.source-image-url-echoed~shared-id': [
    'An image whose id another avatar uses too comes back with the URL of the first one.',
    (b) =>
      onCreated(b, (data) => {
        const urls = firstUrls(data)
        return withImages(data, (image) => ({ ...image, url: urls.get(image['source_image_id']) }))
      }),
  ],
  'avatars.default-source-image-id-echoed~explicit': [
    'Where an image is named for the session, it comes back as the default of its avatar.',
    (b) =>
      onCreated(b, (data) => {
        const { active_avatar_id: active, source_image_id: image } = wireAt(data, 'session')
        const avatars = wiresAt(data, 'avatars').map((avatar) =>
          avatar['avatar_id'] === active && image !== undefined && imagesOf(avatar).length > 1
            ? put('visual.default_source_image_id', image)(avatar)
            : avatar,
        )
        return { ...data, avatars }
      }),
  ],
  'conversation.temperature-echoed~zero': [
    'A temperature of 0 is left out.',
    (b) =>
      onCreated(
        b,
        change('conversation.response_defaults.temperature', (value) => value || undefined),
      ),
  ],
  'conversation.instructions-echoed~emoji': [
    'Characters of instructions that need four bytes come back as question marks.',
    (b) =>
      onCreated(
        b,
        change('conversation.instructions', (text) =>
          typeof text === 'string' ? text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?') : text,
        ),
      ),
  ],
  'create.source-image-of-active-avatar~only-image': [
    'Where the active avatar has one image and no default, the first image of the first avatar is shown.',
    (b) =>
      onCreated(b, (data) => {
        const avatars = wiresAt(data, 'avatars')
        const [first] = avatars.flatMap(imagesOf)
        const { active_avatar_id: id } = wireAt(data, 'session')
        const active = avatars.find(({ avatar_id: one }) => one === id)
        if (active === undefined || wireAt(active, 'visual')['default_source_image_id'] !== undefined) return data
        if (wireAt(data, 'session')['source_image_id'] === undefined || imagesOf(active).length > 1) return data
        return first === undefined
          ? drop('session.source_image_id')(data)
          : put('session.source_image_id', first['source_image_id'])(data)
      }),
  ],
})
