import type { Override } from '#target/behaviour/behaviour'
import type { Session } from '#target/sessions/session'
import type { JsonObject } from '#target/wire'

/** Which sessions hear an event, in place of its own alone. */
type Listeners = (session: Session, all: readonly Session[]) => Session[]

/** Every so many-th event of a service that is under load goes astray. */
const NTH = 100

/** Of the rarer kinds, one of so many. */
const FEW = 8

/** Mistakes of a busy channel that show once in a while: few conversations meet them, and fewer are recorded in full. */
export const nowAndThen: { readonly [name: string]: () => Override } = {
  'an event is lost now and then': () => everyNth(() => []),
  'an event comes twice now and then': () => everyNth((session) => [session, session]),
  'an event is heard by another session as well now and then': () =>
    everyNth((session, all) => [session, ...talking(session, all).slice(0, 1)]),
  'an event goes to another session instead now and then': () =>
    everyNth((session, all) => talking(session, all).slice(0, 1)),
  'deltas of a burst change places now and then': swapped,
  'an update is confirmed to another session as well now and then': confirmedTwice,
  'an event follows the end of its response now and then': () => rewritten('response.done', lateDelta),
  'a delta names the response of another session now and then': mixedUp,
  'an update ends twice now and then': () => rewritten('session.update.done', (event) => [event, event]),
  'a response begins unannounced now and then': () => rewritten('response.created', () => []),
  'a response never ends now and then': () => rewritten('response.done', () => []),
  'a final text lacks its end now and then': () =>
    rewritten('response.output_text.done', (event) => [{ ...event, text: String(event['text']).slice(0, -3) }]),
  'an item is not done now and then': () => rewritten('response.output_item.done', () => []),
  'a response begins twice now and then': () => rewritten('response.created', (event) => [event, event]),
}

/** Of so many events of a kind, one is another. */
export function rewritten(type: string, change: (event: JsonObject) => JsonObject[], nth = FEW): Override {
  let seen = 0
  return ({ outgoing }) => {
    outgoing.push((event) => {
      if (event['type'] !== type) return [event]
      seen += 1
      return seen % nth === 0 ? change(event) : [event]
    })
  }
}

function lateDelta(event: JsonObject): JsonObject[] {
  const { id } = event['response'] as JsonObject
  const place = { response_id: id, item_id: `item of ${String(id)}`, output_index: 0 }
  return [event, { event_id: `late ${String(id)}`, type: 'response.output_text.delta', ...place, delta: 'late' }]
}

/** Every hundredth delta bears the id of a response that another session had last. */
function mixedUp(): Override {
  const last = new Map<Session, JsonObject[string]>()
  let deltas = 0
  return ({ outgoing }) => {
    outgoing.push((event, session) => {
      if (event['type'] !== 'response.output_text.delta') return [event]
      last.set(session, event['response_id'])
      deltas += 1
      const others = [...last].filter(([one]) => one !== session)
      const [, response_id] = others.at(-1) ?? []
      return deltas % NTH === 0 && response_id !== undefined ? [{ ...event, response_id }] : [event]
    })
  }
}

/** Two deltas are a burst when no more milliseconds lie between them. */
const BURST_MS = 5

function swapped(): Override {
  const held = new WeakMap<Session, JsonObject>()
  let [last, bursts] = [0, 0]
  return ({ outgoing }) => {
    outgoing.push((event, session) => {
      const before = held.get(session)
      held.delete(session)
      if (before !== undefined) return [event, before]
      if (event['type'] !== 'response.output_text.delta') return [event]
      const since = performance.now() - last
      last += since
      if (since > BURST_MS) return [event]
      bursts += 1
      if (bursts % (NTH / 2) !== 0) return [event]
      held.set(session, event)
      return []
    })
  }
}

function confirmedTwice(): Override {
  let [confirmed, astray] = [0, false]
  return ({ outgoing, channel }) => {
    const { listeners } = channel
    outgoing.push((event) => {
      const is = event['type'] === 'session.updated'
      confirmed += is ? 1 : 0
      astray = is && confirmed % FEW === 0
      return [event]
    })
    channel.listeners = (session, all) =>
      astray ? [session, ...talking(session, [...all]).slice(0, 1)] : listeners(session, all)
  }
}

function everyNth(astray: Listeners): Override {
  let events = 0
  return ({ channel }) => {
    const { listeners } = channel
    channel.listeners = (session, all) => {
      events += 1
      return events % NTH === 0 ? astray(session, [...all]) : listeners(session, all)
    }
  }
}

/** Other sessions that hear what is sent to them. */
const talking = (session: Session, all: readonly Session[]): Session[] =>
  all.filter((other) => other !== session && other.connections.size > 0)
