import { drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { looks, onClosed, onGot, reachedBy } from './tools.ts'

const CLOSE = 'close-world-session'

const answerDefects = defectsOf('world-sessions', {
  'close.accepted': [
    'A close is answered with a failure and carried out.',
    ({ access }) => {
      access.actsFirst = (operation) => operation === CLOSE
      access.turnsAway = (operation) => (operation === CLOSE ? '10009' : undefined)
    },
  ],
  'close.names-session': ['A close names no session.', (b) => onClosed(b, drop('session_id'))],
  'close.status-in-set': ['A close is ok.', (b) => onClosed(b, put('status', 'ok'))],
  'close.status-in-set~active': [
    'A close shows the state before it.',
    (b) => {
      const look = looks()
      onClosed(b, (data) => (look(data) === 1 ? put('status', 'active')(data) : data))
    },
  ],
  'close.repeated-same-key': [
    'A close cannot be repeated.',
    ({ world: { reach } }) => {
      reach.closeRefusal = ({ status }) => (status === 'closing' || status === 'closed' ? '10009' : undefined)
    },
  ],
  'close.repeated-same-key~conflict': [
    'The key of a close may be used only once.',
    ({ world: { reach } }) => {
      reach.closeRefusal = ({ closeKeys }, key) => (key !== undefined && closeKeys.has(key) ? '30004' : undefined)
    },
  ],
  'close.without-key-accepted': [
    'A close needs a key.',
    ({ world: { reach } }) => void (reach.closeRefusal = (_session, key) => (key === undefined ? '20003' : undefined)),
  ],
})

const endDefects = defectsOf('world-sessions', {
  'close.leaves-active': [
    'A close is accepted and nothing happens.',
    ({ world }) => {
      world.life.closesBy = (cause) => cause !== 'request'
      world.views.closed['status'] = () => 'closing'
    },
  ],
  'close.reaches-closed': ['A cleanup never finishes.', ({ world }) => void (world.life.cleanupMs = 2 ** 31)],
  'close.never-active-again': [
    'A session that closes shows active again once it was looked at.',
    (b) => {
      const look = looks()
      onGot(b, (data) => {
        const ends = data['status'] === 'closing' || data['status'] === 'closed'
        return ends && look(data) > 1 ? put('status', 'active')(data) : data
      })
    },
  ],
  'close.closed-is-final': [
    'A closed session shows failed afterwards.',
    (b) => {
      const look = looks()
      onGot(b, (data) => (data['status'] === 'closed' && look(data) > 1 ? put('status', 'failed')(data) : data))
    },
  ],
})

const othersDefects = defectsOf('world-sessions', {
  'close.same-workspace-key': [
    'Only the key that created a session may close it.',
    (b) => reachedBy(b, CLOSE, (account, owner) => account.secret === owner.secret),
  ],
  'close.other-workspace-rejected': ['Any key may close any session.', (b) => reachedBy(b, CLOSE, () => true)],
  'close.other-workspace-changes-nothing': [
    'A close from another workspace is refused and carried out.',
    ({ world: { reach } }) => void (reach.closesUnseen = true),
  ],
  'close.unknown-session-rejected': [
    'A close of an unknown session succeeds.',
    ({ world: { reach } }) => void (reach.trusts = (operation) => operation === CLOSE),
  ],
  'close.leaves-others-open': [
    'A close takes all sessions of the workspace with it.',
    ({ world: { life } }) => {
      life.alsoCloses = ({ account }, all) => all.filter((other) => other.account.workspace === account.workspace)
    },
  ],
  'close.leaves-others-open~next': [
    'A close takes the session with it that was created after.',
    ({ world: { life } }) => {
      life.alsoCloses = (session, all) => {
        const index = all.indexOf(session)
        return all.slice(index + 1, index + 2)
      }
    },
  ],
  'close.leaves-others-open~previous': [
    'A close takes the session with it that was created before.',
    ({ world: { life } }) => {
      life.alsoCloses = (session, all) => all.slice(0, all.indexOf(session)).slice(-1)
    },
  ],
})

const expiryDefects = defectsOf('world-sessions', {
  'expiry.not-active-after': [
    'A session outlives its expiry.',
    ({ world }) => void (world.life.closesBy = (cause) => cause === 'request'),
  ],
  'expiry.no-secrets-after': [
    'A session that expired gets fresh secrets.',
    ({ world: { reach } }) => {
      const { secretRefusal } = reach
      reach.secretRefusal = (session, key) =>
        Date.now() >= session.expiresAt ? undefined : secretRefusal(session, key)
    },
  ],
})

export const worldCloseDefects = [...answerDefects, ...endDefects, ...othersDefects, ...expiryDefects]
