import type { Behaviour } from '#target/behaviour/behaviour'
import { change, drop, put, replace } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onCreated } from '../tools.ts'

/** Makes one field of a media variant the same for every session. */
const shared = ({ media }: Behaviour, variant: string, field: string): void => {
  const { [variant]: make } = media.variants
  if (make === undefined) throw new Error(`no such variant: ${variant}`)
  media.variants[variant] = (facts) => ({ ...make(facts), [field]: 'shared' })
}

const missing =
  (field: string) =>
  (b: Behaviour): void =>
    onCreated(b, drop(`delivery.media.${field}`))
const blank =
  (field: string) =>
  (b: Behaviour): void =>
    onCreated(b, replace(`delivery.media.${field}`, ''))

export const deliveryDefects = defectsOf('avatar-sessions', {
  'delivery.present-in-video': ['A video session shows no delivery.', (b) => onCreated(b, drop('delivery'))],
  'delivery.absent-in-text-chat': [
    'A text chat shows a delivery.',
    ({ views }) => {
      views.created['delivery'] = (session) => ({ media: session.media })
    },
  ],
  'delivery.transport-in-set': [
    'The transport has a name of its own.',
    (b) =>
      onCreated(
        b,
        change('delivery.media.transport', (transport) => String(transport).replace('_', '-')),
      ),
  ],
  'delivery.exactly-one-variant': [
    'Both variants are returned.',
    ({ media }) => void (media.given = () => ['rtc_a', 'rtc_b']),
  ],
  'delivery.exactly-one-variant~none': ['No variant is returned.', ({ media }) => void (media.given = () => [])],
  'delivery.variant-matches-transport': [
    'The details are those of the other transport.',
    ({ media }) => void (media.given = (transport) => [transport === 'rtc_a' ? 'rtc_b' : 'rtc_a']),
  ],
  'delivery.rtc-a-sdk-app-id': [
    'The application id is a number.',
    (b) => onCreated(b, replace('delivery.media.rtc_a.sdk_app_id', 1_400_000_001)),
  ],
  'delivery.rtc-a-room-id': [
    'The room id is a number.',
    (b) => onCreated(b, replace('delivery.media.rtc_a.room_id', 42)),
  ],
  'delivery.rtc-a-user-id': ['The user id is empty.', blank('rtc_a.user_id')],
  'delivery.rtc-a-user-sig': ['The signature is left out.', missing('rtc_a.user_sig')],
  'delivery.rtc-a-publisher-user-id': ['The publisher is left out.', missing('rtc_a.publisher_user_id')],
  'delivery.rtc-b-app-id': ['The application id is left out.', missing('rtc_b.app_id')],
  'delivery.rtc-b-channel-name': ['The channel name is empty.', blank('rtc_b.channel_name')],
  'delivery.rtc-b-token': ['The token is null.', (b) => onCreated(b, replace('delivery.media.rtc_b.token', null))],
  'delivery.rtc-b-user-id': [
    'The user id is a number.',
    (b) => onCreated(b, replace('delivery.media.rtc_b.user_id', 7)),
  ],
  'delivery.rtc-b-publisher-user-id': ['The publisher is left out.', missing('rtc_b.publisher_user_id')],
  'delivery.rtc-a-signature-session-scoped': ['All sessions share a signature.', (b) => shared(b, 'rtc_a', 'user_sig')],
  'delivery.rtc-b-token-session-scoped': ['All sessions share a token.', (b) => shared(b, 'rtc_b', 'token')],
  'delivery.rtc-a-room-session-scoped': ['All sessions share a room.', (b) => shared(b, 'rtc_a', 'room_id')],
  'delivery.rtc-b-channel-session-scoped': ['All sessions share a channel.', (b) => shared(b, 'rtc_b', 'channel_name')],
  'delivery.publisher-other-than-client': [
    'The client is its own publisher.',
    (b) => {
      onCreated(b, put('delivery.media.rtc_a.publisher_user_id', 'everyone'))
      onCreated(b, replace('delivery.media.rtc_a.user_id', 'everyone'))
    },
  ],
})
