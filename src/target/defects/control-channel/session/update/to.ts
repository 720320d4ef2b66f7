import type { Behaviour } from '#target/behaviour/behaviour'
import { avatarOf, imagesOf, usable } from '#target/behaviour/create'
import { around, set } from '#target/overrides/operators'
import { textOf, objectAt } from '#target/wire'
import { acceptImage, hasVisual, toVideo } from '../../../tools/control-channel.ts'
import { defectsOf } from '../../../tools/table.ts'

export const sessionUpdateDefects = defectsOf('control-channel.session-update', {
  'to-text-chat-clears-image: Text keeps the image.': set('update.textImage', (current) => current.sourceImageId),
  'to-video-derives-default-image: Back in video the last image is taken.': ({ update }) => {
    const { keptImage } = update
    update.keptImage = (current, avatar, session) =>
      current.mode === 'text_chat' && imagesOf(avatar).length > 1
        ? (textOf(
            imagesOf(avatar).at(
              imagesOf(avatar).at(-1)?.['source_image_id'] === update.derivedImage(avatar) ? 0 : -1,
            )?.['source_image_id'],
          ) ?? null)
        : keptImage(current, avatar, session)
  },
  'to-video-derives-only-image~with-avatar: With a switch to video and to another avatar the image is derived from the one before.':
    around(
      'update.image',
      (image) =>
        function (this: Behaviour['update'], asked, session, mode, active) {
          const both = textOf(asked['active_avatar_id']) !== undefined && asked['source_image_id'] === undefined
          const switched = session.state.mode === 'text_chat' && mode === 'video_avatar' && both
          return image.call(
            this,
            asked,
            session,
            mode,
            switched ? avatarOf(session.avatars, session.state.activeAvatarId) : active,
          )
        },
    ),
  'to-video-derives-only-image: An only image must be named as the default.': around(
    'update.derivedImage',
    (derivedImage) => (avatar) =>
      objectAt(avatar, 'visual')['default_source_image_id'] === undefined ? null : derivedImage(avatar),
  ),
  'to-video-explicit-image: With a switch to video the default image counts.': ({ update }) => {
    const { next } = update
    update.next = (current, resolution, session) =>
      current.mode === 'text_chat' && resolution.mode === 'video_avatar'
        ? {
            ...next(current, resolution, session),
            sourceImageId: update.derivedImage(resolution.active) ?? resolution.sourceImageId,
          }
        : next(current, resolution, session)
  },
  'to-video-without-visual-rejected: Video needs no visual.': acceptImage(
    (input) => toVideo(input) && !hasVisual(input),
  ),
  'to-video-without-visual-rejected~with-switch: With a switch to video, an avatar that is named with it needs no image.':
    around('validations.sessionUpdate.source-image-unresolved.broken', (broken) => (input) => {
      const switches = input.session.state.mode === 'text_chat' && input.asked['active_avatar_id'] !== undefined
      return broken(input) && !switches
    }),
  'to-video-without-image-url-rejected: Video needs no URL.': acceptImage(
    (input) => toVideo(input) && hasVisual(input) && imagesOf(input.resolution.active).every((image) => !usable(image)),
  ),
  'to-video-ambiguous-image-rejected: Of several images the first is taken.': around(
    'update.derivedImage',
    (derivedImage) => (avatar) =>
      derivedImage(avatar) ?? textOf(imagesOf(avatar).filter(usable)[0]?.['source_image_id']) ?? null,
  ),
})
