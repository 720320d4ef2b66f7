import { around, set } from '#target/overrides/operators'
import { defectsOf } from '../../tools/table.ts'

export const sessionClosedDefects = defectsOf('control-channel.session-closed', {
  'session-id: The closing event lacks its session.': ({ events }) => {
    const { 'session.closed': make } = events
    events['session.closed'] = (facts) => ({ reason: make(facts)['reason'] })
  },
  'reason-string: The reason is a number.': ({ events }) =>
    void (events['session.closed'] = ({ sessionId }) => ({ session_id: sessionId, reason: 1 })),
  'session-really-ends: A session says that it closes and does not.': [
    set('lifecycle.onClose', 'active'),
    set('lifecycle.onCleanup', 'active'),
  ],
  'once: The closing event comes twice.': set('lifecycle.closeOrder', [
    'pending',
    'response',
    'update',
    'session.closed',
    'session.closed',
    'disconnect',
  ]),
  'connections-disconnected: Connections stay when a session closes.': around(
    'lifecycle.disconnects',
    (disconnects) => (cause) => cause !== 'request' && disconnects(cause),
  ),
  'connections-disconnected~first-of-two: Of several connections the first one stays when a session closes.': ({
    lifecycle,
    outgoing,
  }) => {
    lifecycle.disconnects = () => false
    outgoing.push((event, { connections }) => {
      const leaving = connections.size === 1 ? [...connections] : [...connections].slice(1)
      if (event['type'] === 'session.closed')
        queueMicrotask(() => {
          for (const { socket } of leaving) socket.close(lifecycle.closeCode)
        })
      return [event]
    })
  },
  'connections-disconnected-at-expiry: Connections stay when a session expires.': around(
    'lifecycle.disconnects',
    (disconnects) => (cause) => cause !== 'expiry' && disconnects(cause),
  ),
})
