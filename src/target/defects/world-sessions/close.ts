import type { Override } from '#target/behaviour/behaviour'
import { type Change, omit, put } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { around, remembering, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'
import { looks, onGot, reachedBy } from '../tools/world-sessions.ts'

const closesBefore: Override = remembering(() => {
  let repeated = false
  return [
    around('world.reach.closeRefusal', (closeRefusal) => (session, key) => {
      repeated = key !== undefined && session.closeKeys.has(key)
      return closeRefusal(session, key)
    }),
    set('world.life.alsoCloses', (session, all) => {
      if (!repeated) return []
      const own = all.filter(({ account }) => account.workspace === session.account.workspace)
      const before = own[own.indexOf(session) - 1]
      return before === undefined ? [] : [before]
    }),
  ]
})

const CLOSE = 'close-world-session'

const onClosed = (make: Change): Override => onData('close-world-session', make)

/** Sessions that were asked for secrets after their close. */
const refusedAfterRenewal: Override = remembering(() => {
  const late = new Set<string>()
  return [
    around('world.reach.secretRefusal', (secretRefusal) => (session, key) => {
      if (session.status === 'closing' || session.status === 'closed') late.add(session.id)
      return secretRefusal(session, key)
    }),
    around(
      'world.reach.closeRefusal',
      (closeRefusal) => (session, key) => (late.has(session.id) ? '30004' : closeRefusal(session, key)),
    ),
  ]
})

export const closeDefects = defectsOf('world-sessions.close', {
  'repeated-same-key~secrets: A close is not to be repeated once secrets were asked for after it.': refusedAfterRenewal,
  'leaves-others-open: A close takes all sessions of the workspace with it.': set(
    'world.life.alsoCloses',
    ({ account }, all) => all.filter((other) => other.account.workspace === account.workspace),
  ),
  'leaves-others-open~repeated: A close repeated with its key closes the session made just before, too.': closesBefore,
  'leaves-others-open~next: A close takes the session with it that was created after.': set(
    'world.life.alsoCloses',
    (session, all) => {
      const index = all.indexOf(session)
      return all.slice(index + 1, index + 2)
    },
  ),
  'leaves-others-open~previous: A close takes the session with it that was created before.': set(
    'world.life.alsoCloses',
    (session, all) => all.slice(0, all.indexOf(session)).slice(-1),
  ),
  'closed-is-final: A closed session shows failed afterwards.': remembering(() => {
    const look = looks()
    return onGot((data) => (data['status'] === 'closed' && look(data) > 1 ? put('status', 'failed')(data) : data))
  }),
  'closed-is-final~closed-again: Whoever closes a closed session is told that it is closing.': onData(
    'close-world-session',
    (data) => (data['status'] === 'closed' ? { ...data, status: 'closing' } : data),
  ),
  'leaves-active: A close is accepted and nothing happens.': [
    set('world.life.closesBy', (cause) => cause !== 'request'),
    set('world.views.closed.status', () => 'closing'),
  ],
  'leaves-active~key-of-another: A close with the key of another session’s close is answered, and not carried out.':
    remembering(() => {
      const users = new Map<string, string>()
      let known = false
      return [
        around('world.reach.closeRefusal', (closeRefusal) => (session, key) => {
          known = key !== undefined && (users.get(key) ?? session.id) !== session.id
          if (key !== undefined && !known) users.set(key, session.id)
          return closeRefusal(session, key)
        }),
        set('world.life.closesBy', (cause) => cause === 'expiry' || !known),
        set('world.views.closed.status', ({ session }) => (session.status === 'active' ? 'closing' : session.status)),
      ]
    }),
  'accepted: A close is answered with a failure and carried out.': [
    set('access.actsFirst', (operation) => operation === CLOSE),
    set('access.turnsAway', (operation) => (operation === CLOSE ? '10009' : undefined)),
  ],
  'names-session: A close names no session.': onClosed(omit('session_id')),
  'status-in-set: A close is ok.': onClosed(put('status', 'ok')),
  'status-in-set~active: A close shows the state before it.': remembering(() => {
    const look = looks()
    return onClosed((data) => (look(data) === 1 ? put('status', 'active')(data) : data))
  }),
  'repeated-same-key: A close cannot be repeated.': set('world.reach.closeRefusal', ({ status }) =>
    status === 'closing' || status === 'closed' ? '10009' : undefined,
  ),
  'repeated-same-key~conflict: The key of a close may be used only once.': set(
    'world.reach.closeRefusal',
    ({ closeKeys }, key) => (key !== undefined && closeKeys.has(key) ? '30004' : undefined),
  ),
  'without-key-accepted: A close needs a key.': set('world.reach.closeRefusal', (_session, key) =>
    key === undefined ? '20003' : undefined,
  ),
  'reaches-closed: A cleanup never finishes.': set('world.life.cleanupMs', 2 ** 31),
  'never-active-again: A session that closes shows active again once it was looked at.': remembering(() => {
    const look = looks()
    return onGot((data) => {
      const ends = data['status'] === 'closing' || data['status'] === 'closed'
      return ends && look(data) > 1 ? put('status', 'active')(data) : data
    })
  }),
  'same-workspace-key: Only the key that created a session may close it.': reachedBy(
    CLOSE,
    (account, owner) => account.secret === owner.secret,
  ),
  'other-workspace-rejected: Any key may close any session.': reachedBy(CLOSE, () => true),
  'other-workspace-changes-nothing: A close from another workspace is refused and carried out.': set(
    'world.reach.closesUnseen',
    true,
  ),
  'unknown-session-rejected: A close of an unknown session succeeds.': set(
    'world.reach.trusts',
    (operation) => operation === CLOSE,
  ),
  'status-in-set~repeated: A repeated close has a status of its own.': remembering(() => {
    const count = looks()
    return onData('close-world-session', (data) => (count(data) > 1 ? { ...data, status: 'already_closed' } : data))
  }),
})
