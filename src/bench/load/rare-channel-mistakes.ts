import type { Override } from '#target/behaviour/behaviour'
import type { JsonObject } from '#target/wire'
import type { Session } from '#target/sessions/session'
import { rewritten } from './now-and-then.ts'

/** Of so many events of a kind, one is wrong. */
const NTH = 12

/** Mistakes of a busy channel in the order and the places of events: each shows once in a while. */
export const rareChannelMistakes: { readonly [name: string]: () => Override } = {
  'deltas change places while more than five sessions talk': swappedInCompany,
  'an update is acknowledged twice now and then': () => every('session.updated', (event) => [event, event]),
  'a delta names another item now and then': () =>
    every('response.output_text.delta', (event) => [{ ...event, item_id: `${String(event['item_id'])}x` }]),
  'a delta names another output now and then': () =>
    every('response.output_text.delta', (event) => [{ ...event, output_index: Number(event['output_index']) + 1 }]),
  'a delta comes without its text now and then': () =>
    every('response.output_text.delta', ({ delta: _delta, ...event }) => [event]),
  'the end of a delta is cut off now and then': () =>
    every('response.output_text.delta', (event) => [{ ...event, delta: String(event['delta']).slice(0, -1) }]),
  'a response begins after its first output now and then': () => late('response.created', 'response.output_text.delta'),
  'a final text comes after the end of its response now and then': () =>
    late('response.output_text.done', 'response.done'),
  'a final text is that of the response before now and then': staleText,
  'a response fails now and then': () =>
    every('response.done', (event) => [
      { ...event, response: { ...(event['response'] as JsonObject), status: 'failed' } },
    ]),
  'an update ends under the name of another one now and then': () =>
    every('session.update.done', (event) => [{ ...event, request_event_id: `${String(event['request_event_id'])}x` }]),
  'an update shows the avatar of before now and then': staleUpdate,
  'an update is never done now and then': () => every('session.update.done', () => []),
}

const every = (type: string, change: (event: JsonObject) => JsonObject[]): Override => rewritten(type, change, NTH)

/** An event that is sent only once one of another type has gone out. */
function late(type: string, until: string): Override {
  const held = new WeakMap<Session, JsonObject>()
  let seen = 0
  return ({ outgoing }) => {
    outgoing.push((event, session) => {
      const before = held.get(session)
      if (before !== undefined && event['type'] === until) {
        held.delete(session)
        return [event, before]
      }
      if (event['type'] !== type) return [event]
      seen += 1
      if (seen % (NTH / 2) !== 0) return [event]
      held.set(session, event)
      return []
    })
  }
}

function swappedInCompany(): Override {
  const held = new WeakMap<Session, JsonObject>()
  let talking = 0
  let deltas = 0
  return ({ outgoing, channel }) => {
    const { listeners } = channel
    channel.listeners = (session, all) => {
      talking = [...all].filter((one) => one.connections.size > 0).length
      return listeners(session, all)
    }
    outgoing.push((event, session) => {
      const before = held.get(session)
      held.delete(session)
      if (before !== undefined) return [event, before]
      if (event['type'] !== 'response.output_text.delta' || talking <= 5) return [event]
      deltas += 1
      if (deltas % NTH !== 0) return [event]
      held.set(session, event)
      return []
    })
  }
}

function staleText(): Override {
  const last = new WeakMap<Session, JsonObject[string]>()
  let seen = 0
  return ({ outgoing }) => {
    outgoing.push((event, session) => {
      if (event['type'] !== 'response.output_text.done') return [event]
      const before = last.get(session)
      last.set(session, event['text'])
      seen += 1
      return before !== undefined && seen % (NTH / 4) === 0 ? [{ ...event, text: before }] : [event]
    })
  }
}

function staleUpdate(): Override {
  const last = new WeakMap<Session, JsonObject[string]>()
  let seen = 0
  return ({ outgoing }) => {
    outgoing.push((event, session) => {
      if (event['type'] !== 'session.updated') return [event]
      const before = last.get(session)
      const shown = event['session'] as JsonObject
      last.set(session, shown['active_avatar_id'])
      seen += 1
      const isStale = before !== undefined && seen % (NTH / 4) === 0
      return isStale ? [{ ...event, session: { ...shown, active_avatar_id: before } }] : [event]
    })
  }
}
