import { type JsonObject, objectAt } from '#target/wire'
import { type Create, avatarOf, imageOf } from '../create.ts'
import type { Limits } from '../access/limits.ts'
import { above, below, missing, notInteger, notObject, notOneOf, notString } from './faults.ts'
import { type ValidationInput, validation } from './input-validation.ts'

/** A create with what follows from it. */
export interface CreateInput extends ValidationInput {
  body: JsonObject
  create: Create
  session: JsonObject
  mode: string
  avatars: JsonObject[]
  activeAvatarId: string | undefined
  active: JsonObject | undefined
  sourceImageId: string | undefined
  sourceImage: JsonObject | undefined
  maxDuration: number
  /** The character that the session starts from. */
  characterId?: string
}

/** Resolves what the rules look at; never throws, whatever the body holds. */
export function readCreate(body: JsonObject, create: Create, limits: Limits): CreateInput {
  const session = objectAt(body, 'session')
  const avatars = create.avatars(body)
  const activeAvatarId = create.activeAvatarId(session, avatars)
  const active = avatarOf(avatars, activeAvatarId)
  const sourceImageId = create.sourceImageId(session, active)
  const sourceImage = sourceImageId === undefined ? undefined : imageOf(active, sourceImageId)
  const mode = create.mode(session)
  const maxDuration = create.maxDuration(body, limits)
  return {
    body,
    create,
    limits,
    session,
    mode,
    avatars,
    activeAvatarId,
    active,
    sourceImageId,
    sourceImage,
    maxDuration,
  }
}

const at = (section: string, param: string, broken: (value: unknown, input: CreateInput) => boolean) =>
  validation(section, param, (input: CreateInput) => broken(input.body[param], input))
const inSession = (param: string, broken: (value: unknown, input: CreateInput) => boolean) =>
  validation('4.1', `session.${param}`, (input: CreateInput) => broken(input.session[param], input))
const inOutput = (param: string, broken: (value: unknown, input: CreateInput) => boolean) =>
  validation('4.1', `output.${param}`, (input: CreateInput) =>
    video(input) ? broken(objectAt(input.body, 'output')[param], input) : false,
  )
const inMedia = (broken: (value: unknown, input: CreateInput) => boolean) =>
  validation('4.1', 'delivery.media.transport', (input: CreateInput) =>
    broken(objectAt(objectAt(input.body, 'delivery'), 'media')['transport'], input),
  )
const inAutoClose = (param: string, broken: (value: unknown, input: CreateInput) => boolean) =>
  validation('4.1', `auto_close.${param}`, (input: CreateInput) =>
    broken(objectAt(input.body, 'auto_close')[param], input),
  )

const video = (input: CreateInput): boolean => input.mode === 'video_avatar'
const disconnected = (broken: (value: unknown, input: CreateInput) => boolean) =>
  inAutoClose('disconnected_timeout_seconds', broken)
const idle = (broken: (value: unknown, input: CreateInput) => boolean) =>
  inAutoClose('interaction_idle_timeout_seconds', broken)

const bodyValidations = () => ({
  'model-missing': at('4.1', 'model', missing),
  'model-not-string': at('4.1', 'model', notString),
  'model-unsupported': at('4.1', 'model', (value, input) => notOneOf(value, input.create.models)),
  'idempotency-key-not-string': at('4.1', 'idempotency_key', notString),
  'region-not-string': at('4.1', 'region', notString),
  'recording-mode-not-string': at('4.1', 'recording_mode', notString),
  'recording-mode-unknown': at('4.1', 'recording_mode', (value, input) => notOneOf(value, input.create.recordingModes)),
  'session-not-object': at('4.1', 'session', notObject),
  'output-not-object': at('4.1', 'output', (value, input) => video(input) && notObject(value)),
  'delivery-not-object': at('4.1', 'delivery', notObject),
  'auto-close-not-object': at('4.1', 'auto_close', notObject),
})

const stateValidations = () => ({
  'mode-not-string': inSession('mode', notString),
  'mode-unknown': inSession('mode', (value, input) => notOneOf(value, input.create.modes)),
  'active-avatar-not-string': inSession('active_avatar_id', notString),
  'active-avatar-ambiguous': inSession(
    'active_avatar_id',
    (value, input) => missing(value) && input.avatars.length > 1 && input.activeAvatarId === undefined,
  ),
  'active-avatar-unknown': inSession(
    'active_avatar_id',
    (value, input) => typeof value === 'string' && input.active === undefined,
  ),
  'source-image-not-string': inSession('source_image_id', notString),
  'source-image-unknown': inSession(
    'source_image_id',
    (value, input) => video(input) && typeof value === 'string' && input.sourceImage === undefined,
  ),
  'source-image-unusable': inSession(
    'source_image_id',
    (value, input) =>
      video(input) &&
      typeof value === 'string' &&
      input.sourceImage !== undefined &&
      !input.create.usable(input.sourceImage),
  ),
  'source-image-unresolved': inSession(
    'source_image_id',
    (value, input) =>
      video(input) &&
      missing(value) &&
      input.active !== undefined &&
      (input.sourceImage === undefined || !input.create.usable(input.sourceImage)),
  ),
})

const outputValidations = () => ({
  'output-missing': at('4.1', 'output', (value, input) => video(input) && missing(value)),
  'resolution-not-string': inOutput('resolution', notString),
  'resolution-unsupported': inOutput('resolution', (value, input) => notOneOf(value, input.create.resolutions)),
  'aspect-ratio-not-string': inOutput('aspect_ratio', notString),
  'aspect-ratio-unsupported': inOutput('aspect_ratio', (value, input) => notOneOf(value, input.create.aspectRatios)),
  'transport-not-string': inMedia((value, input) => video(input) && notString(value)),
  'transport-unknown': inMedia((value, input) => video(input) && notOneOf(value, input.create.transports)),
})

/** 4.1 and section 8: durations and the automatic closures. A timeout of 0 disables, so it is under no range. */
const durationValidations = () => ({
  'duration-not-integer': at('4.1', 'max_duration_seconds', notInteger),
  'duration-zero': at('4.1', 'max_duration_seconds', (value) => value === 0),
  'duration-negative': at('4.1', 'max_duration_seconds', (value) => below(value, 0)),
  'duration-low': at(
    '4.1',
    'max_duration_seconds',
    (value, input) => above(value, 0) && below(value, input.limits.maxDurationMinimum),
  ),
  'duration-high': at('4.1', 'max_duration_seconds', (value, input) => above(value, input.limits.maxDurationMaximum)),
  'disconnected-not-integer': disconnected(notInteger),
  'disconnected-negative': disconnected((value) => below(value, 0)),
  'disconnected-low': disconnected((value, input) => above(value, 0) && below(value, input.limits.disconnectedMinimum)),
  'disconnected-high': disconnected((value, input) => above(value, input.limits.disconnectedMaximum)),
  'disconnected-over-duration': disconnected((value, input) => above(value, input.maxDuration)),
  'idle-not-integer': idle(notInteger),
  'idle-negative': idle((value) => below(value, 0)),
  'idle-low': idle((value, input) => above(value, 0) && below(value, input.limits.idleMinimum)),
  'idle-high': idle((value, input) => above(value, input.limits.idleMaximum)),
  'idle-over-duration': idle((value, input) => above(value, input.maxDuration)),
})

/** 4.1 Create Session: its own fields and the session resolution rules. */
export const createSessionValidations = () => ({
  ...bodyValidations(),
  ...stateValidations(),
  ...outputValidations(),
  ...durationValidations(),
})
