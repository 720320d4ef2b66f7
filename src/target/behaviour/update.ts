import type { Session } from '../sessions/session.ts'
import type { EffectiveState } from '../sessions/effective-state.ts'
import { textOf, type JsonObject, objectAt } from '../wire.ts'
import { avatarOf, imageOf, imagesOf, usable } from './create.ts'

/** What an update asks for, and what it would lead to. */
export interface Resolution {
  mode: string
  activeAvatarId: string
  active: JsonObject | undefined
  sourceImageId: string | null
  sourceImage: JsonObject | undefined
}

/** The events of an accepted update. */
export type UpdateStep = 'session.updated' | 'session.update.done'

/** 4.4: the avatar's default image, else its only usable one. */
const derivedImage = (avatar: JsonObject | undefined): string | null => {
  const named = textOf(objectAt(avatar, 'visual')['default_source_image_id'])
  if (named !== undefined && named !== '') return named
  const candidates = imagesOf(avatar).filter(usable)
  return candidates.length === 1 ? (textOf(candidates[0]?.['source_image_id']) ?? null) : null
}

/** 4.4 `session.update` and 3.5. */
export const update = () => ({
  derivedImage,
  mode: (asked: JsonObject, current: EffectiveState): string => textOf(asked['mode']) ?? current.mode,
  activeAvatarId: (asked: JsonObject, current: EffectiveState, _session: Session): string =>
    textOf(asked['active_avatar_id']) ?? current.activeAvatarId,
  /** "Switching to `text_chat` clears `source_image_id` to null." */
  textImage: (_current: EffectiveState): string | null => null,
  /** Omitted: "the current image is kept or derived". It is kept while it is an image of the active avatar. */
  keptImage: (current: EffectiveState, avatar: JsonObject | undefined, _session: Session): string | null => {
    const kept = current.sourceImageId
    if (kept === null) return null
    const image = imageOf(avatar, kept)
    return image !== undefined && usable(image) ? kept : null
  },
  /** "`null` clears the image." */
  clearedImage: (_current: EffectiveState, avatar: JsonObject | undefined): string | null => derivedImage(avatar),
  /** What the update leads to, before its validations are looked at. */
  resolve(asked: JsonObject, session: Session): Resolution {
    const current = session.state
    const mode = this.mode(asked, current)
    const activeAvatarId = this.activeAvatarId(asked, current, session)
    const active = avatarOf(session.avatars, activeAvatarId)
    const sourceImageId = this.image(asked, session, mode, active)
    const sourceImage = sourceImageId === null ? undefined : imageOf(active, sourceImageId)
    return { mode, activeAvatarId, active, sourceImageId, sourceImage }
  },
  image(asked: JsonObject, session: Session, mode: string, active: JsonObject | undefined): string | null {
    const current = session.state
    const image = asked['source_image_id']
    if (mode === 'text_chat') return this.textImage(current)
    if (typeof image === 'string') return image
    if (image === null) return this.clearedImage(current, active)
    return this.keptImage(current, active, session) ?? this.derivedImage(active)
  },
  /** The id of `session.updated` where the client gave none. */
  ownEventId: (generated: string): string => generated,
  /** The state that a newer update begins from, whatever is on its way. */
  begunFrom: (session: Session, _sender: object): EffectiveState => session.state,
  /** Whether an update is applied and acknowledged only when it has settled. */
  appliedLate: false,
  /** The state that the acknowledgement shows. */
  announced: (_previous: EffectiveState, next: EffectiveState, _resolution: Resolution): EffectiveState => next,
  /** Whether a running update gives way to a newer one. */
  supersedes: true,
  /** Whether a refused one ends it, too. */
  refusalSupersedes: false,
  supersededStatus: 'cancelled',
  supersededReason: 'superseded' as string | undefined,
  shutdownStatus: 'cancelled',
  shutdownReason: 'session_shutdown' as string | undefined,
  /** The terminal result; an image under the reserved `.invalid` domain can never be loaded (RFC 6761). */
  outcome: (resolution: Resolution): { status: string; reason: string | undefined } => {
    const url = resolution.sourceImage?.['url']
    const lost = typeof url === 'string' && URL.canParse(url) && new URL(url).hostname.endsWith('.invalid')
    return lost ? { status: 'failed', reason: 'source_image_unavailable' } : { status: 'completed', reason: undefined }
  },
  failureRestores: false,
  /** Whether the end of an update waits for something else in its session. */
  endWaits: (_session: Session): boolean => false,
  /** Whether an update ends the active response. */
  cutsResponse: (_previous: EffectiveState, _next: EffectiveState): boolean => false,
  /** Both events of an accepted update, in this order. */
  order: ['session.updated', 'session.update.done'] as UpdateStep[],
  /** Milliseconds from the first to the second. */
  settleMs: 30,
  /** The state that a refused update leaves: the one of before. */
  keptOfRefused: (current: EffectiveState, _resolution: Resolution): EffectiveState => current,
  /** "A request failing validation yields `error` only": what else it yields. */
  refusedSteps: [] as UpdateStep[],
  /** Takes in what else an event holds; nothing but mode, avatar and image is mutable. */
  absorb: (_session: Session, _event: JsonObject): void => undefined,
  /** The state that is kept; the other one is announced. */
  stored: (_current: EffectiveState, next: EffectiveState, _session: Session): EffectiveState => next,
  /** The state after the update. */
  next: (
    _current: EffectiveState,
    { mode, activeAvatarId, sourceImageId }: Resolution,
    _session: Session,
  ): EffectiveState => ({
    mode,
    activeAvatarId,
    sourceImageId,
  }),
  /** "optional `media_transport` string and optional `media` object (updated connection details, when present)" */
  announcesMedia: (previous: EffectiveState, next: EffectiveState): boolean =>
    previous.mode === 'text_chat' && next.mode === 'video_avatar',
})
