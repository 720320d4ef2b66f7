import { validation } from '#target/behaviour/validations/input-validation'
import { add, drop } from '#target/overrides/operators'
import { refuseStart } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

export const sessionDefects = defectsOf('characters.session', {
  'recording-on-accepted: Whoever switches recording on by a start is told that the parameter is invalid.': refuseStart(
    ({ body }) => body['recording_mode'] === 'on',
    '20004',
  ),
  'recording-off-accepted: Recording cannot be switched off by a start.': refuseStart(
    ({ body }) => body['recording_mode'] === 'off',
  ),
  'recording-off-accepted~refused: A start refuses recording_mode off.': add(
    'validations.start.body',
    'recording-off',
    validation('4.1', 'recording_mode', ({ body }) => body['recording_mode'] === 'off'),
  ),
  'recording-unknown-rejected: Any recording mode can be sent.': drop(
    'validations.start.session',
    'recording-mode-unknown',
  ),
})
