import { validation } from '#target/behaviour/validations/input-validation'
import { add, except } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { isStarted } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

export const sessionDefects = defectsOf('characters.session', {
  'control-knows-avatars: A session from a character keeps its first active avatar.': add(
    'validations.sessionUpdate',
    'refused-by-defect',
    validation('4.4', 'session.active_avatar_id', ({ asked, session }) => {
      const active = asked['active_avatar_id']
      return isStarted(session) && active !== undefined && active !== session.plan.state.activeAvatarId
    }),
  ),
  'control-speaks: A session from a character has no responses.': add(
    'validations.responseCreate',
    'refused-by-defect',
    validation('4.4', 'response', ({ session }: { session: Session }) => isStarted(session)),
  ),
  'control-unknown-avatar-error: A session from a character takes any avatar.': except(
    'validations.sessionUpdate',
    'active-avatar-unknown',
    (input) => isStarted(input.session),
  ),
  'control-knows-avatars~failing: Over each update of a session from a character a step of the service fails.': add(
    'validations.sessionUpdate',
    'fails-by-defect',
    validation('6.2', 'event', ({ session }) => {
      if (isStarted(session)) throw new Error('a step of the service failed')
      return false
    }),
  ),
})
