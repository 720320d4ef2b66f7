import type { ShapeName } from '#spec/schemas'
import { type ClientEventType, clientEvents, idsOf, type ServerEventType, serverEvents } from '#spec/tables'
import { exampleOf } from './examples.ts'
import type { JsonObject, Reference } from './interface.ts'
import type { Source } from './source.ts'

/** Each event of the control channel as a message, by its type. */
export function messages(source: Source): JsonObject {
  const ofClient = idsOf(clientEvents).map((type) => {
    const { purpose, section } = clientEvents[type]
    return [type, message(type, `client-events/${type}`, `${purpose} (${section})`, source)] as const
  })
  const ofServer = idsOf(serverEvents).map((type) => {
    const { emitted_when, section } = serverEvents[type]
    return [type, message(type, `server-events/${type}`, `${emitted_when} (${section})`, source)] as const
  })
  return Object.fromEntries([...ofClient, ...ofServer])
}

/** All messages, as a channel names them. */
export function messageReferences(): { readonly [type: string]: Reference } {
  const types = [...idsOf(clientEvents), ...idsOf(serverEvents)]
  return Object.fromEntries(types.map((type) => [type, { $ref: `#/components/messages/${type}` }] as const))
}

/** One operation for each event: a client's are received, with what confirms them, and a server's are sent. */
export function eventOperations(channel: string): JsonObject {
  const received = idsOf(clientEvents).map((type) => [`receive.${type}`, receiving(type, channel)] as const)
  const sent = idsOf(serverEvents).map((type) => [`send.${type}`, sending(type, channel)] as const)
  return Object.fromEntries([...received, ...sent])
}

function message(name: string, shape: ShapeName, summary: string, { components, exhibits }: Source): JsonObject {
  const example = exampleOf(shape, exhibits)
  return {
    name,
    title: name,
    summary,
    contentType: 'application/json',
    payload: components.refer(shape),
    examples: [{ name: 'valid', summary: example.summary, payload: example.value }],
  }
}

function receiving(type: ClientEventType, channel: string): JsonObject {
  const { confirmed_by, purpose } = clientEvents[type]
  const reply = { channel: { $ref: channel }, messages: confirmed_by.map((answer) => within(channel, answer)) }
  return {
    action: 'receive',
    channel: { $ref: channel },
    summary: purpose,
    messages: [within(channel, type)],
    ...(confirmed_by.length === 0 ? {} : { reply }),
  }
}

function sending(type: ServerEventType, channel: string): JsonObject {
  const summary = serverEvents[type].emitted_when
  return { action: 'send', channel: { $ref: channel }, summary, messages: [within(channel, type)] }
}

function within(channel: string, type: ClientEventType | ServerEventType): Reference {
  return { $ref: `${channel}/messages/${type}` }
}
