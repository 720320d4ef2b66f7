import { rows } from '../rows.ts'
import { type Asked, type Avatars, derive, isHeld, type State } from './state.ts'

/** A row that speaks about the image which an update led to, and whether it did as the row says. */
export interface ImageVerdict {
  readonly row: (typeof imageRows)[number]
  readonly good: boolean
  readonly expected: string
}

export const imageRows = rows({
  'session-update': [
    'source-image-kept-when-omitted source-image-applied avatar-and-image-together to-text-chat-clears-image',
    'cleared-image-not-restored to-video-derives-default-image to-video-derives-only-image',
    'to-video-explicit-image null-clears-explicit-image avatar-switch-drops-old-image',
    'avatar-switch-derives-image',
  ],
})

/** An applied update: what was in effect, what was asked, what was shown, and the image shown before the last clearing. */
export interface Change {
  readonly before: State
  readonly asked: Asked
  readonly shown: State
  readonly cleared: string | undefined
}

/** What 4.4 says of the image after this update. */
export function judgeImage(change: Change, avatars: Avatars): readonly ImageVerdict[] {
  const { before, asked, shown } = change
  if (shown.mode !== 'video_avatar') return toText(change)
  if (typeof asked.image === 'string') return [explicit(change, asked.image)]
  const derived = derive(avatars(shown.avatar))
  const fresh = typeof derived === 'string' ? undefined : derived
  if (before.mode !== 'video_avatar') {
    const isKept = isHeld(before, avatars(shown.avatar)) && shown.image === before.image
    return isKept ? [] : toVideo(change, fresh)
  }
  if (asked.image === null) return cleared(change, fresh?.image)
  if (shown.avatar === before.avatar) return kept(change)
  return switched(change, avatars, fresh?.image)
}

function toText({ before, asked, shown }: Change): readonly ImageVerdict[] {
  if (asked.mode !== 'text_chat' || before.mode !== 'video_avatar') return []
  return [{ row: 'session-update.to-text-chat-clears-image', good: shown.image === null, expected: 'no source image' }]
}

function explicit({ before, asked, shown }: Change, image: string): ImageVerdict {
  const other = asked.avatar !== undefined && asked.avatar !== before.avatar
  const row =
    before.mode !== 'video_avatar'
      ? 'session-update.to-video-explicit-image'
      : other
        ? 'session-update.avatar-and-image-together'
        : 'session-update.source-image-applied'
  return { row, good: shown.image === image, expected: `the source image ${image}` }
}

function toVideo(
  { shown, cleared: old }: Change,
  fresh: { readonly image: string; readonly by: 'default' | 'only' } | undefined,
): readonly ImageVerdict[] {
  if (fresh === undefined) return []
  const good = shown.image === fresh.image
  const expected = `the source image ${fresh.image}`
  const row =
    fresh.by === 'default'
      ? 'session-update.to-video-derives-default-image'
      : 'session-update.to-video-derives-only-image'
  if (old === undefined || old === fresh.image) return [{ row, good, expected }]
  const restored = shown.image === old
  const again: ImageVerdict = { row: 'session-update.cleared-image-not-restored', good: !restored, expected }
  return restored ? [again] : [again, { row, good, expected }]
}

function cleared({ before, shown }: Change, fresh: string | undefined): readonly ImageVerdict[] {
  if (fresh === undefined || before.image === fresh) return []
  const row = 'session-update.null-clears-explicit-image'
  const good = shown.image === fresh || shown.image === null
  return [{ row, good, expected: `the source image ${fresh} or null` }]
}

function kept({ before, asked, shown }: Change): readonly ImageVerdict[] {
  if (typeof before.image !== 'string' || asked.mode !== undefined) return []
  const row = 'session-update.source-image-kept-when-omitted'
  return [{ row, good: shown.image === before.image, expected: `still the source image ${before.image}` }]
}

function switched({ before, shown }: Change, avatars: Avatars, fresh: string | undefined): readonly ImageVerdict[] {
  const avatar = avatars(shown.avatar)
  if (avatar === undefined || typeof before.image !== 'string' || avatar.images.has(before.image)) return []
  const dropped: ImageVerdict = {
    row: 'session-update.avatar-switch-drops-old-image',
    good: shown.image !== before.image,
    expected: `another source image than ${before.image}`,
  }
  if (fresh === undefined || !dropped.good) return [dropped]
  const row = 'session-update.avatar-switch-derives-image'
  return [dropped, { row, good: shown.image === fresh, expected: `the source image ${fresh}` }]
}
