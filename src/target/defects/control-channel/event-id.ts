import type { Override } from '#target/behaviour/behaviour'
import type { Frame } from '#target/behaviour/frames'
import { change } from '#target/overrides/changes'
import { onEvent, withhold } from '#target/overrides/events'
import { around, remembering, set } from '#target/overrides/operators'
import { textOf } from '#target/wire'
import { faulty } from '../tools/control-channel.ts'
import { defectsOf } from '../tools/table.ts'

/** Events of this type are carried out though their id is too long, and not confirmed. */
const untold = (type: string, confirmation: string): Override =>
  remembering(() => {
    let quiet = false
    return [
      set('frames.event-id-long.handled', ({ event }) => {
        quiet = event?.['type'] === type
        return quiet
      }),
      withhold(confirmation, () => {
        const isSuch = quiet
        quiet = false
        return isSuch
      }),
    ]
  })

export const eventIdDefects = defectsOf('control-channel.event-id', {
  '512-accepted: An id may have 511 characters.': set('limits.eventIdLength', 511),
  '513-rejected: An id may have 1024 characters.': set('limits.eventIdLength', 1024),
  '513-changes-nothing: An event with a long id is refused and carried out.': set(
    'frames.event-id-long.handled',
    () => true,
  ),
  ...Object.fromEntries(
    ['asset.add', 'avatar.add', 'conversation.item.create', 'conversation.item.delete', 'response.cancel'].map(
      (type) => [
        `513-changes-nothing~${type.replaceAll('.', '-')}: ${type} with a long id is refused and carried out.`,
        set('frames.event-id-long.handled', ({ event }) => event?.['type'] === type),
      ],
    ),
  ),
  '513-changes-nothing~asset-untold: asset.add with a long id is refused, and its assets are registered.': untold(
    'asset.add',
    'asset.added',
  ),
  '513-changes-nothing~avatar-untold: avatar.add with a long id is refused, and its avatars are registered.': untold(
    'avatar.add',
    'avatar.added',
  ),
  '513-changes-nothing~delete-untold: conversation.item.delete with a long id is refused, and the item is gone.':
    untold('conversation.item.delete', 'conversation.item.deleted'),
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
