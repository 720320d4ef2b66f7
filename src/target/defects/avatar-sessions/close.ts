import { memory } from '#target/overrides/memory'
import { append, around, remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { isWire } from '#target/wire'
import { defectsOf } from '../tools/table.ts'

const endsWith = (session: Session): boolean => session.status === 'closed'

export const closeDefects = defectsOf('avatar-sessions.close', {
  'leaves-active: A close is accepted and nothing happens.': set('lifecycle.closesBy.request', false),
  'reaches-closed: A cleanup never finishes.': set('lifecycle.cleanupMs', 2 ** 31),
  'reaches-closed~failed: A cleanup ends in failed.': set('lifecycle.onCleanup', 'failed'),
  'reaches-closed~character: The cleanup of a session from a character never ends.': remembering(() => {
    const started = new Set<unknown>()
    return append('http.data', (data, operation) => {
      if (!isWire(data)) return data
      if (operation === 'create-session-from-character') started.add(data['session_id'])
      return operation === 'get-avatar-session' && data['status'] === 'closed' && started.has(data['session_id'])
        ? { ...data, status: 'closing' }
        : data
    })
  }),
  'reaches-closed~speaking: A session that is closed in the middle of a response stays closing.': remembering(() => {
    const stuck = new WeakSet<Session>()
    const status = (session: Session): unknown => (stuck.has(session) ? 'closing' : session.status)
    return [
      around('lifecycle.alsoCloses', (alsoCloses) => (session, all) => {
        if (session.response !== undefined) stuck.add(session)
        return alsoCloses(session, all)
      }),
      around('views.lists', (lists) => (session) => lists(session) || stuck.has(session)),
      set('views.got.status', status),
      set('views.listed.status', status),
      set('views.closed.status', status),
    ]
  }),
  'closed-shown-by-get: A session that closes is forgotten at once.': [
    set('access.seesSession', (session, operation) => !operation.startsWith('get') || session.status === 'active'),
    around('access.sees', (sees) => sees),
  ],
  'never-active-again: A session that closes shows active now and then.': around('views.got.status', () => {
    const looks = memory(() => ({ count: 0 }))
    return (session) => {
      if (session.status === 'active') return 'active'
      looks(session).count += 1
      return looks(session).count % 3 === 2 ? 'active' : session.status
    }
  }),
  'closed-is-final: A closed session shows failed afterwards.': around('views.got.status', () => {
    const looks = memory(() => ({ count: 0 }))
    return (session) => {
      if (!endsWith(session)) return session.status
      looks(session).count += 1
      return looks(session).count > 1 ? 'failed' : 'closed'
    }
  }),
  'closed-is-final~closed-again: A closed session that is closed again shows closing once more.': set(
    'lifecycle.closable',
    (status) => status === 'active' || status === 'closed',
  ),
  'accepted: A close is answered with a failure and carried out.': [
    set('access.actsFirst', (operation) => operation.startsWith('close')),
    set('access.turnsAway', (operation) => (operation.startsWith('close') ? '10009' : undefined)),
  ],
  'unknown-session-rejected: A close of an unknown session succeeds.': set('access.closesUnknown', true),
  'other-workspace-rejected: Any key may close any session.': around(
    'access.sees',
    (sees) => (account, owner, operation) => operation.startsWith('close') || sees(account, owner, operation),
  ),
  'other-workspace-changes-nothing: A close from another workspace is refused and carried out.': set(
    'access.closesUnseen',
    true,
  ),
  'same-workspace-key: Only the key that created a session may close it.': around(
    'access.sees',
    (sees) => (account, owner, operation) =>
      sees(account, owner, operation) && (!operation.startsWith('close') || account.secret === owner.secret),
  ),
  'leaves-others-open: A close takes all sessions of the workspace with it.': set(
    'lifecycle.alsoCloses',
    (session, all) => all.filter((other) => other.account.workspace === session.account.workspace),
  ),
  'leaves-others-open~character: Close ends all sessions of the same character.': set(
    'lifecycle.alsoCloses',
    (session, all) =>
      session.plan.characterId === undefined
        ? []
        : all.filter((one) => one.plan.characterId === session.plan.characterId),
  ),
})
