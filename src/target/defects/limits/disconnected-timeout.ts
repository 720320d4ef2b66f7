import { drop, except, set } from '#target/overrides/operators'
import { objectAt } from '#target/wire'
import { refuseCreate, sent } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

const DISCONNECTED = 'disconnected_timeout_seconds'

export const disconnectedTimeoutDefects = defectsOf('limits.disconnected-timeout', {
  '0-accepted: Zero is below the minimum.': refuseCreate((input) => sent(input, 'auto_close', DISCONNECTED) === 0),
  'negative-rejected: A negative timeout is accepted.': drop('validations.createSession', 'disconnected-negative'),
  '9-rejected~both: Beside an idle timeout the disconnected one may be too short.': except(
    'validations.createSession',
    'disconnected-low',
    (input) => sent(input, 'auto_close', 'interaction_idle_timeout_seconds') !== undefined,
  ),
  '9-rejected: Nine seconds are accepted.': set('limits.disconnectedMinimum', 9),
  '10-accepted: Ten seconds are refused.': set('limits.disconnectedMinimum', 11),
  '3600-accepted: 3600 seconds are refused.': set('limits.disconnectedMaximum', 3599),
  '3601-rejected: 3601 seconds are accepted.': set('limits.disconnectedMaximum', 3601),
  'omitted-accepted: The timeout is required.': refuseCreate(
    (input) => sent(input, 'auto_close', DISCONNECTED) === undefined,
  ),
  'above-duration-rejected: A timeout above the duration is accepted.': drop(
    'validations.createSession',
    'disconnected-over-duration',
  ),
  'above-duration-rejected~both: Beside an idle timeout the disconnected one is not compared with the duration.':
    except('validations.createSession', 'disconnected-over-duration', (input) =>
      Boolean(objectAt(input.body, 'auto_close')['interaction_idle_timeout_seconds']),
    ),
  'equal-to-duration-accepted: A timeout must be below the duration.': refuseCreate(
    (input) => sent(input, 'auto_close', DISCONNECTED) === input.maxDuration,
  ),
  '10-accepted~in-video: In video sessions ten seconds are refused.': refuseCreate(
    (input) => input.mode === 'video_avatar' && sent(input, 'auto_close', DISCONNECTED) === 10,
  ),
  '3601-rejected~in-video: In video sessions 3601 seconds are accepted.': except(
    'validations.createSession',
    ['disconnected-high', 'disconnected-over-duration'],
    ({ mode, body }) => mode === 'video_avatar' && objectAt(body, 'auto_close')[DISCONNECTED] === 3601,
  ),
  '3600-accepted~in-video: In video sessions 3600 seconds are refused.': refuseCreate(
    (input) => input.mode === 'video_avatar' && sent(input, 'auto_close', DISCONNECTED) === 3600,
  ),
})
