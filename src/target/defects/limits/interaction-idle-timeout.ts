import { around, drop, except, set } from '#target/overrides/operators'
import { objectAt } from '#target/wire'
import { refuseCreate, sent } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

const IDLE = 'interaction_idle_timeout_seconds'

export const interactionIdleTimeoutDefects = defectsOf('limits.interaction-idle-timeout', {
  '0-accepted: Zero is below the minimum.': refuseCreate((input) => sent(input, 'auto_close', IDLE) === 0),
  'negative-rejected: A negative timeout is accepted.': drop('validations.createSession', 'idle-negative'),
  '29-rejected: 29 seconds are accepted.': set('limits.idleMinimum', 29),
  '30-accepted: 30 seconds are refused.': set('limits.idleMinimum', 31),
  '3600-accepted: 3600 seconds are refused.': set('limits.idleMaximum', 3599),
  '3601-rejected: 3601 seconds are accepted.': set('limits.idleMaximum', 3601),
  'omitted-off: An omitted timeout means half an hour.': around(
    'create.autoClose',
    (autoClose) => (body, limits, duration) => {
      const policy = autoClose(body, limits, duration)
      const omitted = objectAt(body, 'auto_close')[IDLE] === undefined
      return omitted ? { ...policy, idleSeconds: 1800 } : policy
    },
  ),
  'above-duration-rejected: A timeout above the duration is accepted.': drop(
    'validations.createSession',
    'idle-over-duration',
  ),
  'above-duration-rejected~both: Beside a disconnected timeout the idle one is not compared with the duration.': except(
    'validations.createSession',
    'idle-over-duration',
    (input) => Boolean(objectAt(input.body, 'auto_close')['disconnected_timeout_seconds']),
  ),
  'equal-to-duration-accepted: A timeout must be below the duration.': refuseCreate(
    (input) => sent(input, 'auto_close', IDLE) === input.maxDuration,
  ),
  '30-accepted~in-video: In video sessions thirty seconds are refused.': refuseCreate(
    (input) => input.mode === 'video_avatar' && sent(input, 'auto_close', 'interaction_idle_timeout_seconds') === 30,
  ),
  '29-rejected~both: Beside a disconnected timeout the idle one may be too short.': except(
    'validations.createSession',
    'idle-low',
    (input) => sent(input, 'auto_close', 'disconnected_timeout_seconds') !== undefined,
  ),
  '29-rejected~in-video: In video sessions 29 seconds are accepted.': except(
    'validations.createSession',
    'idle-low',
    ({ mode }) => mode === 'video_avatar',
  ),
  '3601-rejected~in-text: In text sessions 3601 seconds are accepted.': except(
    'validations.createSession',
    ['idle-high', 'idle-over-duration'],
    ({ mode, body }) =>
      mode === 'text_chat' && objectAt(body, 'auto_close')['interaction_idle_timeout_seconds'] === 3601,
  ),
  'above-duration-rejected~in-video: In video sessions a timeout above the duration is accepted.': except(
    'validations.createSession',
    'idle-over-duration',
    ({ mode }) => mode === 'video_avatar',
  ),
})
