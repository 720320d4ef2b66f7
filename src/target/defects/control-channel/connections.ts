import { waive } from '#target/behaviour/rules/waive'
import type { Session } from '#target/sessions/session'
import type { Wire } from '#target/wire'
import { defectsOf } from '../table.ts'

const neighbours = (session: Session, all: Iterable<Session>): Session[] =>
  [...all].filter((other) => other.account.workspace === session.account.workspace)

const isolationDefects = defectsOf('control-channel', {
  'isolation.items-not-shared': [
    'Items of a workspace are found from every session.',
    ({ conversation, rules }) => {
      const known = new Map<string, Wire>()
      const { stored, find } = conversation
      conversation.stored = (item, id) => {
        const kept = stored(item, id)
        known.set(id, kept)
        return kept
      }
      conversation.find = (items, id) => find(items, id) ?? known.get(String(id))
      waive(rules.itemRetrieve, 'item-unknown')
    },
  ],
  'isolation.events-not-shared': [
    'Every session of a workspace hears every event.',
    ({ channel }) => void (channel.listeners = neighbours),
  ],
  'isolation.assets-not-shared': [
    'Assets added in one session are known in all.',
    ({ registry, rules }) => {
      const shared = new Map<string, Wire>()
      const { registersAsset, pick } = registry
      registry.registersAsset = (store, kind, asset, session) => {
        shared.set(`${kind} ${String(asset['asset_id'])}`, asset)
        return registersAsset(store, kind, asset, session)
      }
      registry.pick = (session, kind, id) => pick(session, kind, id) ?? shared.get(`${kind} ${id}`)
      const rule = rules.responseCreate['speech-asset-unknown']
      const { broken } = rule
      rule.broken = (input) =>
        broken(input) &&
        ![...shared.keys()].some((key) => JSON.stringify(input.response).includes(`"${key.split(' ')[1]}"`))
    },
  ],
})

const connectionDefects = defectsOf('control-channel', {
  'connections.sender-is-answered': [
    'Confirmations reach the other connections.',
    ({ channel }) => void (channel.confirmations = 'others'),
  ],
  'connections.sender-gets-error': [
    'Errors reach the other connections.',
    ({ channel }) => void (channel.errors = 'others'),
  ],
  'connections.one-closing-leaves-other': [
    'A connection that ends takes the others with it.',
    ({ channel }) => void (channel.endsTogether = true),
  ],
  'connections.state-shared': [
    'A second connection restores the state of the creation.',
    ({ channel }) => {
      channel.onConnect = (session) => {
        if (session.connections.size === 0) return
        session.state = session.plan.state
        session.items.length = 0
      }
    },
  ],
})

const closedDefects = defectsOf('control-channel', {
  'session-closed.session-id': [
    'The closing event lacks its session.',
    ({ events }) => {
      const { 'session.closed': make } = events
      events['session.closed'] = (facts) => ({ reason: make(facts)['reason'] })
    },
  ],
  'session-closed.reason-string': [
    'The reason is a number.',
    ({ events }) => void (events['session.closed'] = ({ sessionId }) => ({ session_id: sessionId, reason: 1 })),
  ],
  'session-closed.session-really-ends': [
    'A session says that it closes and does not.',
    ({ lifecycle }) => {
      lifecycle.onClose = 'active'
      lifecycle.onCleanup = 'active'
    },
  ],
  'session-closed.once': [
    'The closing event comes twice.',
    (b) => {
      b.lifecycle.closeOrder = ['pending', 'response', 'update', 'session.closed', 'session.closed', 'disconnect']
    },
  ],
  'session-closed.connections-disconnected': [
    'Connections stay when a session closes.',
    ({ lifecycle }) => {
      const { disconnects } = lifecycle
      lifecycle.disconnects = (cause) => cause !== 'request' && disconnects(cause)
    },
  ],
  'session-closed.connections-disconnected-at-expiry': [
    'Connections stay when a session expires.',
    ({ lifecycle }) => {
      const { disconnects } = lifecycle
      lifecycle.disconnects = (cause) => cause !== 'expiry' && disconnects(cause)
    },
  ],
})

export const channelConnectionDefects = [...isolationDefects, ...connectionDefects, ...closedDefects]
