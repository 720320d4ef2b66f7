import type { Limits } from './access/limits.ts'
import type { JsonObject } from '../wire.ts'

/** A frame as far as it could be read. */
export interface Frame {
  binary: boolean
  /** `undefined` where the text is no JSON. */
  value: unknown
  /** The value, where it is an object. */
  event: JsonObject | undefined
  known: boolean
  limits: Limits
}

export interface FrameFault {
  broken: (frame: Frame) => boolean
  message: string
  code?: string
  param?: string
  /** Whether `error.event_id` names the cause. */
  named: boolean
  /** Whether the client is told nothing. */
  quiet?: boolean
  /** Whether the event is handled all the same. */
  handled?: (frame: Frame) => boolean
  /** Whether the connection ends upon it. */
  fatal?: boolean
}

export type FrameFaultId =
  | 'binary'
  | 'not-json'
  | 'not-object'
  | 'event-id-not-string'
  | 'event-id-long'
  | 'type-missing'
  | 'type-not-string'
  | 'type-server'
  | 'type-unknown'

const read = (frame: Frame, key: string): unknown => frame.event?.[key]

/** 4.4: "Each message is a JSON object with `type`. Optional `event_id` (string, up to 512 characters)." */
export const frames = () =>
  ({
    binary: { broken: (frame) => frame.binary, message: 'binary messages are not supported', named: false },
    'not-json': {
      broken: (frame) => !frame.binary && frame.value === undefined,
      message: 'the message is not valid JSON',
      code: 'invalid_json',
      named: false,
    },
    'not-object': {
      broken: (frame) => frame.value !== undefined && frame.event === undefined,
      message: 'the message must be a JSON object',
      code: 'invalid_event',
      named: false,
    },
    'event-id-not-string': {
      broken: (frame) => read(frame, 'event_id') !== undefined && typeof read(frame, 'event_id') !== 'string',
      message: 'event_id must be a string',
      code: 'invalid_value',
      param: 'event_id',
      named: false,
    },
    'event-id-long': {
      broken: (frame) => {
        const id = read(frame, 'event_id')
        return typeof id === 'string' && Array.from(id).length > frame.limits.eventIdLength
      },
      message: 'event_id must not be longer than 512 characters',
      code: 'invalid_value',
      param: 'event_id',
      named: false,
    },
    // Section 7: "one value, `invalid_event`, appears for a missing `type`".
    'type-missing': {
      broken: (frame) => frame.event !== undefined && read(frame, 'type') === undefined,
      message: 'type is required',
      code: 'invalid_event',
      param: 'type',
      named: true,
    },
    'type-not-string': {
      broken: (frame) => read(frame, 'type') !== undefined && typeof read(frame, 'type') !== 'string',
      message: 'type must be a string',
      code: 'invalid_event',
      param: 'type',
      named: true,
    },
    // A server event is no client event; kept apart from other unknown types.
    'type-server': {
      broken: () => false,
      message: 'a server event is no client event',
      code: 'unknown_event',
      param: 'type',
      named: true,
    },
    // "Unknown client events are rejected with an `error` event."
    'type-unknown': {
      broken: (frame) => typeof read(frame, 'type') === 'string' && !frame.known,
      message: 'unknown event type',
      code: 'unknown_event',
      param: 'type',
      named: true,
    },
  }) as Record<FrameFaultId, FrameFault>
