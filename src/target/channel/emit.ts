import { WebSocket } from 'ws'
import type { EventFacts, ServerEventType } from '../behaviour/events.ts'
import type { Service } from '../service.ts'
import type { Session } from '../sessions/session.ts'
import type { Wire } from '../wire.ts'
import type { Connection } from './connection.ts'

/**
 * Sends a server event to every control connection of the session, or to one. All carry `event_id` (server-generated)
 * and `type` (section 6).
 */
export function emit<Type extends ServerEventType>(
  service: Service,
  session: Session,
  type: Type,
  facts: EventFacts[Type],
  only?: Connection,
): void {
  const { events, ids, outgoing, channel } = service.behaviour
  const event: Wire = { event_id: ids.event(service.random), type, ...events[type](facts) }
  const sent = outgoing.reduce((list, transform) => list.flatMap(transform), [event])
  const texts = sent.map((one) => channel.encode(one))
  for (const { socket } of only === undefined ? session.connections : [only])
    if (socket.readyState === WebSocket.OPEN) for (const text of texts) socket.send(text)
}

/** Sends a confirmation to whom the behaviour wants to know. */
export function confirm<Type extends ServerEventType>(
  service: Service,
  sender: Connection,
  type: Type,
  facts: EventFacts[Type],
): void {
  const only = service.behaviour.channel.confirmations === 'sender' ? sender : undefined
  emit(service, sender.session, type, facts, only)
}
