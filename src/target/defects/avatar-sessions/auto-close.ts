import type { Override } from '#target/behaviour/behaviour'
import { beforeConnect } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { around, remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { isStarted } from '../tools/characters.ts'
import { isInVideo } from '../tools/modes.ts'
import { defectsOf } from '../tools/table.ts'
import { unshown, untold } from '../tools/unshown.ts'

/** An event of this type is no interaction. */
const countsNot = (fits: (type: unknown, session: Session) => boolean): Override =>
  remembering(() => {
    let isSuch = false
    return [
      around('channel.putOffMs', (putOffMs) => (session, event, sender) => {
        isSuch = fits(event['type'], session)
        return putOffMs(session, event, sender)
      }),
      around('lifecycle.resetsIdle', (resetsIdle) => (stimulus) => {
        return resetsIdle(stimulus) && (stimulus !== 'accepted' || !isSuch)
      }),
    ]
  })

export const autoCloseDefects = defectsOf('avatar-sessions.auto-close', {
  'disconnected-never-connected: A session that nobody ever connected to stays.': set(
    'lifecycle.countsNeverConnected',
    false,
  ),
  'disconnected-never-connected~unshown: A session that nobody ever connected to stays, and Get tells no status.': [
    set('lifecycle.countsNeverConnected', false),
    ...unshown,
  ],
  'disconnected-never-connected~beside-idle: Beside an idle timeout the disconnected one is not counted.': around(
    'lifecycle.disconnectedMs',
    (disconnectedMs) => (policy, session) => (policy.idleSeconds > 0 ? 0 : disconnectedMs(policy, session)),
  ),
  'disconnected-after-last-connection: A session stays when its last connection ends.': set(
    'lifecycle.countsAgainAfterDisconnect',
    false,
  ),
  'disconnected-after-last-connection~unshown: A session stays when its last connection ends, and Get tells no status.':
    [set('lifecycle.countsAgainAfterDisconnect', false), ...unshown],
  'disconnected-after-last-connection~in-video: In video the disconnected timeout is not counted.': around(
    'lifecycle.disconnectedMs',
    (disconnectedMs) => (policy, session) => (isInVideo(session) ? 0 : disconnectedMs(policy, session)),
  ),
  'disconnected-after-last-connection~knock: A refused connection attempt stops the disconnected timeout.': around(
    'channel.admission.token-wrong',
    (wrong) => (attempt) => {
      const refused = wrong(attempt)
      if (refused) attempt.session?.clocks.disconnected?.cancel()
      return refused
    },
  ),
  'disconnected-not-early: The disconnected timeout strikes in half its time.': set(
    'lifecycle.disconnectedMs',
    ({ disconnectedSeconds }) => disconnectedSeconds * 500,
  ),
  'disconnected-held-by-connection: A connection does not stop the disconnected timeout.': set(
    'lifecycle.stopsDisconnected',
    () => false,
  ),
  'disconnected-held-by-connection~untold: A connection does not stop the disconnected timeout, and neither Get nor the connection tells of the end.':
    [set('lifecycle.stopsDisconnected', () => false), ...untold],
  'disconnected-held-by-connection~third: The third connection of a session does not stop the disconnected timeout.':
    remembering(() => {
      const opened = memory(() => ({ count: 0 }))
      let count = 0
      return [
        beforeConnect((session) => {
          opened(session).count += 1
          ;({ count } = opened(session))
        }),
        set('lifecycle.stopsDisconnected', (stimulus) => stimulus === 'connect' && count !== 3),
      ]
    }),
  'disconnected-held-by-connection~reconnected: A second connection does not stop the disconnected timeout that the end of the first one started.':
    remembering(() => {
      const latest: { reconnected: boolean } = { reconnected: false }
      return [
        beforeConnect((session) => {
          latest.reconnected = session.everConnected
        }),
        set('lifecycle.stopsDisconnected', (stimulus) => stimulus === 'connect' && !latest.reconnected),
      ]
    }),
  'disconnected-held-by-second-connection: The end of any connection starts the disconnected timeout.': set(
    'lifecycle.disconnectedWhen',
    () => true,
  ),
  'disconnected-held-by-second-connection~untold: The end of any connection starts the disconnected timeout, and neither Get nor a connection tells of the end.':
    [set('lifecycle.disconnectedWhen', () => true), ...untold],
  'disconnected-restarts-after-connection: The disconnected timeout counts from the creation, connected or not.': set(
    'lifecycle.disconnectedMs',
    ({ disconnectedSeconds }, { createdAt }) =>
      disconnectedSeconds === 0 ? 0 : Math.max(1, createdAt + disconnectedSeconds * 1000 - Date.now()),
  ),
  'disconnected-never-connected-counts: Time before the first connection counts a quarter.': set(
    'lifecycle.disconnectedMs',
    ({ disconnectedSeconds }, { everConnected }) => disconnectedSeconds * (everConnected ? 1000 : 4000),
  ),
  'disconnected-zero-disables: A disconnected timeout of 0 means twelve seconds.': set(
    'lifecycle.disconnectedMs',
    ({ disconnectedSeconds }) => (disconnectedSeconds === 0 ? 12 : disconnectedSeconds) * 1000,
  ),
  'disconnected-zero-disables~untold: A disconnected timeout of 0 means twelve seconds, and neither Get nor a connection tells of the end.':
    [
      set(
        'lifecycle.disconnectedMs',
        ({ disconnectedSeconds }) => (disconnectedSeconds === 0 ? 12 : disconnectedSeconds) * 1000,
      ),
      ...untold,
    ],
  'idle-closes: The idle timeout never strikes.': set('lifecycle.closesBy.idle', false),
  'idle-closes~unshown: The idle timeout never strikes, and Get tells no status.': [
    set('lifecycle.closesBy.idle', false),
    ...unshown,
  ],
  'idle-closes~beside-disconnected: Beside a disconnected timeout the idle one is not counted.': around(
    'lifecycle.idleMs',
    (idleMs) => (policy, session) => (policy.disconnectedSeconds > 0 ? 0 : idleMs(policy, session)),
  ),
  'idle-closes~connected: The idle timeout strikes only while somebody is connected.': set(
    'lifecycle.closesIdle',
    ({ connections }) => connections.size > 0,
  ),
  'idle-closes~from-character: The idle timeout that a character brings never strikes.': around(
    'lifecycle.idleMs',
    (idleMs) => (policy, session) => (isStarted(session) ? 0 : idleMs(policy, session)),
  ),
  'idle-closes~lite-from-character: With the lightweight model the idle timeout that a character brings never strikes.':
    around(
      'lifecycle.idleMs',
      (idleMs) => (policy, session) =>
        isStarted(session) && session.plan.model === 'svc-a1-stream-lite' ? 0 : idleMs(policy, session),
    ),
  'idle-closes~before-first-event: The idle timeout is not counted before the first event is accepted.': around(
    'lifecycle.idleMs',
    (idleMs) => (policy, session) => (session.tally.accepted > 0 ? idleMs(policy, session) : 0),
  ),
  'idle-not-early: The idle timeout strikes in half its time.': set(
    'lifecycle.idleMs',
    ({ idleSeconds }) => idleSeconds * 500,
  ),
  'idle-zero-disables: An idle timeout of 0 means twenty seconds.': set(
    'lifecycle.idleMs',
    ({ idleSeconds }) => (idleSeconds === 0 ? 20 : idleSeconds) * 1000,
  ),
  'idle-zero-disables~untold: An idle timeout of 0 means twenty seconds, and neither Get nor a connection tells of the end.':
    [set('lifecycle.idleMs', ({ idleSeconds }) => (idleSeconds === 0 ? 20 : idleSeconds) * 1000), ...untold],
  'idle-omitted-disables: An omitted idle timeout means twenty seconds, though 0 is shown.': set(
    'lifecycle.idleMs',
    ({ idleSeconds }) => (idleSeconds === 0 ? 20 : idleSeconds) * 1000,
  ),
  'idle-reset-by-accepted-event: Accepted events do not reset the idle timeout.': set(
    'lifecycle.resetsIdle',
    (stimulus) => stimulus === 'user_speech',
  ),
  'idle-reset-by-accepted-event~unshown: Accepted events do not reset the idle timeout, and Get tells no status.': [
    set('lifecycle.resetsIdle', (stimulus) => stimulus === 'user_speech'),
    ...unshown,
  ],
  'idle-reset-by-accepted-event~response: A response that is asked for does not reset the idle timeout.': countsNot(
    (type) => type === 'response.create',
  ),
  'idle-reset-by-accepted-event~asset: An asset that is added does not reset the idle timeout.': countsNot(
    (type) => type === 'asset.add',
  ),
  'idle-reset-by-accepted-event~avatar: An avatar that is added does not reset the idle timeout.': countsNot(
    (type) => type === 'avatar.add',
  ),
  'idle-reset-by-accepted-event~item: An item that is created does not reset the idle timeout.': countsNot(
    (type) => type === 'conversation.item.create',
  ),
  'idle-reset-by-accepted-event~deleted: An item that is deleted does not reset the idle timeout.': countsNot(
    (type) => type === 'conversation.item.delete',
  ),
  'idle-reset-by-accepted-event~in-video: In video accepted events do not reset the idle timeout.': countsNot(
    (_type, session) => isInVideo(session),
  ),
  'idle-not-reset-by-ping~in-video: In video the idle timeout never strikes.': around(
    'lifecycle.idleMs',
    (idleMs) => (policy, session) => (isInVideo(session) ? 0 : idleMs(policy, session)),
  ),
  'idle-not-reset-by-ping: Pings reset the idle timeout.': set('lifecycle.resetsIdle', (stimulus) =>
    ['accepted', 'user_speech', 'pong'].includes(stimulus),
  ),
  'idle-not-reset-by-ping~unshown: Pings reset the idle timeout, and Get tells no status.': [
    set('lifecycle.resetsIdle', (stimulus) => ['accepted', 'user_speech', 'pong'].includes(stimulus)),
    ...unshown,
  ],
  'idle-not-reset-by-server-events: Server events reset the idle timeout. Speech takes its time, so that it can be seen.':
    [
      set('lifecycle.resetsIdle', (stimulus) => ['accepted', 'user_speech', 'server_event'].includes(stimulus)),
      set('pace.deltaMs', 1_200),
    ],
  'idle-not-reset-by-rejected-event: Refused events reset the idle timeout.': set('lifecycle.resetsIdle', (stimulus) =>
    ['accepted', 'user_speech', 'refused', 'unreadable'].includes(stimulus),
  ),
  'idle-not-reset-by-rejected-event~unshown: Refused events reset the idle timeout, and Get tells no status.': [
    set('lifecycle.resetsIdle', (stimulus) => ['accepted', 'user_speech', 'refused', 'unreadable'].includes(stimulus)),
    ...unshown,
  ],
  'idle-not-reset-by-rejected-event~known: Refused events of a type that there is reset the idle timeout.': set(
    'lifecycle.resetsIdle',
    (stimulus) => ['accepted', 'user_speech', 'refused'].includes(stimulus),
  ),
})
