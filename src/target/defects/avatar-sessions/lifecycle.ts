import type { Session } from '#target/sessions/session'
import { defectsOf } from '../table.ts'
import { memory } from '../tools.ts'

const endsWith = (session: Session): boolean => session.status === 'closed'

const closeDefects = defectsOf('avatar-sessions', {
  'close.leaves-active': [
    'A close is accepted and nothing happens.',
    ({ lifecycle }) => void (lifecycle.closesBy.request = false),
  ],
  'close.reaches-closed': ['A cleanup never finishes.', ({ lifecycle }) => void (lifecycle.cleanupMs = 2 ** 31)],
  'close.reaches-closed~failed': [
    'A cleanup ends in failed.',
    ({ lifecycle }) => void (lifecycle.onCleanup = 'failed'),
  ],
  'close.closed-shown-by-get': [
    'A session that closes is forgotten at once.',
    ({ access }) => {
      const { sees } = access
      access.seesSession = (session, operation) => !operation.startsWith('get') || session.status === 'active'
      access.sees = sees
    },
  ],
  'close.never-active-again': [
    'A session that closes shows active now and then.',
    (b) => {
      const looks = memory(() => ({ count: 0 }))
      b.views.got['status'] = (session) => {
        if (session.status === 'active') return 'active'
        looks(session).count += 1
        return looks(session).count % 3 === 2 ? 'active' : session.status
      }
    },
  ],
  'close.closed-is-final': [
    'A closed session shows failed afterwards.',
    (b) => {
      const looks = memory(() => ({ count: 0 }))
      b.views.got['status'] = (session) => {
        if (!endsWith(session)) return session.status
        looks(session).count += 1
        return looks(session).count > 1 ? 'failed' : 'closed'
      }
    },
  ],
  'close.accepted': [
    'A close is answered with a failure and carried out.',
    ({ access }) => {
      access.actsFirst = (operation) => operation.startsWith('close')
      access.turnsAway = (operation) => (operation.startsWith('close') ? '10009' : undefined)
    },
  ],
  'close.unknown-session-rejected': [
    'A close of an unknown session succeeds.',
    ({ access }) => void (access.closesUnknown = true),
  ],
  'close.other-workspace-rejected': [
    'Any key may close any session.',
    ({ access }) => {
      const { sees } = access
      access.sees = (account, owner, operation) => operation.startsWith('close') || sees(account, owner, operation)
    },
  ],
  'close.other-workspace-changes-nothing': [
    'A close from another workspace is refused and carried out.',
    ({ access }) => void (access.closesUnseen = true),
  ],
  'close.same-workspace-key': [
    'Only the key that created a session may close it.',
    ({ access }) => {
      const { sees } = access
      access.sees = (account, owner, operation) =>
        sees(account, owner, operation) && (!operation.startsWith('close') || account.secret === owner.secret)
    },
  ],
  'close.leaves-others-open': [
    'A close takes all sessions of the workspace with it.',
    ({ lifecycle }) => {
      lifecycle.alsoCloses = (session, all) =>
        all.filter((other) => other.account.workspace === session.account.workspace)
    },
  ],
})

