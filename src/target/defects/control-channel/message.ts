import type { Behaviour } from '#target/behaviour/behaviour'
import type { FrameFaultId } from '#target/behaviour/frames'
import { isWire, textOf, type Wire, wireAt } from '#target/wire'
import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onEvent, splitEvent } from '../tools.ts'

/** Passes a fault over in silence. */
const silent =
  (id: FrameFaultId) =>
  ({ frames }: Behaviour): void =>
    void (frames[id].quiet = true)
/** Ends the connection upon a fault. */
const fatal =
  (...ids: FrameFaultId[]) =>
  ({ frames }: Behaviour): void => {
    for (const id of ids) frames[id].fatal = true
  }

const KNOWN: Record<string, string[]> = {
  'session.update': ['type', 'event_id', 'session'],
  'asset.add': ['type', 'event_id', 'assets'],
  'avatar.add': ['type', 'event_id', 'avatars'],
  'conversation.item.create': ['type', 'event_id', 'previous_item_id', 'item'],
  'conversation.item.retrieve': ['type', 'event_id', 'item_id'],
  'conversation.item.delete': ['type', 'event_id', 'item_id'],
  'response.create': ['type', 'event_id', 'response'],
  'response.cancel': ['type', 'event_id'],
}
const hasUnknown = (event: Wire | undefined): boolean => {
  const known = KNOWN[textOf(event?.['type']) ?? '']
  return known !== undefined && Object.keys(event ?? {}).some((key) => !known.includes(key))
}
const NESTED: Record<string, string[]> = {
  session: ['mode', 'active_avatar_id', 'source_image_id'],
  item: ['id', 'type', 'status', 'role', 'content', 'call_id', 'name', 'arguments', 'output'],
  response: ['conversation', 'scheduling_policy', 'input', 'instructions', 'max_output_tokens', 'tools', 'script'],
}
const hasUnknownInside = (event: Wire): boolean =>
  Object.entries(NESTED).some(([key, known]) => Object.keys(wireAt(event, key)).some((inner) => !known.includes(inner)))

/** Adds a fault to the frames. */
const faulty = ({ frames }: Behaviour, broken: (event: Wire) => boolean): void => {
  const fault = frames['type-unknown']
  const { broken: old } = fault
  fault.broken = (frame) => old(frame) || (frame.event !== undefined && broken(frame.event))
}

const messageDefects = defectsOf('control-channel', {
  'message.server-json-object': [
    'Events come as JSON text inside JSON.',
    ({ channel }) => {
      const { encode } = channel
      channel.encode = (event) =>
        String(event['type']).startsWith('conversation.item.') ? JSON.stringify(encode(event)) : encode(event)
    },
  ],
  'message.server-json-object~binary': [
    'Confirmations come in binary frames.',
    ({ channel }) => void (channel.sendsBinary = (event) => event['type'] === 'conversation.item.created'),
  ],
  'message.missing-type-rejected': ['A message without type is ignored.', silent('type-missing')],
  'message.type-not-string-rejected': ['A type that is no string is ignored.', silent('type-not-string')],
  'message.unknown-type-rejected': [
    'Unknown types are ignored.',
    ({ frames }) => {
      const fault = frames['type-unknown']
      fault.quiet = true
      frames['type-server'].broken = ({ event }) =>
        /^(?:response\.(?:created|done|output|render)|session\.(?:updated|closed)|error$)/u.test(
          textOf(event?.['type']) ?? '',
        )
    },
  ],
  'message.server-type-rejected': [
    'Types of server events are ignored.',
    ({ frames }) => {
      const { 'type-server': server } = frames
      server.broken = ({ event }) =>
        /(?:created|updated|added|done|deleted|retrieved|closed|started|stopped|delta|completed|failed|error)$/u.test(
          textOf(event?.['type']) ?? '',
        )
      server.quiet = true
    },
  ],
  'message.invalid-json-rejected': ['Messages that are no JSON are ignored.', silent('not-json')],
  'message.not-an-object-rejected': ['Messages that are no object are ignored.', silent('not-object')],
  'message.unknown-field-ignored': ['Unknown fields of an event are refused.', (b) => faulty(b, hasUnknown)],
  'message.unknown-nested-field-ignored': [
    'Unknown fields inside an event are refused.',
    (b) => faulty(b, hasUnknownInside),
  ],
  'message.event-id-optional': ['An event needs an id.', (b) => faulty(b, (event) => event['event_id'] === undefined)],
})

const eventIdDefects = defectsOf('control-channel', {
  'event-id.512-accepted': ['An id may have 511 characters.', ({ limits }) => void (limits.eventIdLength = 511)],
  'event-id.513-rejected': ['An id may have 1024 characters.', ({ limits }) => void (limits.eventIdLength = 1024)],
  'event-id.513-changes-nothing': [
    'An event with a long id is refused and carried out.',
    ({ frames }) => void (frames['event-id-long'].handled = true),
  ],
  'event-id.512-non-ascii-accepted': [
    'An id may have 512 bytes.',
    ({ frames }) => {
      frames['event-id-long'].broken = ({ event }) => Buffer.byteLength(textOf(event?.['event_id']) ?? '') > 512
    },
  ],
  'event-id.512-echoed-whole': [
    'An id comes back with 256 characters at most.',
    (b) =>
      onEvent(
        b,
        'session.updated',
        change('event_id', (id) => String(id).slice(0, 256)),
      ),
  ],
  'event-id.empty-accepted': ['An empty id is refused.', (b) => faulty(b, (event) => event['event_id'] === '')],
})

