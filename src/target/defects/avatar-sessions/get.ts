import { change, put } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { around, set } from '#target/overrides/operators'
import { GET } from '../tools/creates.ts'
import { defectsOf } from '../tools/table.ts'
import { showsHidden } from '../tools/refusals.ts'

export const getDefects = defectsOf('avatar-sessions.get', {
  'names-session: Get names another session.': onData(GET, put('session_id', 'ses_other')),
  'names-session~started: Get of a session from a character names the character.': set(
    'views.got.session_id',
    ({ id, plan }) => plan.characterId ?? id,
  ),
  'agrees-with-create: Get shows another model.': onData(
    GET,
    change('model', (model) => (model === 'svc-a1-stream' ? 'svc-a1-stream-lite' : 'svc-a1-stream')),
  ),
  'open-session-not-closed: Get shows an open session as closed.': onData(GET, put('status', 'closed')),
  'own-session-found: Get knows no session younger than a second.': set(
    'access.seesSession',
    (session, operation) => !operation.startsWith('get') || Date.now() - session.createdAt > 1000,
  ),
  'same-workspace-key: Only the key that created a session may get it.': around(
    'access.sees',
    (sees) => (account, owner, operation) =>
      sees(account, owner, operation) && (!operation.startsWith('get') || account.secret === owner.secret),
  ),
  'other-workspace-rejected~told: Get refuses a session of another workspace, and shows it.': showsHidden(GET),
  'other-workspace-rejected: Any key may get any session.': around(
    'access.sees',
    (sees) => (account, owner, operation) => operation.startsWith('get') || sees(account, owner, operation),
  ),
  'unknown-session-rejected: Get of an unknown session shows an empty one.': set('access.getsUnknown', true),
})
