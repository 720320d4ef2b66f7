import { WebSocket } from 'ws'
import type { Audience } from '../behaviour/channel.ts'
import type { EventFacts, ServerEventType } from '../behaviour/events.ts'
import type { Service } from '../service.ts'
import type { Session } from '../sessions/session.ts'
import type { JsonObject } from '../wire.ts'
import type { Connection } from '../sessions/session.ts'

/**
 * Sends a server event to every control connection of the session, or to those in `only`. All carry `event_id`
 * (server-generated) and `type` (section 6).
 */
export function emit<Type extends ServerEventType>(
  service: Service,
  session: Session,
  type: Type,
  facts: EventFacts[Type],
  only?: Iterable<Connection>,
): void {
  const { events, ids } = service.behaviour
  const event: JsonObject = { event_id: ids.event(service.random), type, ...events[type](facts) }
  deliver(service, session, event, only ?? listenersOf(service, session))
}

/** Sends an event that the behaviour made by itself to one connection. */
export function emitRaw(service: Service, connection: Connection, event: JsonObject): void {
  const { ids } = service.behaviour
  deliver(service, connection.session, { event_id: ids.event(service.random), ...event }, [connection])
}

/** Answers a client event: to whom is the behaviour's choice. */
export function answerEvent<Type extends ServerEventType>(
  service: Service,
  sender: Connection,
  type: Type,
  facts: EventFacts[Type],
): void {
  const { channel } = service.behaviour
  const audience = type === 'error' ? channel.errors : channel.confirmations
  emit(service, sender.session, type, facts, audienceOf(sender, audience))
}

function audienceOf(sender: Connection, audience: Audience): Iterable<Connection> | undefined {
  if (audience === 'all') return undefined
  const others = [...sender.session.connections].filter((connection) => connection !== sender)
  return audience === 'sender' || others.length === 0 ? [sender] : others
}

function* listenersOf(service: Service, session: Session): Iterable<Connection> {
  for (const listener of service.behaviour.channel.listeners(session, service.sessions.values()))
    yield* listener.connections
}

function deliver(service: Service, session: Session, event: JsonObject, connections: Iterable<Connection>): void {
  const { outgoing, channel } = service.behaviour
  const sent = outgoing.reduce((list, transform) => list.flatMap((one) => transform(one, session)), [event])
  service.onServerEvent(session)
  const receivers = Array.from(connections, (one) => ({ socket: one.socket, lagMs: channel.lagMs(one, session) }))
  for (const one of sent) {
    const ms = channel.delayMs(one)
    const frame = {
      text: channel.encode(one),
      binary: channel.sendsBinary(one),
      fragment: channel.fragmentBytes,
      empty: channel.emptyFragments,
    }
    for (const { socket, lagMs } of receivers) {
      if (channel.bunchMs > 0) gather(service, () => sendTo(socket, frame))
      else if (ms + lagMs > 0) service.timers.after(ms + lagMs, () => sendTo(socket, frame))
      else sendTo(socket, frame)
    }
    if (channel.breaksAfter(one)) for (const { socket } of receivers) socket.terminate()
  }
}

const gathered = new WeakMap<Service, (() => void)[]>()

/** Sends what was gathered for a while together, in its order. */
function gather(service: Service, send: () => void): void {
  const bunch = gathered.get(service) ?? []
  gathered.set(service, bunch)
  bunch.push(send)
  if (bunch.length > 1) return
  service.timers.after(service.behaviour.channel.bunchMs, () => {
    for (const one of bunch.splice(0)) one()
  })
}

/**
 * A message as it goes out; `fragment` is how many bytes stand in one of its frames, 0 for all; `empty` is whether empty
 * frames stand between them.
 */
interface Outgoing {
  readonly text: string
  readonly binary: boolean
  readonly fragment: number
  readonly empty: boolean
}

function sendTo(socket: WebSocket, message: Outgoing): void {
  const { text, binary, fragment } = message
  if (socket.readyState !== WebSocket.OPEN) return
  if (fragment > 0) sendInFragments(socket, message)
  else socket.send(text, { binary })
}

function sendInFragments(socket: WebSocket, { text, binary, fragment, empty }: Outgoing): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += fragment) {
    socket.send(bytes.subarray(at, at + fragment), { binary, fin: !empty && at + fragment >= bytes.length })
    if (empty) socket.send('', { binary, fin: at + fragment >= bytes.length })
  }
}
