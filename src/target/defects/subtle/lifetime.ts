import type { Session } from '#target/sessions/session'
import { defectsOf } from '../table.ts'
import { beforeConnect } from '../tools.ts'

/** 4.1 and 3.1: keys used once more, and sessions that end in another way than usual. */
export const subtleLifetimeDefects = [
  ...defectsOf('avatar-sessions', {
    'idempotency.retry-same-session~third': [
      'The third create with a key makes a session of its own.',
      ({ idempotency }) => {
        const uses = new Map<string, number>()
        const { scope } = idempotency
        idempotency.scope = (account, key) => {
          const scoped = scope(account, key)
          const count = (uses.get(scoped) ?? 0) + 1
          uses.set(scoped, count)
          return count > 2 ? `${scoped}\n${count}` : scoped
        }
      },
    ],
    'close.closed-is-final~closed-again': [
      'A closed session that is closed again shows closing once more.',
      ({ lifecycle }) => void (lifecycle.closable = (status) => status === 'active' || status === 'closed'),
    ],
    'close.reaches-closed~speaking': [
      'A session that is closed in the middle of a response stays closing.',
      ({ lifecycle, views }) => {
        const stuck = new WeakSet<Session>()
        const { alsoCloses } = lifecycle
        lifecycle.alsoCloses = (session, all) => {
          if (session.response !== undefined) stuck.add(session)
          return alsoCloses(session, all)
        }
        const { lists } = views
        views.lists = (session) => lists(session) || stuck.has(session)
        const status = (session: Session): unknown => (stuck.has(session) ? 'closing' : session.status)
        views.got['status'] = status
        views.listed['status'] = status
        views.closed['status'] = status
      },
    ],
    'auto-close.disconnected-held-by-connection~reconnected': [
      'A second connection does not stop the disconnected timeout that the end of the first one started.',
      ({ lifecycle, channel }) => {
        const latest: { reconnected: boolean } = { reconnected: false }
        beforeConnect({ channel }, (session) => {
          latest.reconnected = session.everConnected
        })
        lifecycle.stopsDisconnected = (stimulus) => stimulus === 'connect' && !latest.reconnected
      },
    ],
  }),
  ...defectsOf('authentication', {
    'control-secret.replay-keeps-secret~opens-nothing': [
      'The answer to a repeated create shows a secret that opens nothing.',
      ({ views }) => {
        const { control } = views.replayed
        views.replayed['control'] = (session, address) => ({
          ...Object(control?.(session, address)),
          client_secret: `cs_stale_${session.id}`,
        })
      },
    ],
  }),
  ...defectsOf('limits', {
    'concurrency.exceeding-refused~closed-twice': [
      'A session that is closed twice frees two places.',
      ({ lifecycle, quota }) => {
        const freed = new Map<string, number>()
        const { alsoCloses } = lifecycle
        lifecycle.alsoCloses = (session, all) => {
          const { workspace } = session.account
          if (session.status !== 'active') freed.set(workspace, (freed.get(workspace) ?? 0) + 1)
          return alsoCloses(session, all)
        }
        const { cap } = quota
        quota.cap = (account, configured) => cap(account, configured) + (freed.get(account.workspace) ?? 0)
      },
    ],
    'concurrency.slot-free-when-closed~expired': [
      'A session that ended by itself keeps its slot.',
      ({ lifecycle, quota }) => {
        const { holds } = quota
        quota.holds = (session) =>
          holds(session) || (session.closeReason !== undefined && session.closeReason !== lifecycle.reasons.request)
      },
    ],
  }),
]
