import type { Frame } from '#target/behaviour/frames'
import { change } from '#target/overrides/changes'
import { onEvent } from '#target/overrides/events'
import { around, set } from '#target/overrides/operators'
import { textOf } from '#target/wire'
import { faulty } from '../tools/control-channel.ts'
import { defectsOf } from '../tools/table.ts'

export const eventIdDefects = defectsOf('control-channel.event-id', {
  '512-accepted: An id may have 511 characters.': set('limits.eventIdLength', 511),
  '513-rejected: An id may have 1024 characters.': set('limits.eventIdLength', 1024),
  '513-changes-nothing: An event with a long id is refused and carried out.': set('frames.event-id-long.handled', true),
  '512-non-ascii-accepted: An id may have 512 bytes.': set(
    'frames.event-id-long.broken',
    ({ event }) => Buffer.byteLength(textOf(event?.['event_id']) ?? '') > 512,
  ),
  '512-non-ascii-accepted~bytes: The length of an event_id is counted in bytes of UTF-8.': set(
    'frames.event-id-long.broken',
    ({ event, limits }) =>
      typeof event?.['event_id'] === 'string' && Buffer.byteLength(event['event_id']) > limits.eventIdLength,
  ),
  ...Object.fromEntries(
    ['asset.add', 'conversation.item.create', 'response.create'].map((type) => [
      `512-non-ascii-accepted~${type.replaceAll('.', '-')}: The id of ${type} is counted in bytes.`,
      faulty((event) => event['type'] === type && Buffer.byteLength(textOf(event['event_id']) ?? '') > 512),
    ]),
  ),
  '512-echoed-whole: An id comes back with 256 characters at most.': onEvent(
    'session.updated',
    change('event_id', (id) => String(id).slice(0, 256)),
  ),
  ...Object.fromEntries(
    ['conversation.item.create', 'conversation.item.retrieve', 'response.create'].map((type) => [
      `512-accepted~${type.replaceAll('.', '-')}: The id of ${type} may have 256 characters.`,
      faulty((event) => event['type'] === type && (textOf(event['event_id']) ?? '').length > 256),
    ]),
  ),
  '513-rejected~response: The id of a response.create may have any length.': around(
    'frames.event-id-long.broken',
    (broken) => (frame) => broken(frame) && frame.event?.['type'] !== 'response.create',
  ),
  ...Object.fromEntries(
    [
      'asset.add',
      'avatar.add',
      'conversation.item.create',
      'conversation.item.retrieve',
      'conversation.item.delete',
    ].map((type) => [
      `513-rejected~${type.replaceAll('.', '-')}: The id of ${type} may have any length.`,
      around(
        'frames.event-id-long.broken',
        (broken) => (frame: Frame) => broken(frame) && frame.event?.['type'] !== type,
      ),
    ]),
  ),
  'empty-accepted: An empty id is refused.': faulty((event) => event['event_id'] === ''),
})
