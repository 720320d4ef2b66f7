import { drop, set, except } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

export const maxDurationDefects = defectsOf('limits.max-duration', {
  'three-rejected: Three seconds are accepted.': set('limits.maxDurationMinimum', 3),
  'four-accepted: Four seconds are refused.': set('limits.maxDurationMinimum', 5),
  'zero-rejected: Zero means the default.': [
    drop('validations.createSession', 'duration-zero'),
    set('create.maxDuration', ({ max_duration_seconds: asked }, { maxDurationDefault }) =>
      typeof asked === 'number' && asked !== 0 ? asked : maxDurationDefault,
    ),
  ],
  'negative-rejected: A negative duration means the default.': [
    drop('validations.createSession', 'duration-negative'),
    set('create.maxDuration', ({ max_duration_seconds: asked }, { maxDurationDefault }) =>
      typeof asked === 'number' && asked > 0 ? asked : maxDurationDefault,
    ),
  ],
  'three-rejected~in-video: In video sessions three seconds are accepted.': except(
    'validations.createSession',
    'duration-low',
    ({ mode }) => mode === 'video_avatar',
  ),
  'negative-rejected~in-video: In video sessions a negative duration is accepted.': except(
    'validations.createSession',
    ['duration-negative', 'disconnected-over-duration', 'idle-over-duration'],
    ({ mode, body }) => mode === 'video_avatar' && Number(body['max_duration_seconds']) < 0,
  ),
})
