import { drop } from '#target/overrides/operators'
import { CREATE, letDuration, refuseSave } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'

export const maxDurationDefects = defectsOf('characters.max-duration', {
  'create-three-rejected: Three seconds can be saved.': letDuration('character', 'duration-low'),
  'create-four-accepted: Four seconds cannot be saved.': refuseSave(
    CREATE,
    ({ body }) => body['max_duration_seconds'] === 4,
  ),
  'create-zero-rejected: A duration of 0 means none.': letDuration('character', 'duration-zero'),
  'create-negative-rejected: A negative duration can be saved.': letDuration('character', 'duration-negative'),
  'create-beyond-int32-rejected: Any long duration can be saved.': drop(
    'validations.character.session',
    'duration-high',
  ),
  'omitted-accepted: A duration must be saved.': refuseSave(
    CREATE,
    ({ body }) => body['max_duration_seconds'] === undefined,
  ),
  'replace-three-rejected: Three seconds can replace another duration.': letDuration('replacement', 'duration-low'),
  'replace-four-accepted: Four seconds cannot replace another duration.': refuseSave(
    'replace-character',
    ({ body }) => body['max_duration_seconds'] === 4,
  ),
  'replace-zero-rejected: A duration of 0 can replace another.': letDuration('replacement', 'duration-zero'),
})
