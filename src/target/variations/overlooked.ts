import { drop, set, around, append, several, remembering } from '#target/overrides/operators'
import { onEvent, splitEvent } from '#target/overrides/events'
import { moveStep } from '../behaviour/responses.ts'

import type { Variation } from '../deviation.ts'
import { type Wire, wireAt, without } from '../wire.ts'
import { deeply } from './payloads.ts'

const once = (event: Wire, mark: string): string => `${String(event['event_id'])}_${mark}`

const inSinglePrecision = (object: Wire): Wire =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, typeof value === 'number' ? Math.fround(value) : value]),
  )

const fractional = /^create-(?:avatar-session|session-from-character|character)$|^(?:get|replace)-character$/u

/** What comes after each confirmation, and is about nothing that a client did. */
const unasked = { type: 'server_error', code: 'recording_degraded', message: 'recording is delayed' }
const confirmations = ['conversation.item.created', 'asset.added', 'avatar.added', 'session.updated', 'response.done']

const codecs: { readonly [type: string]: string } = {
  'audio/wav': '; codecs="1"',
  'audio/ogg': '; codecs=opus',
  'audio/mp4': '; codecs="mp4a.40.2"',
  'audio/webm': ';codecs=opus',
}

/** Legal alternatives that a reader of the interface thought of who had not seen what is checked. */
export const overlookedVariations: readonly Variation[] = [
  {
    id: 'response-starts-late',
    section: '3.4',
    text: 'A response is created after a second, and speaks after another.',
    override: ({ pace }) => void Object.assign(pace, { startMs: 1_000, firstDeltaMs: 1_000 }),
  },
  {
    id: 'auto-close-told-more',
    section: '4.1',
    text: 'A create tells more of the auto-close policy than Get does.',
    override: around('views.created.auto_close', (policy) => (session, address) => ({
      ...Object(policy?.(session, address)),
      max_duration_seconds: session.plan.maxDurationSeconds,
    })),
  },
  {
    id: 'errors-late',
    section: '6.2',
    text: 'Errors come late, behind the answers to later events.',
    override: set('channel.delayMs', (event) => (event['type'] === 'error' ? 600 : 0)),
  },
  {
    id: 'ids-counted',
    section: '2.1',
    text: 'Sessions of either kind are counted, so that one of each may have the same id.',
    override: remembering(() => {
      let [avatars, worlds] = [0, 0]
      return [
        set('ids.session', () => `session-${(avatars += 1)}`),
        set('world.ids.session', () => `session-${(worlds += 1)}`),
      ]
    }),
  },
  {
    id: 'errors-in-pairs',
    section: '6.2',
    text: 'A refused event gets two errors.',
    override: splitEvent('error', (event) => [
      event,
      { ...event, event_id: once(event, 'two'), error: { ...wireAt(event, 'error'), message: 'see the docs' } },
    ]),
  },
  {
    id: 'errors-of-its-own',
    section: '6.2',
    text: 'A moment after any confirmation a step of the server fails that matters to nobody.',
    override: (behaviour) => {
      behaviour.channel.delayMs = (event) => (wireAt(event, 'error')['code'] === unasked.code ? 3 : 0)
      for (const type of confirmations)
        splitEvent(type, (event) => [event, { type: 'error', event_id: once(event, 'error'), error: unasked }])(
          behaviour,
        )
    },
  },
  {
    id: 'file-types-with-parameters',
    section: '2.8',
    text: 'Types of files have parameters.',
    override: set('files.shown.mime_type', ({ detected }) => `${detected}${codecs[detected] ?? ''}`),
  },
  {
    id: 'fractions-in-single-precision',
    section: 'Conventions',
    text: 'Fractions come back as 32 bits keep them.',
    override: append('http.data', (data, operation) =>
      fractional.test(operation) ? deeply(data, inSinglePrecision) : data,
    ),
  },
  {
    id: 'done-without-id',
    section: '2.10',
    text: '`response.done` has a response without id.',
    override: onEvent('response.done', (event) => ({
      ...event,
      response: without(wireAt(event, 'response'), 'id'),
    })),
  },
  {
    id: 'item-done-before-text-done',
    section: '6.2',
    text: 'An item is done before its final text is told.',
    override: around('responses.order', (order) =>
      moveStep(order, 'response.output_item.done', 'response.output_text.done'),
    ),
  },
  {
    id: 'item-status-by-server',
    section: '2.9',
    text: "The status of an item is the service's own, whatever a client says.",
    concerns: /avatar-session|character/,
    override: several(
      drop('rules.items', 'item-status-unknown'),
      set('conversation.stored', (item, id) => ({ ...item, id, status: 'completed' })),
    ),
  },
]
