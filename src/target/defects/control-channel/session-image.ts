import type { Behaviour } from '#target/behaviour/behaviour'
import { imageOf, imagesOf, usable } from '#target/behaviour/create'
import type { UpdateInput } from '#target/behaviour/rules/session-update'
import { textOf, wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory, refuseEvent } from '../tools.ts'

/** Accepts updates that the rule of unusable images would refuse. */
const acceptImage = ({ rules }: Behaviour, accepts: (input: UpdateInput) => boolean): void => {
  for (const id of ['source-image-unresolved', 'source-image-unknown'] as const) {
    const table = rules.sessionUpdate[id]
    const { broken } = table
    table.broken = (input) => broken(input) && !accepts(input)
  }
}
const toVideo = ({ session, resolution }: UpdateInput): boolean =>
  session.state.mode === 'text_chat' && resolution.mode === 'video_avatar'
const hasVisual = ({ resolution }: UpdateInput): boolean => resolution.active?.['visual'] !== undefined
const named = ({ asked }: UpdateInput): string | undefined => textOf(asked['source_image_id'])
const elsewhere = (input: UpdateInput): boolean =>
  input.session.avatars.some(
    (avatar) => avatar !== input.resolution.active && imageOf(avatar, named(input) ?? '') !== undefined,
  )

/** Which image a `session.update` leads to. */
export const sessionImageDefects = defectsOf('control-channel', {
  'session-update.to-text-chat-clears-image': [
    'Text keeps the image.',
    ({ update }) => void (update.textImage = (current) => current.sourceImageId),
  ],
  'session-update.cleared-image-not-restored': [
    'Back in video the old image returns.',
    ({ update }) => {
      const last = memory(() => ({ image: null as string | null }))
      const { next, keptImage } = update
      update.next = (current, resolution, session) => {
        if (resolution.sourceImageId !== null) last(session).image = resolution.sourceImageId
        return next(current, resolution, session)
      }
      update.keptImage = (current, avatar, session) => {
        const { image } = last(session)
        const remembered = image ?? session.plan.state.sourceImageId
        const back = current.mode === 'text_chat' && remembered !== null && imageOf(avatar, remembered) !== undefined
        return back ? remembered : keptImage(current, avatar, session)
      }
    },
  ],
  'session-update.to-video-derives-default-image': [
    'Back in video the last image is taken.',
    ({ update }) => {
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
  ],
  'session-update.to-video-derives-only-image': [
    'An only image must be named as the default.',
    ({ update }) => {
      const { derivedImage } = update
      update.derivedImage = (avatar) =>
        wireAt(avatar, 'visual')['default_source_image_id'] === undefined ? null : derivedImage(avatar)
    },
  ],
  'session-update.to-video-explicit-image': [
    'With a switch to video the default image counts.',
    ({ update }) => {
      const { next } = update
      update.next = (current, resolution, session) =>
        current.mode === 'text_chat' && resolution.mode === 'video_avatar'
          ? {
              ...next(current, resolution, session),
              sourceImageId: update.derivedImage(resolution.active) ?? resolution.sourceImageId,
            }
          : next(current, resolution, session)
    },
  ],
  'session-update.to-video-without-visual-rejected': [
    'Video needs no visual.',
    (b) => acceptImage(b, (input) => toVideo(input) && !hasVisual(input)),
  ],
  'session-update.to-video-without-image-url-rejected': [
    'Video needs no URL.',
    (b) =>
      acceptImage(
        b,
        (input) =>
          toVideo(input) && hasVisual(input) && imagesOf(input.resolution.active).every((image) => !usable(image)),
      ),
  ],
  'session-update.to-video-ambiguous-image-rejected': [
    'Of several images the first is taken.',
    ({ update }) => {
      const { derivedImage } = update
      update.derivedImage = (avatar) =>
        derivedImage(avatar) ?? textOf(imagesOf(avatar).filter(usable)[0]?.['source_image_id']) ?? null
    },
  ],
  'session-update.null-clears-explicit-image': [
    'Null leaves the image.',
    ({ update }) => void (update.clearedImage = (current) => current.sourceImageId),
  ],
  'session-update.unknown-image-rejected': [
    'An unknown image is accepted.',
    (b) =>
      acceptImage(
        b,
        (input) =>
          named(input) !== undefined &&
          !elsewhere(input) &&
          imageOf(input.resolution.active, named(input) ?? '') === undefined,
      ),
  ],
  'session-update.image-of-other-avatar-rejected': [
    'An image of any avatar will do.',
    (b) => acceptImage(b, elsewhere),
  ],
  'session-update.unusable-image-rejected': [
    'An image without URL will do.',
    (b) => acceptImage(b, (input) => imageOf(input.resolution.active, named(input) ?? '') !== undefined),
  ],
  'session-update.avatar-without-visual-rejected': [
    'In video an avatar needs no visual.',
    (b) => acceptImage(b, (input) => !toVideo(input) && !hasVisual(input) && named(input) === undefined),
  ],
  'session-update.avatar-switch-drops-old-image': [
    'The old avatar’s image stays.',
    (b) => {
      b.update.keptImage = (current) => current.sourceImageId
      acceptImage(b, (input) => !toVideo(input) && named(input) === undefined && hasVisual(input))
    },
  ],
  'session-update.avatar-switch-derives-image': [
    'With another avatar its last image is taken.',
    ({ update }) => {
      const { keptImage } = update
      update.keptImage = (current, avatar, session) => {
        const kept = keptImage(current, avatar, session)
        if (kept !== null || avatar?.['avatar_id'] === current.activeAvatarId || current.mode === 'text_chat')
          return kept
        const other = imagesOf(avatar).findLast((image) => image['source_image_id'] !== update.derivedImage(avatar))
        return textOf(other?.['source_image_id']) ?? null
      }
    },
  ],
  'session-update.avatar-without-visual-in-text-chat': [
    'In text an avatar needs a visual.',
    ({ rules }) =>
      refuseEvent(rules.sessionUpdate, (input) => input.resolution.mode === 'text_chat' && !hasVisual(input)),
  ],
})
