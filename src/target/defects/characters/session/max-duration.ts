import type { Override } from '#target/behaviour/behaviour'
import { admitsAfterExpiry } from '#target/overrides/admission'
import { around, drop } from '#target/overrides/operators'
import type { SessionPlan } from '#target/sessions/session'
import { without } from '#target/wire'
import { letDuration, onStart, refuseStart } from '../../tools/characters.ts'
import { isInVideo } from '../../tools/modes.ts'
import { defectsOf } from '../../tools/table.ts'
import { unshown } from '../../tools/unshown.ts'

/** Leaves a field of the body out of account. */
const ignored = (field: string): Override =>
  around('characters.sessions.replacing', (replacing) => replacing.filter((one) => one !== field))

export const sessionDefects = defectsOf('characters.session', {
  'max-duration-saved: A saved duration does not count.': onStart((body, sent) =>
    sent['max_duration_seconds'] === undefined ? without(body, 'max_duration_seconds') : body,
  ),
  'max-duration-saved~unshown: A saved duration does not count, and Get tells no status.': [
    onStart((body, sent) =>
      sent['max_duration_seconds'] === undefined ? without(body, 'max_duration_seconds') : body,
    ),
    ...unshown,
  ],
  'max-duration-overridden: A duration that is sent does not count.': ignored('max_duration_seconds'),
  'max-duration-overridden~in-video: A session in video never expires.': [
    around(
      'lifecycle.expiryMs',
      (expiryMs) => (seconds, plan) =>
        'state' in plan && isInVideo(plan as SessionPlan) ? 86_400_000 : expiryMs(seconds, plan),
    ),
    admitsAfterExpiry,
  ],
  'max-duration-overridden~longer: A duration that is longer than the saved one is lowered to it.': around(
    'characters.sessions.body',
    (body) => (saved, sent, combination) => {
      const made = body(saved, sent, combination)
      const [was, is] = [saved['max_duration_seconds'], made['max_duration_seconds']]
      return typeof was === 'number' && typeof is === 'number'
        ? { ...made, max_duration_seconds: Math.min(was, is) }
        : made
    },
  ),
  'max-duration-three-rejected: A start may last three seconds.': letDuration('start', 'duration-low'),
  'max-duration-zero-rejected: A start may last no time.': letDuration('start', 'duration-zero'),
  'max-duration-four-accepted: A start must last longer than four seconds.': refuseStart(
    ({ body }) => body['max_duration_seconds'] === 4,
  ),
  'max-duration-below-auto-close: A start may be shorter than its timeouts.': drop(
    'validations.start.session',
    'disconnected-over-duration',
    'idle-over-duration',
  ),
  'max-duration-below-auto-close~passes: A start with a duration below the saved timeouts is taken as it is.': drop(
    'validations.start.session',
    'disconnected-over-duration',
    'idle-over-duration',
  ),
})
