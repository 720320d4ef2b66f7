import { rows } from '../rows.ts'
import { type Asked, type Avatar, type Avatars, derive, isHeld, type State } from './state.ts'

export const faultRows = rows({
  'session-update': [
    'unknown-mode-rejected unknown-avatar-rejected unknown-image-rejected image-of-other-avatar-rejected',
    'unusable-image-rejected to-video-without-visual-rejected to-video-without-image-url-rejected',
    'to-video-ambiguous-image-rejected avatar-without-visual-rejected',
  ],
})

export type FaultRow = (typeof faultRows)[number]

/** What is wrong is the image: "fails in video mode if no usable image resolves" (4.4), at once or in the end. */
export function isImageFault(row: FaultRow): boolean {
  return row !== 'session-update.unknown-mode-rejected' && row !== 'session-update.unknown-avatar-rejected'
}

/** Why an update must be refused in this state (4.4); undefined where it need not be. */
export function faultOf(from: State, asked: Asked, avatars: Avatars, others: readonly Avatar[]): FaultRow | undefined {
  if (asked.mode !== undefined && asked.mode !== 'text_chat' && asked.mode !== 'video_avatar') {
    return 'session-update.unknown-mode-rejected'
  }
  const avatar = avatars(asked.avatar ?? from.avatar)
  if (avatar === undefined) return asked.avatar === undefined ? undefined : 'session-update.unknown-avatar-rejected'
  if ((asked.mode ?? from.mode) !== 'video_avatar' || avatar.disputed) return undefined
  if (typeof asked.image === 'string') return imageFault(asked.image, avatar, others)
  if (from.mode === 'video_avatar') return switchFault(from, asked, avatar)
  return isHeld(from, avatar) ? undefined : videoFault(avatar)
}

function imageFault(image: string, avatar: Avatar, others: readonly Avatar[]): FaultRow | undefined {
  if (avatar.images.get(image) === true) return undefined
  if (avatar.images.has(image)) return 'session-update.unusable-image-rejected'
  const elsewhere = others.some((other) => other.images.has(image))
  return elsewhere ? 'session-update.image-of-other-avatar-rejected' : 'session-update.unknown-image-rejected'
}

function videoFault(avatar: Avatar): FaultRow | undefined {
  if (avatar.images.size === 0) return 'session-update.to-video-without-visual-rejected'
  if (derive(avatar) === 'none') return 'session-update.to-video-without-image-url-rejected'
  const unnamed = avatar.default === undefined && derive(avatar) === 'unknown'
  return unnamed ? 'session-update.to-video-ambiguous-image-rejected' : undefined
}

function switchFault(from: State, asked: Asked, avatar: Avatar): FaultRow | undefined {
  if (asked.avatar === undefined || asked.avatar === from.avatar) return undefined
  return derive(avatar) === 'none' ? 'session-update.avatar-without-visual-rejected' : undefined
}
