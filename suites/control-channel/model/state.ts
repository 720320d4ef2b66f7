import type { JsonObject } from '#trace/json'
import { objectAt, objectsAt, textAt } from './sessions.ts'

/** What `session.update` can change (4.4). An undefined image is one that nobody can tell; one in text is not shown there. */
export interface State {
  readonly mode: string
  readonly avatar: string
  readonly image: string | null | undefined
}

/** What an update asks for; undefined where it is omitted. */
export interface Asked {
  readonly mode: string | undefined
  readonly avatar: string | undefined
  readonly image: string | null | undefined
}

/** An avatar as far as images go (2.3). */
export interface Avatar {
  /** By id: whether it has a URL. */
  readonly images: ReadonlyMap<string, boolean>
  readonly default: string | undefined
  /** Two definitions compete for the id, so that nothing can be derived. */
  readonly disputed: boolean
}

export type Avatars = (id: string) => Avatar | undefined

/** Image that follows from an avatar alone: an id, `none`, or `unknown` where the spec names none and a target may choose. */
export type Derived = { readonly image: string; readonly by: 'default' | 'only' } | 'none' | 'unknown'

/** Empty texts may be taken for what is omitted, as they are the zero values of texts; or be refused. */
export function readAsked(event: JsonObject): Asked {
  const session = objectAt(event, 'session')
  const image = session['source_image_id']
  return {
    mode: textAt(session, 'mode') || undefined,
    avatar: textAt(session, 'active_avatar_id') || undefined,
    image: image === null ? null : textAt(session, 'source_image_id'),
  }
}

/** The state that an event or an answer shows; undefined where it is not shaped like one. */
export function readState(session: JsonObject): State | undefined {
  const mode = textAt(session, 'mode')
  const avatar = textAt(session, 'active_avatar_id')
  if (mode === undefined || avatar === undefined) return undefined
  const given = session['source_image_id']
  const image = given === undefined && mode !== 'video_avatar' ? null : given
  return { mode, avatar, image: typeof image === 'string' || image === null ? image : undefined }
}

export function readAvatar(value: JsonObject): Avatar {
  const visual = objectAt(value, 'visual')
  const images = objectsAt(visual, 'source_images').map((image): [string, boolean] => {
    return [textAt(image, 'source_image_id') ?? '', (textAt(image, 'url') ?? '') !== '']
  })
  return { images: new Map(images), default: textAt(visual, 'default_source_image_id') || undefined, disputed: false }
}

/** Two definitions of one avatar, of which the target may hold either. */
export function merge(one: Avatar, other: Avatar): Avatar {
  return { images: new Map([...one.images, ...other.images]), default: undefined, disputed: true }
}

/** "The active avatar's `visual.default_source_image_id`"; "can be omitted with one usable image". */
export function derive(avatar: Avatar | undefined): Derived {
  if (avatar === undefined || avatar.disputed) return 'unknown'
  const usable = [...avatar.images].filter(([, url]) => url).map(([id]) => id)
  const [only] = usable
  if (only === undefined) return 'none'
  if (avatar.default !== undefined) {
    return usable.includes(avatar.default) ? { image: avatar.default, by: 'default' } : 'unknown'
  }
  return usable.length === 1 ? { image: only, by: 'only' } : 'unknown'
}

/** Every state that an update may lead to from one state where it completes; none where it must fail. */
export function outcomes(from: State, asked: Asked, avatars: Avatars): readonly State[] {
  const mode = asked.mode ?? from.mode
  const avatar = asked.avatar ?? from.avatar
  if (mode !== 'video_avatar') return heldAfter(from, asked).map((image) => ({ mode, avatar, image }))
  return imagesAfter(from, asked, avatar, avatars).map((image) => ({ mode, avatar, image }))
}

/** An image that is named in text is not shown there, but may be the one that is "kept" when the session comes to video. */
function heldAfter(from: State, { image }: Asked): readonly (string | null)[] {
  if (image !== undefined) return typeof image === 'string' ? [null, image] : [null]
  return from.mode !== 'video_avatar' && typeof from.image === 'string' ? [null, from.image] : [null]
}

/** In video a null image is what a service may show after null; the default is rendered then. */
function imagesAfter(from: State, asked: Asked, avatar: string, avatars: Avatars): readonly State['image'][] {
  if (typeof asked.image === 'string') return [asked.image]
  const fresh = derive(avatars(avatar))
  const derived = fresh === 'none' ? [] : [fresh === 'unknown' ? undefined : fresh.image]
  if (asked.image === null) return [...derived, null]
  if (from.mode !== 'video_avatar') return isHeld(from, avatars(avatar)) ? [from.image, ...derived] : derived
  if (from.image === null) return [...derived, null]
  if (from.image === undefined) return [undefined]
  if (avatar === from.avatar) return asked.mode === undefined ? [from.image] : [from.image, ...derived]
  const kept = avatars(avatar)?.images.get(from.image) === true ? [from.image] : []
  return [...kept, ...derived]
}

/** Whether a session in text may hold an image of this avatar, which it shows when it comes to video. */
export function isHeld({ mode, image }: State, avatar: Avatar | undefined): boolean {
  return mode !== 'video_avatar' && typeof image === 'string' && avatar?.images.get(image) === true
}

/**
 * Whether a service may refuse or fail an update that has no fault: null may leave no image, and so may another avatar in
 * video without an image of its own.
 */
export function mayFail(from: State, asked: Asked): boolean {
  if ((asked.mode ?? from.mode) !== 'video_avatar' || typeof asked.image === 'string') return false
  if (asked.image === null) return true
  if (from.mode !== 'video_avatar') return false
  return typeof from.image !== 'string' || (asked.avatar ?? from.avatar) !== from.avatar
}

/** "Null in `text_chat`" (6.2), whatever image is held there. */
export function asShown(state: State): State {
  return state.mode === 'video_avatar' ? state : { ...state, image: null }
}

/** Whether a state that a model allows is the one that was shown. */
export function explains(model: State, shown: State): boolean {
  const state = asShown(model)
  const image = state.image === undefined ? shown.image !== null : state.image === shown.image
  return state.mode === shown.mode && state.avatar === shown.avatar && image
}

export function sameState(one: State, other: State): boolean {
  return one.mode === other.mode && one.avatar === other.avatar && one.image === other.image
}

export function distinct(states: readonly State[]): readonly State[] {
  return states.filter((state, place) => states.findIndex((one) => sameState(one, state)) === place)
}

/**
 * Every state that may be in effect when some updates may or may not have been applied, in any order. More than three
 * give too many orders to say anything: undefined.
 */
export function reachable(
  from: readonly State[],
  others: readonly Asked[],
  avatars: Avatars,
): readonly State[] | undefined {
  if (others.length > 3) return undefined
  const found = [...from]
  for (const [place, other] of others.entries()) {
    const rest = others.toSpliced(place, 1)
    const next = from.flatMap((state) => outcomes(state, other, avatars))
    for (const state of reachable(next, rest, avatars) ?? []) {
      if (!found.some((one) => sameState(one, state))) found.push(state)
    }
  }
  return found
}