const UNASKED = 'conversation.item.created'

const serverEventDefects = defectsOf('control-channel', {
  'server-event.event-id-nonempty': [
    'Events of a response have no id.',
    ({ outgoing }) =>
      void outgoing.push((event) => [String(event['type']).startsWith('response.') ? drop('event_id')(event) : event]),
  ],
  'server-event.event-id-nonempty~empty': [
    'Ids of events are empty.',
    ({ outgoing }) =>
      void outgoing.push((event) => [event['type'] === 'session.updated' ? event : put('event_id', '')(event)]),
  ],
  'server-event.event-id-unique': [
    'Deltas of a response share an id.',
    (b) =>
      onEvent(b, 'response.output_text.delta', (event) => ({
        ...event,
        event_id: `event_${String(event['response_id'])}`,
      })),
  ],
  'server-event.event-id-server-generated': [
    'A new response has the id of its request as its own.',
    (b) =>
      onEvent(b, 'response.created', (event) => ({
        ...event,
        event_id: event['request_event_id'] ?? event['event_id'],
      })),
  ],
  'server-event.type-nonempty': ['Errors have no type.', (b) => onEvent(b, 'error', drop('type'))],
  'server-event.type-nonempty~empty': [
    'Confirmations of items have an empty type.',
    (b) => onEvent(b, UNASKED, put('type', '')),
  ],
})

const ofAdditions = (type: string): boolean => type === 'asset.add' || type === 'avatar.add'

const errorDefects = defectsOf('control-channel', {
  'error.error-object': [
    'An error is a string.',
    (b) =>
      onEvent(
        b,
        'error',
        change('error', (error) => (isWire(error) ? error['message'] : error)),
      ),
  ],
  'error.error-object~flat': [
    'An error has its fields beside its type.',
    (b) => onEvent(b, 'error', ({ error, ...event }) => ({ ...wireAt({ error }, 'error'), ...event })),
  ],
  'error.message-string': ['The message of an error is left out.', (b) => onEvent(b, 'error', drop('error.message'))],
  'error.type-string': ['The type of an error is a number.', (b) => onEvent(b, 'error', put('error.type', 400))],
  'error.type-string~missing': ['The type of an error is left out.', (b) => onEvent(b, 'error', drop('error.type'))],
  'error.code-string': ['The code of an error is null.', (b) => onEvent(b, 'error', put('error.code', null))],
  'error.code-string~number': [
    'The code of an error is a number.',
    (b) =>
      onEvent(
        b,
        'error',
        change('error.code', (code) => (code === 'invalid_event' ? code : 40_001)),
      ),
  ],
  'error.event-id-string': [
    'Without a cause the id is null.',
    (b) =>
      onEvent(
        b,
        'error',
        change('error.event_id', (id) => id ?? null),
      ),
  ],
  'error.event-id-names-cause': [
    'An error names itself as its cause.',
    (b) => onEvent(b, 'error', (event) => put('error.event_id', event['event_id'])(event)),
  ],
  'error.invalid-event-code': [
    'A missing type has a code of its own.',
    ({ frames }) => void (frames['type-missing'].code = 'missing_type'),
  ],
  'error.usable-after-missing-type': ['A missing type ends the connection.', fatal('type-missing')],
  'error.usable-after-unknown-type': ['An unknown type ends the connection.', fatal('type-unknown')],
  'error.usable-after-invalid-json': ['A message that is no JSON ends the connection.', fatal('not-json')],
  'error.usable-after-invalid-update': [
    'An invalid update ends the connection.',
    ({ channel }) => void (channel.endsOnError = (type) => type === 'session.update'),
  ],
  'error.usable-after-invalid-response': [
    'An invalid response ends the connection.',
    ({ channel }) => void (channel.endsOnError = (type) => type === 'response.create'),
  ],
  'error.usable-after-invalid-add': [
    'An invalid addition ends the connection.',
    ({ channel }) => void (channel.endsOnError = ofAdditions),
  ],
  'error.session-stays-open': [
    'A session with errors admits no further connection.',
    ({ channel }) => {
      const { 'session-closed': old } = channel.admission
      channel.admission['session-closed'] = (attempt) => old(attempt) || (attempt.session?.tally.refused ?? 0) > 0
    },
  ],
  'error.unasked-none': [
    'A completed update is followed by an error about it.',
    (b) =>
      splitEvent(b, 'session.update.done', (event) => [
        event,
        {
          type: 'error',
          event_id: `${String(event['event_id'])}_warning`,
          error: { type: 'server_error', message: 'slow update', event_id: event['request_event_id'] },
        },
      ]),
  ],
})

export const channelMessageDefects = [...messageDefects, ...eventIdDefects, ...serverEventDefects, ...errorDefects]
