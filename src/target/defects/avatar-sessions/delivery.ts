import type { Override } from '#target/behaviour/behaviour'
import { change, omit, put, replace } from '#target/overrides/changes'
import { onCreated, onData } from '#target/overrides/data'
import { onEvent } from '#target/overrides/events'
import { set } from '#target/overrides/operators'
import { isWire } from '#target/wire'
import { START } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'

/** Makes one field of a media variant the same for every session. */
const shared =
  (variant: string, field: string): Override =>
  ({ media }) => {
    const { [variant]: make } = media.variants
    if (make === undefined) throw new Error(`no such variant: ${variant}`)
    media.variants[variant] = (facts) => ({ ...make(facts), [field]: 'shared' })
  }

const ownPublisher = (details: unknown): unknown =>
  isWire(details) ? { ...details, publisher_user_id: details['user_id'] } : details

const missing = (field: string): Override => onCreated(omit(`delivery.media.${field}`))

const blank = (field: string): Override => onCreated(replace(`delivery.media.${field}`, ''))

export const deliveryDefects = defectsOf('avatar-sessions.delivery', {
  'present-in-video: A video session shows no delivery.': onCreated(omit('delivery')),
  'absent-in-text-chat: A text chat shows a delivery.': set('views.created.delivery', (session) => ({
    media: session.media,
  })),
  'transport-in-set: The transport has a name of its own.': onCreated(
    change('delivery.media.transport', (transport) => String(transport).replace('_', '-')),
  ),
  'exactly-one-variant: Both variants are returned.': set('media.given', () => ['rtc_a', 'rtc_b']),
  'exactly-one-variant~none: No variant is returned.': set('media.given', () => []),
  'variant-matches-transport~updated: Updates name the other transport beside the details.': onEvent(
    'session.updated',
    (event) => {
      const { media_transport: named } = event
      return named === undefined ? event : { ...event, media_transport: named === 'rtc_a' ? 'rtc_b' : 'rtc_a' }
    },
  ),
  'variant-matches-transport: The details are those of the other transport.': set('media.given', (transport) => [
    transport === 'rtc_a' ? 'rtc_b' : 'rtc_a',
  ]),
  'rtc-a-sdk-app-id: The application id is a number.': onCreated(
    replace('delivery.media.rtc_a.sdk_app_id', 1_400_000_001),
  ),
  'rtc-a-room-id: The room id is a number.': onCreated(replace('delivery.media.rtc_a.room_id', 42)),
  'rtc-a-user-id: The user id is empty.': blank('rtc_a.user_id'),
  'rtc-a-user-sig: The signature is left out.': missing('rtc_a.user_sig'),
  'rtc-a-publisher-user-id: The publisher is left out.': missing('rtc_a.publisher_user_id'),
  'rtc-b-app-id: The application id is left out.': missing('rtc_b.app_id'),
  'rtc-b-channel-name: The channel name is empty.': blank('rtc_b.channel_name'),
  'rtc-b-token: The token is null.': onCreated(replace('delivery.media.rtc_b.token', null)),
  'rtc-b-user-id: The user id is a number.': onCreated(replace('delivery.media.rtc_b.user_id', 7)),
  'rtc-b-publisher-user-id: The publisher is left out.': missing('rtc_b.publisher_user_id'),
  'rtc-a-signature-session-scoped: All sessions share a signature.': shared('rtc_a', 'user_sig'),
  'rtc-b-token-session-scoped: All sessions share a token.': shared('rtc_b', 'token'),
  'rtc-a-room-session-scoped: All sessions share a room.': shared('rtc_a', 'room_id'),
  'rtc-a-room-session-scoped~updated: Updates tell all sessions one room.': onEvent(
    'session.updated',
    change('media.rtc_a.room_id', (room) => (room === undefined ? undefined : 'everyone')),
  ),
  'rtc-a-signature-session-scoped~updated: Updates tell all sessions one signature.': onEvent(
    'session.updated',
    change('media.rtc_a.user_sig', (signature) => (signature === undefined ? undefined : 'for everyone')),
  ),
  'rtc-b-channel-session-scoped: All sessions share a channel.': shared('rtc_b', 'channel_name'),
  'rtc-b-channel-session-scoped~character: Sessions of characters share a channel.': onData(
    'create-session-from-character',
    replace('delivery.media.rtc_b.channel_name', 'channel_of_characters'),
  ),
  'publisher-other-than-client: The client is its own publisher.': [
    onCreated(put('delivery.media.rtc_a.publisher_user_id', 'everyone')),
    onCreated(replace('delivery.media.rtc_a.user_id', 'everyone')),
  ],
  'publisher-other-than-client~character: In a session from a character the client is its own publisher.': [
    onData(START, change('delivery.media.rtc_a', ownPublisher)),
    onData(START, change('delivery.media.rtc_b', ownPublisher)),
  ],
  'exactly-one-variant~rtc-b: Beside rtc_b the default is given, too.': set('media.given', (transport) =>
    transport === 'rtc_b' ? ['rtc_a', 'rtc_b'] : [transport],
  ),
})
