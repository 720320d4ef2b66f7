import { imageOf, imagesOf } from '#target/behaviour/create'
import { omit, put, replace } from '#target/overrides/changes'
import { onCreated } from '#target/overrides/data'
import { around, except, remembering, set } from '#target/overrides/operators'
import { textOf, type JsonObject, objectAt, objectsAt } from '#target/wire'
import { defectsOf } from '../../tools/table.ts'

export const createDefects = defectsOf('avatar-sessions.create', {
  'source-image-explicit: The default image wins over the explicit one.': around(
    'create.sourceImageId',
    (sourceImageId) => (session, avatar) => {
      const named = textOf(objectAt(avatar, 'visual')['default_source_image_id'])
      return imageOf(avatar, sourceImageId(session, avatar) ?? '') === undefined
        ? sourceImageId(session, avatar)
        : (named ?? sourceImageId(session, avatar))
    },
  ),
  'source-image-default: The last image is taken for the default.': around(
    'create.sourceImageId',
    (sourceImageId) => (session, avatar) => {
      const resolved = sourceImageId(session, avatar)
      return resolved === undefined || session['source_image_id'] !== undefined
        ? resolved
        : (textOf(imagesOf(avatar).findLast((image) => image['source_image_id'] !== resolved)?.['source_image_id']) ??
            resolved)
    },
  ),
  'source-image-of-active-avatar: The image shown is that of the first avatar.': set(
    'views.created.session',
    ({ state, plan }) => {
      const first = imagesOf(plan.avatars[0])[0]?.['source_image_id']
      const shown = plan.avatars.length > 1 ? (first ?? state.sourceImageId) : state.sourceImageId
      const image = state.sourceImageId === null ? {} : { source_image_id: shown }
      return { mode: state.mode, active_avatar_id: state.activeAvatarId, ...image }
    },
  ),
  'source-image-of-active-avatar~only-image: Where the active avatar has one image and no default, the first image of the first avatar is shown.':
    onCreated((data) => {
      const avatars = objectsAt(data, 'avatars')
      const [first] = avatars.flatMap(imagesOf)
      const { active_avatar_id: id } = objectAt(data, 'session')
      const active = avatars.find(({ avatar_id: one }) => one === id)
      if (active === undefined || objectAt(active, 'visual')['default_source_image_id'] !== undefined) return data
      if (objectAt(data, 'session')['source_image_id'] === undefined || imagesOf(active).length > 1) return data
      return first === undefined
        ? omit('session.source_image_id')(data)
        : put('session.source_image_id', first['source_image_id'])(data)
    }),
  'source-image-sole: An only image is shown as `auto`.': onCreated((data) => {
    const images = objectsAt(data, 'avatars').flatMap(imagesOf)
    const named = objectsAt(data, 'avatars').some(
      (avatar) => objectAt(avatar, 'visual')['default_source_image_id'] !== undefined,
    )
    return images.length === 1 && !named ? replace('session.source_image_id', 'auto')(data) : data
  }),
  'source-image-sole~other-avatars: The only image of the active avatar is not taken when another avatar has images.':
    remembering(() => {
      let last: JsonObject[] = []
      return [
        around('create.avatars', (avatars) => (body) => {
          last = avatars(body)
          return last
        }),
        around('create.sourceImageId', (sourceImageId) => (session, avatar) => {
          const named = objectAt(avatar, 'visual')['default_source_image_id'] ?? session['source_image_id']
          const images = last.flatMap((one) => objectsAt(objectAt(one, 'visual'), 'source_images'))
          return named === undefined && images.length !== 1 ? undefined : sourceImageId(session, avatar)
        }),
      ]
    }),
  'source-image-unresolvable-rejected: Of several images without default the first is taken.': around(
    'create.sourceImageId',
    (sourceImageId) => (session, avatar) =>
      sourceImageId(session, avatar) ?? textOf(imagesOf(avatar)[0]?.['source_image_id']),
  ),
  'source-image-unknown-rejected: An unknown image is accepted.': except(
    'validations.createSession',
    'source-image-unknown',
    (input) => !input.avatars.some((avatar) => imageOf(avatar, input.sourceImageId ?? '') !== undefined),
  ),
  'source-image-unknown-rejected~default: An unknown image means the default one, where the avatar has a default.':
    around('create.sourceImageId', (sourceImageId) => (session, avatar) => {
      const asked = textOf(session['source_image_id'])
      const fallback = textOf(objectAt(avatar, 'visual')['default_source_image_id'])
      const unknown = asked !== undefined && imageOf(avatar, asked) === undefined
      return unknown && fallback !== undefined ? fallback : sourceImageId(session, avatar)
    }),
  'source-image-of-other-avatar-rejected: An image of any avatar will do.': except(
    'validations.createSession',
    'source-image-unknown',
    (input) => !input.avatars.every((avatar) => imageOf(avatar, input.sourceImageId ?? '') === undefined),
  ),
  'source-image-omitted-in-text-chat: A text chat returns the image that its avatar would have.': set(
    'views.created.session',
    ({ state, plan }) => ({
      mode: state.mode,
      active_avatar_id: state.activeAvatarId,
      source_image_id: state.sourceImageId ?? imagesOf(plan.avatars[0])[0]?.['source_image_id'],
    }),
  ),
  'source-image-unknown-rejected~case: A source image is looked for without regard to case.': around(
    'create.sourceImageId',
    (sourceImageId) => (session, avatar) => {
      const named = sourceImageId(session, avatar)
      const ids = imagesOf(avatar).map((image) => textOf(image['source_image_id']))
      return ids.find((id) => id?.toLowerCase() === named?.toLowerCase()) ?? named
    },
  ),
  'source-image-default~several: With several avatars the first image is taken.': around(
    'create.sourceImageId',
    (chosen) => (session, avatar) => {
      const images = imagesOf(avatar)
      const first = textOf(images[0]?.['source_image_id'])
      return session['source_image_id'] === undefined && session['active_avatar_id'] !== undefined && images.length > 1
        ? first
        : chosen(session, avatar)
    },
  ),
})
