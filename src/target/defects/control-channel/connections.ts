import { append, around, remembering, set, several } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { bySender } from '../tools/senders.ts'
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
  'state-shared~assets: What one connection registered is not known over another one that is open beside it.': bySender(
    (sender, openBeside) => {
      const owners = new WeakMap<object, object | undefined>()
      return [
        around('registry.registersAsset', (registers) => (store, kind, asset, session) => {
          owners.set(asset, sender())
          return registers(store, kind, asset, session)
        }),
        around('registry.pick', (pick) => (session, kind, id) => {
          const asset = pick(session, kind, id)
          return asset !== undefined && openBeside(session, owners.get(asset)) ? undefined : asset
        }),
      ]
    },
  ),
  'state-shared~deleted: What is deleted while two connections are open stays.': remembering(() => {
    const sessions = new Map<unknown, Session>()
    return [
      append('outgoing', (event, session) => {
        sessions.set(session.items, session)
        return [event]
      }),
      around('conversation.remove', (remove) => (items, id) => {
        if ((sessions.get(items)?.connections.size ?? 0) < 2) remove(items, id)
      }),
    ]
  }),
})
