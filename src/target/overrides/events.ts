import type { Override } from '#target/behaviour/behaviour'
import type { Session } from '#target/sessions/session'
import { type JsonObject, isWire, objectsAt } from '#target/wire'
import { append, around } from './operators.ts'

export type EventChange = (event: JsonObject, session: Session) => JsonObject

/** Replaces events of a type by none or several. */
export const splitEvent = (type: string, make: (event: JsonObject, session: Session) => JsonObject[]): Override =>
  append('outgoing', (event, session) => (event['type'] === type ? make(event, session) : [event]))

/** Changes events of a type. */
export const onEvent = (type: string, make: EventChange): Override =>
  splitEvent(type, (event, session) => [make(event, session)])

/** Does something with a session whenever it gets a connection, before that counts. */
export const beforeConnect = (act: (session: Session) => void): Override =>
  around('channel.onConnect', (onConnect) => (session) => {
    act(session)
    onConnect(session)
  })

export const withhold = (type: string, when: (event: JsonObject, session: Session) => boolean = () => true): Override =>
  splitEvent(type, (event, session) => (when(event, session) ? [] : [event]))

/** Tells nothing of rendering in some sessions. */
export const withholdRendering =
  (where: (session: Session) => boolean): Override =>
  (behaviour) => {
    for (const type of ['response.render.started', 'response.render.stopped'])
      withhold(type, (_event, session) => where(session))(behaviour)
  }

/** An event once more, with an id of its own. */
export const again = (event: JsonObject): JsonObject => ({ ...event, event_id: `${String(event['event_id'])}_again` })

export const twice = (type: string): Override => splitEvent(type, (event) => [event, again(event)])

/** Changes conversation items wherever an event shows them. */
export const onItems = (make: (item: JsonObject, session: Session) => JsonObject): Override =>
  append('outgoing', (event, session) => {
    if (isWire(event['item'])) return [{ ...event, item: make(event['item'], session) }]
    if (!isWire(event['response'])) return [event]
    const output = objectsAt(event['response'], 'output').map((item) => make(item, session))
    return [{ ...event, response: { ...event['response'], output } }]
  })

/** Changes calls of tools wherever an event shows them. */
export const onCalls = (make: (item: JsonObject) => JsonObject): Override =>
  onItems((item) => (item['type'] === 'function_call' ? make(item) : item))