const autoCloseDefects = defectsOf('avatar-sessions', {
  'auto-close.disconnected-never-connected': [
    'A session that nobody ever connected to stays.',
    ({ lifecycle }) => void (lifecycle.countsNeverConnected = false),
  ],
  'auto-close.disconnected-after-last-connection': [
    'A session stays when its last connection ends.',
    ({ lifecycle }) => void (lifecycle.countsAgainAfterDisconnect = false),
  ],
  'auto-close.disconnected-not-early': [
    'The disconnected timeout strikes in half its time.',
    ({ lifecycle }) => {
      lifecycle.disconnectedMs = ({ disconnectedSeconds }) => disconnectedSeconds * 500
    },
  ],
  'auto-close.disconnected-held-by-connection': [
    'A connection does not stop the disconnected timeout.',
    ({ lifecycle }) => void (lifecycle.stopsDisconnected = () => false),
  ],
  'auto-close.disconnected-held-by-second-connection': [
    'The end of any connection starts the disconnected timeout.',
    ({ lifecycle }) => void (lifecycle.disconnectedWhen = () => true),
  ],
  'auto-close.disconnected-restarts-after-connection': [
    'The disconnected timeout counts from the creation, connected or not.',
    ({ lifecycle }) => {
      lifecycle.disconnectedMs = ({ disconnectedSeconds }, { createdAt }) =>
        disconnectedSeconds === 0 ? 0 : Math.max(1, createdAt + disconnectedSeconds * 1000 - Date.now())
    },
  ],
  'auto-close.disconnected-never-connected-counts': [
    'Time before the first connection counts a quarter.',
    ({ lifecycle }) => {
      lifecycle.disconnectedMs = ({ disconnectedSeconds }, { everConnected }) =>
        disconnectedSeconds * (everConnected ? 1000 : 4000)
    },
  ],
  'auto-close.disconnected-zero-disables': [
    'A disconnected timeout of 0 means twelve seconds.',
    ({ lifecycle }) =>
      void (lifecycle.disconnectedMs = ({ disconnectedSeconds }) =>
        (disconnectedSeconds === 0 ? 12 : disconnectedSeconds) * 1000),
  ],
  'auto-close.idle-closes': [
    'The idle timeout never strikes.',
    ({ lifecycle }) => void (lifecycle.closesBy.idle = false),
  ],
  'auto-close.idle-not-early': [
    'The idle timeout strikes in half its time.',
    ({ lifecycle }) => void (lifecycle.idleMs = ({ idleSeconds }) => idleSeconds * 500),
  ],
  'auto-close.idle-zero-disables': [
    'An idle timeout of 0 means twenty seconds.',
    ({ lifecycle }) => void (lifecycle.idleMs = ({ idleSeconds }) => (idleSeconds === 0 ? 20 : idleSeconds) * 1000),
  ],
  'auto-close.idle-omitted-disables': [
    'An omitted idle timeout means twenty seconds, though 0 is shown.',
    ({ lifecycle }) => void (lifecycle.idleMs = ({ idleSeconds }) => (idleSeconds === 0 ? 20 : idleSeconds) * 1000),
  ],
  'auto-close.idle-reset-by-accepted-event': [
    'Accepted events do not reset the idle timeout.',
    ({ lifecycle }) => void (lifecycle.resetsIdle = (stimulus) => stimulus === 'user_speech'),
  ],
  'auto-close.idle-not-reset-by-ping': [
    'Pings reset the idle timeout.',
    ({ lifecycle }) =>
      void (lifecycle.resetsIdle = (stimulus) => ['accepted', 'user_speech', 'pong'].includes(stimulus)),
  ],
  'auto-close.idle-not-reset-by-server-events': [
    'Server events reset the idle timeout. Speech takes its time, so that it can be seen.',
    ({ lifecycle, pace }) => {
      lifecycle.resetsIdle = (stimulus) => ['accepted', 'user_speech', 'server_event'].includes(stimulus)
      pace.deltaMs = 1_200
    },
  ],
  'auto-close.idle-not-reset-by-rejected-event': [
    'Refused events reset the idle timeout.',
    ({ lifecycle }) =>
      void (lifecycle.resetsIdle = (stimulus) => ['accepted', 'user_speech', 'refused'].includes(stimulus)),
  ],
})

const expiryDefects = defectsOf('avatar-sessions', {
  'expiry.max-duration-ends-session': [
    'A session outlives its duration.',
    ({ lifecycle, channel }) => {
      lifecycle.closesBy.expiry = false
      channel.admission['session-expired'] = () => false
    },
  ],
  'expiry.expires-at-ends-session': [
    'A session ends a minute after its expiry.',
    ({ lifecycle, channel, views }) => {
      lifecycle.expiryMs = (seconds) => seconds * 1000 + 60_000
      channel.admission['session-expired'] = () => false
      views.created['expires_at'] = ({ expiresAt }) => new Date(expiresAt - 60_000).toISOString()
    },
  ],
  'expiry.expires-at-within-max-duration': [
    'The expiry shown is an hour late.',
    ({ views }) => {
      views.created['expires_at'] = ({ expiresAt }) => new Date(expiresAt + 3_600_000).toISOString()
    },
  ],
})

export const lifecycleDefects = [...closeDefects, ...autoCloseDefects, ...expiryDefects]
