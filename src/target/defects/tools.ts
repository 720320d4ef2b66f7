import type { ErrorCode } from '../behaviour/codes.ts'
import type { Behaviour } from '../behaviour/behaviour.ts'
import type { CreateInput } from '../behaviour/rules/create-session.ts'
import { type Rule, rule } from '../behaviour/rules/rule.ts'
import { demand } from '../behaviour/rules/waive.ts'
import type { Session } from '../sessions/session.ts'
import { isWire, type Wire, wireAt, wiresAt } from '../wire.ts'
import type { Change } from './paths.ts'

type EventChange = (event: Wire, session: Session) => Wire

/** Replaces events of a type by none or several. */
export function splitEvent(
  { outgoing }: Behaviour,
  type: string,
  make: (event: Wire, session: Session) => Wire[],
): void {
  outgoing.push((event, session) => (event['type'] === type ? make(event, session) : [event]))
}

/** Changes events of a type. */
export function onEvent(behaviour: Behaviour, type: string, make: EventChange): void {
  splitEvent(behaviour, type, (event, session) => [make(event, session)])
}

/** Does something with a session whenever it gets a connection, before that counts. */
export function beforeConnect({ channel }: Pick<Behaviour, 'channel'>, act: (session: Session) => void): void {
  const { onConnect } = channel
  channel.onConnect = (session) => {
    act(session)
    onConnect(session)
  }
}

export const mute = (
  behaviour: Behaviour,
  type: string,
  when: (event: Wire, session: Session) => boolean = () => true,
): void => splitEvent(behaviour, type, (event, session) => (when(event, session) ? [] : [event]))

/** Tells nothing of rendering in some sessions. */
export function muteRendering(behaviour: Behaviour, where: (session: Session) => boolean): void {
  for (const type of ['response.render.started', 'response.render.stopped'])
    mute(behaviour, type, (_event, session) => where(session))
}

/** A name as a serialiser for `snake_case` writes it. */
export const snake = (name: string): string => name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)

/** An event once more, with an id of its own. */
export const again = (event: Wire): Wire => ({ ...event, event_id: `${String(event['event_id'])}_again` })

export const twice = (behaviour: Behaviour, type: string): void =>
  splitEvent(behaviour, type, (event) => [event, again(event)])

/** Changes the data of an operation's success. */
export function onData({ http }: Behaviour, operation: string, make: Change): void {
  http.data.push((data, answered) => (answered === operation && isWire(data) ? make(data) : data))
}

export const onCreated = (behaviour: Behaviour, make: Change): void => onData(behaviour, 'create-avatar-session', make)

/** Refuses creates that the spec accepts. */
export const refuseCreate = (
  { rules }: Behaviour,
  broken: (input: CreateInput) => boolean,
  code: ErrorCode = '30004',
): void => demand(rules.createSession, 'refused-by-defect', { ...rule('4.1', 'body', broken), code })

/** Refuses client events that the spec accepts. */
export const refuseEvent = <Input>(table: Record<string, Rule<Input>>, broken: (input: Input) => boolean): void =>
  demand(table, 'refused-by-defect', rule('4.4', 'event', broken))

/** Changes conversation items wherever an event shows them. */
export function onItems({ outgoing }: Behaviour, make: (item: Wire, session: Session) => Wire): void {
  outgoing.push((event, session) => {
    if (isWire(event['item'])) return [{ ...event, item: make(event['item'], session) }]
    if (!isWire(event['response'])) return [event]
    const output = wiresAt(event['response'], 'output').map((item) => make(item, session))
    return [{ ...event, response: { ...event['response'], output } }]
  })
}

/** A value kept for each object, made on first use. */
export function memory<Value>(make: () => Value): (key: object) => Value {
  const kept = new WeakMap<object, Value>()
  return (key) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = make()
    kept.set(key, made)
    return made
  }
}

/** The part of a create that a rule's input holds under a path such as `pipeline_config.llm_config`. */
export const inBody = (input: CreateInput, ...path: string[]): Wire =>
  path.reduce<Wire>((value, key) => wireAt(value, key), input.body)

export const sent = (input: CreateInput, ...path: string[]): unknown =>
  inBody(input, ...path.slice(0, -1))[path.at(-1) ?? '']
