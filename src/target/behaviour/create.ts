import { type JsonObject, objectAt, objectsAt, wiresOf, textOf } from '../wire.ts'
import type { KeyState } from '../keys.ts'
import type { AutoClose } from '../sessions/session.ts'
import type { ErrorCode } from './codes.ts'
import type { Limits } from './access/limits.ts'

/** The steps that a create passes, each able to end it. */
export type CreateStep = 'billing' | 'permission' | 'validation' | 'idempotency' | 'capacity' | 'concurrency'

/** An image that video can be made from: it has a URL (2.3). */
export const usable = (image: JsonObject): boolean => typeof image['url'] === 'string' && image['url'] !== ''

export const imagesOf = (avatar: JsonObject | undefined): JsonObject[] =>
  objectsAt(objectAt(avatar, 'visual'), 'source_images')

export const imageOf = (avatar: JsonObject | undefined, id: string): JsonObject | undefined =>
  imagesOf(avatar).find((image) => image['source_image_id'] === id)

export const avatarOf = (avatars: JsonObject[], id: unknown): JsonObject | undefined =>
  avatars.find((avatar) => avatar['avatar_id'] === id)

/** 4.1 Create Session: order of the checks and the session resolution rules. */
export const create = () => ({
  /** Which check comes first is not said; one fault at a time gives the same answer in any order. */
  order: ['billing', 'permission', 'validation', 'idempotency', 'capacity', 'concurrency'] as readonly CreateStep[],
  models: ['svc-a1-stream', 'svc-a1-stream-lite'],
  modes: ['text_chat', 'video_avatar'],
  transports: ['rtc_a', 'rtc_b'],
  resolutions: ['480p', '720p'],
  /** 4.1 names `9:16`, `1:1` and `16:9` as examples; what else is supported is the service's own. */
  aspectRatios: ['9:16', '1:1', '16:9', '3:4', '4:3'],
  recordingModes: ['on', 'off'],
  /** Whether a create passes a step unlooked at. */
  skips: (_operation: string, _step: CreateStep, _state: KeyState): boolean => false,
  /** Milliseconds that allocation takes. */
  allocationMs: 0,
  /** What stands in for a body that is no JSON, or no object; `undefined` = it is refused. */
  unparsable: (_bytes: Buffer): JsonObject | undefined => undefined,
  /** Whether a create that is refused with this code makes its session all the same. */
  makesRefused: (_code: ErrorCode, _operation: string): boolean => false,
  /** A passing failure of the service itself, by the number of the create; none of them is the caller's fault. */
  internalError: (_count: number): 'before' | 'after' | undefined => undefined,
  /** Changes the body before anything else looks at it. */
  read: (body: JsonObject): JsonObject => body,
  mode: (session: JsonObject): string => textOf(session['mode']) ?? 'video_avatar',
  /** Rule 1: "`active_avatar_id` omitted with exactly one avatar: that avatar is used". */
  activeAvatarId: (session: JsonObject, avatars: JsonObject[]): string | undefined => {
    if (session['active_avatar_id'] !== undefined) return textOf(session['active_avatar_id'])
    return avatars.length === 1 ? textOf(avatars[0]?.['avatar_id']) : undefined
  },
  /** Rule 2: the explicit image, else the avatar's default, else its only image. */
  sourceImageId: (session: JsonObject, avatar: JsonObject | undefined): string | undefined => {
    if (session['source_image_id'] !== undefined) return textOf(session['source_image_id'])
    const named = textOf(objectAt(avatar, 'visual')['default_source_image_id'])
    if (named !== undefined && named !== '') return named
    const images = imagesOf(avatar)
    return images.length === 1 ? textOf(images[0]?.['source_image_id']) : undefined
  },
  usable,
  maxDuration: (body: JsonObject, limits: Limits): number => {
    const asked = body['max_duration_seconds']
    return typeof asked === 'number' ? asked : limits.maxDurationDefault
  },
  /** 2.1: the "effective policy snapshotted at creation". */
  autoClose: (body: JsonObject, limits: Limits, maxDuration: number): AutoClose => {
    const asked = objectAt(body, 'auto_close')
    const disconnected = asked['disconnected_timeout_seconds']
    const idle = asked['interaction_idle_timeout_seconds']
    const platform = limits.disconnectedPlatform <= maxDuration ? limits.disconnectedPlatform : 0
    return {
      disconnectedSeconds: typeof disconnected === 'number' ? disconnected : platform,
      idleSeconds: typeof idle === 'number' ? idle : 0,
    }
  },
  region: (body: JsonObject): string => textOf(body['region']) ?? '',
  /** "required for `video_avatar`; ignored in `text_chat`". */
  output: (body: JsonObject, mode: string, limits: Limits): JsonObject | undefined => {
    if (mode === 'text_chat') return undefined
    const asked = objectAt(body, 'output')
    return {
      aspect_ratio: asked['aspect_ratio'] ?? '9:16',
      resolution: asked['resolution'] ?? '480p',
      fps: limits.fps,
    }
  },
  transport: (body: JsonObject): string =>
    textOf(objectAt(objectAt(body, 'delivery'), 'media')['transport']) ?? 'rtc_a',
  conversation: (body: JsonObject): JsonObject => objectAt(body, 'conversation'),
  assets: (body: JsonObject): JsonObject | undefined =>
    body['assets'] === undefined ? undefined : objectAt(body, 'assets'),
  avatars: (body: JsonObject): JsonObject[] => wiresOf(body['avatars']),
})

export type Create = ReturnType<typeof create>
