import type { Session } from '#target/sessions/session'
import type { JsonObject } from '#target/wire'
import { imageOf, usable } from '../create.ts'
import type { Resolution } from '../update.ts'
import { empty, missing, notObject, notOneOf, notString } from './faults.ts'
import { type ValidationInput, validation } from './input-validation.ts'

export interface UpdateInput extends ValidationInput {
  event: JsonObject
  asked: JsonObject
  session: Session
  resolution: Resolution
}

const asked = (param: string, broken: (value: unknown, input: UpdateInput) => boolean) =>
  validation('4.4', `session.${param}`, (input: UpdateInput) => broken(input.asked[param], input))
const video = (input: UpdateInput): boolean => input.resolution.mode === 'video_avatar'

/** 4.4 `session.update`. */
export const sessionUpdateValidations = () => ({
  'session-missing': validation('4.4', 'session', (input: UpdateInput) => missing(input.event['session'])),
  'session-not-object': validation('4.4', 'session', (input: UpdateInput) => notObject(input.event['session'])),
  'mode-not-string': asked('mode', notString),
  'mode-unknown': asked('mode', (value) => notOneOf(value, ['text_chat', 'video_avatar'])),
  'active-avatar-not-string': asked('active_avatar_id', notString),
  'active-avatar-unknown': asked(
    'active_avatar_id',
    (value, input) => typeof value === 'string' && input.resolution.active === undefined,
  ),
  'source-image-not-string': asked('source_image_id', (value) => value !== null && notString(value)),
  'source-image-empty': asked('source_image_id', empty),
  'source-image-unknown': asked(
    'source_image_id',
    (value, input) =>
      video(input) &&
      typeof value === 'string' &&
      value !== '' &&
      imageOf(input.resolution.active, value) === undefined,
  ),
  // "Fails in video mode if no usable image resolves."
  'source-image-unresolved': asked('source_image_id', (value, input) => {
    if (!video(input)) return false
    const image = input.resolution.sourceImage
    return image === undefined ? typeof value !== 'string' : !usable(image)
  }),
})
