import { omit, put } from '#target/overrides/changes'
import { onEvent } from '#target/overrides/events'
import { append } from '#target/overrides/operators'
import { objectAt } from '#target/wire'
import { defectsOf } from '../tools/table.ts'

const UNASKED = 'conversation.item.created'

export const serverEventDefects = defectsOf('control-channel.server-event', {
  'event-id-nonempty: Events of a response have no id.': append('outgoing', (event) => [
    String(event['type']).startsWith('response.') ? omit('event_id')(event) : event,
  ]),
  'event-id-nonempty~empty: Ids of events are empty.': append('outgoing', (event) => [
    event['type'] === 'session.updated' ? event : put('event_id', '')(event),
  ]),
  'event-id-unique: Deltas of a response share an id.': onEvent('response.output_text.delta', (event) => ({
    ...event,
    event_id: `event_${String(event['response_id'])}`,
  })),
  'event-id-server-generated: A new response has the id of its request as its own.': onEvent(
    'response.created',
    (event) => ({
      ...event,
      event_id: event['request_event_id'] ?? event['event_id'],
    }),
  ),
  'event-id-server-generated~error: An error has the id of the event that it refuses as its own.': onEvent(
    'error',
    (event) => ({ ...event, event_id: objectAt(event, 'error')['event_id'] ?? event['event_id'] }),
  ),
  'type-nonempty: Errors have no type.': onEvent('error', omit('type')),
  'type-nonempty~empty: Confirmations of items have an empty type.': onEvent(UNASKED, put('type', '')),
})
