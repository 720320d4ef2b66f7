import type { Frame, FrameFault } from '../behaviour/frames.ts'
import { EventRefusal } from '../refusal.ts'
import { cutResponse } from '../responses/life.ts'
import type { Service } from '../service.ts'
import { stir } from '../sessions/clocks.ts'
import { close } from '../sessions/close.ts'
import { isWire, textOf, type JsonObject } from '../wire.ts'
import type { Connection } from '../sessions/session.ts'
import { answerEvent } from './emit.ts'
import { HANDLERS } from './handlers.ts'

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function readFrame(service: Service, bytes: Buffer, sentAsBinary: boolean): Frame {
  const binary = sentAsBinary && !service.behaviour.channel.readsBinary
  const value = binary ? undefined : parse(bytes)
  const event = isWire(value) ? value : undefined
  const type = textOf(event?.['type'])
  return { binary, value, event, known: type !== undefined && HANDLERS.has(type), limits: service.behaviour.limits }
}

function refuse(
  service: Service,
  connection: Connection,
  event: JsonObject | undefined,
  refusal: EventRefusal,
  stimulus: 'refused' | 'unreadable',
): void {
  const eventId = textOf(event?.['event_id']) || undefined
  const { message, type, code, param } = refusal
  connection.session.tally.refused += 1
  answerEvent(service, connection, 'error', { message, type, code, param, eventId })
  stir(service, connection.session, stimulus)
}

const refusalOf = (fault: FrameFault): EventRefusal =>
  new EventRefusal(fault.message, {
    ...(fault.code === undefined ? {} : { code: fault.code }),
    ...(fault.param === undefined ? {} : { param: fault.param }),
  })

/** One message of a client (4.4). The channel stays usable whatever it holds: "Most errors are recoverable". */
export function receive(service: Service, connection: Connection, bytes: Buffer, binary: boolean): void {
  const { session } = connection
  if (session.status !== 'active') return
  if (service.behaviour.lifecycle.endsBefore(session)) return close(service, session, 'service')
  const frame = readFrame(service, bytes, binary)
  const fault = Object.values(service.behaviour.frames).find((candidate) => candidate.broken(frame))
  if (fault !== undefined) {
    if (!fault.quiet) refuse(service, connection, fault.named ? frame.event : undefined, refusalOf(fault), 'unreadable')
    if (fault.fatal) endOnError(service, connection)
    if (fault.handled?.(frame) !== true) return
  }
  const { event } = frame
  if (event !== undefined) performInTime(service, connection, event)
}

function endOnError({ timers, behaviour }: Service, { socket }: Connection): void {
  const ms = behaviour.channel.endsOnErrorMs
  if (ms <= 0) socket.close(1008)
  else timers.after(ms, () => socket.close(1008))
}

function performInTime(service: Service, connection: Connection, event: JsonObject): void {
  const { session } = connection
  const ms = service.behaviour.channel.putOffMs(session, event, connection)
  if (ms <= 0) return perform(service, connection, event)
  service.timers.after(ms, () => {
    if (session.status === 'active') performInTime(service, connection, event)
  })
}

function perform(service: Service, connection: Connection, event: JsonObject): void {
  const handler = HANDLERS.get(textOf(event['type']) ?? '')
  if (handler === undefined) return
  try {
    handler(service, connection, event)
    connection.session.tally.accepted += 1
    stir(service, connection.session, 'accepted')
  } catch (error) {
    const refusal = error instanceof EventRefusal ? error : new EventRefusal('internal error', { type: 'server_error' })
    refuse(service, connection, event, refusal, 'refused')
    const { endsOnError, refusalCuts } = service.behaviour.channel
    const type = textOf(event['type']) ?? ''
    if (refusalCuts(type)) cutResponse(service, connection.session, 'interrupt')
    if (endsOnError(type, refusal.code)) endOnError(service, connection)
  }
}
