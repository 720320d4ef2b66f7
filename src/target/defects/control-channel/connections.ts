import { set, several } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

export const connectionsDefects = defectsOf('control-channel.connections', {
  'sender-is-answered: Confirmations reach the other connections.': set('channel.confirmations', 'others'),
  'sender-is-answered~response: What a response says reaches the oldest connection only.': several(
    set('channel.confirmations', 'sender'),
    set('channel.listeners', (session) => [{ ...session, connections: new Set([...session.connections].slice(0, 1)) }]),
  ),
  'sender-gets-error: Errors reach the other connections.': set('channel.errors', 'others'),
  'one-closing-leaves-other: A connection that ends takes the others with it.': set('channel.endsTogether', true),
  'state-shared: A second connection restores the state of the creation.': set('channel.onConnect', (session) => {
    if (session.connections.size === 0) return
    session.state = session.plan.state
    session.items.length = 0
  }),
})
