import { drop, set, around, add, append, several } from '#target/overrides/operators'
import { validation } from '../behaviour/validations/input-validation.ts'
import type { ResponseInput } from '../behaviour/validations/response-create.ts'
import type { Variation } from '../deviation.ts'
import { objectAt, without } from '../wire.ts'

/** Opening the channel, and to whom events go. */
const connectionVariations: readonly Variation[] = [
  {
    id: 'refusal-by-close',
    section: '5',
    text: 'A refused channel is accepted and closed at once.',
    override: several(set('channel.refusal', 'close'), set('channel.refusalCloseCode', 4401)),
  },
  {
    id: 'refusal-with-403',
    section: '5',
    text: 'Every refused channel is answered with 403.',
    override: ({ channel }) => {
      for (const id of channel.admissionOrder) channel.refusalStatuses[id] = 403
    },
  },
  {
    id: 'older-connections-end',
    section: '5',
    text: 'A new connection ends the older one of its session.',
    override: set('channel.replacesOlder', true),
  },
  {
    id: 'confirmations-to-sender',
    section: '6.2',
    text: 'Confirmations reach the connection that asked, and no other.',
    override: set('channel.confirmations', 'sender'),
  },
  {
    id: 'errors-to-all',
    section: '6.2',
    text: 'Errors reach every connection of the session.',
    override: set('channel.errors', 'all'),
  },
  {
    id: 'deflate',
    section: '4.4',
    text: 'Frames are compressed.',
    override: set('channel.deflate', true),
  },
  {
    id: 'server-pings',
    section: '4.4',
    text: 'The server pings its connections all the time.',
    override: set('channel.pingMs', 40),
  },
  {
    id: 'binary-as-text',
    section: '4.4',
    text: 'A binary message is read as if it were text.',
    override: set('channel.readsBinary', true),
  },
  {
    id: 'errors-terse',
    section: '6.2',
    text: 'Errors have other types, codes and messages.',
    override: around(
      'events.error',
      (error) => (facts) =>
        error({ ...facts, type: 'oops', message: 'No.', code: facts.code === 'invalid_event' ? facts.code : 'E-17' }),
    ),
  },
]

/** Events that a service sends by itself. */
const extraVariations: readonly Variation[] = [
  {
    id: 'opening',
    section: '6.2',
    text: 'Each connection learns that the opening is done.',
    override: set('extras.opening', { status: 'completed', reason: undefined }),
  },
  {
    id: 'opening-told-late',
    section: '6.2',
    text: 'That the opening is done is told when responses were asked for already.',
    override: several(set('extras.opening', { status: 'completed', reason: undefined }), set('extras.openingMs', 700)),
  },
  {
    id: 'opening-failed',
    section: '6.2',
    text: 'The opening fails for an unfamiliar reason, and is told once.',
    override: several(
      set('extras.opening', { status: 'failed', reason: 'moon_phase' }),
      set('extras.replaysOpening', false),
    ),
  },
  {
    id: 'user-speech',
    section: '6.2',
    text: 'A user is heard speaking.',
    override: set('extras.userSpeech', { afterMs: 50, transcript: 'Can you hear me?', fails: false }),
  },
  {
    id: 'user-speech-unclear',
    section: '6.2',
    text: 'A user is heard speaking and cannot be understood.',
    override: set('extras.userSpeech', { afterMs: 50, transcript: '', fails: true }),
  },
]

/** `session.update`, additions and items where the spec leaves a choice. */
const eventVariations: readonly Variation[] = [
  {
    id: 'updates-not-superseded',
    section: '6.2',
    text: 'Every accepted update completes, however many there are.',
    override: set('update.supersedes', false),
  },
  {
    id: 'updates-slow',
    section: '3.5',
    text: 'An update takes a third of a second to complete.',
    override: set('update.settleMs', 300),
  },
  {
    id: 'cleared-image-fails',
    section: '4.4',
    text: 'A null source image in video leaves none, so the update is refused.',
    override: set('update.clearedImage', () => null),
  },
  {
    id: 'media-always-told',
    section: '6.2',
    text: 'Every update in video tells the media details.',
    override: set('update.announcesMedia', (_previous, next) => next.mode === 'video_avatar'),
  },
  {
    id: 'failed-updates-undone',
    section: '3.5',
    text: 'An update that fails in the end is taken back.',
    override: set('update.failureRestores', true),
  },
  {
    id: 'shared-images-kept',
    section: '4.4',
    text: 'With another avatar its default image comes, even if it has the old image too.',
    override: around(
      'update.keptImage',
      (keptImage) => (current, avatar, session) =>
        avatar?.['avatar_id'] === current.activeAvatarId ? keptImage(current, avatar, session) : null,
    ),
  },
  {
    id: 'voice-overruled-when-added',
    section: '2.3',
    text: 'A voice of an added avatar is overruled by a session TTS and not refused.',
    override: drop('validations.avatarAddition', 'voice-beside-tts'),
  },
  {
    id: 'unknown-previous-appended',
    section: '4.4',
    text: 'An item after an unknown one is appended.',
    override: drop('validations.itemCreate', 'previous-unknown'),
  },
  {
    id: 'duplicate-items-ignored',
    section: '4.4',
    text: 'An item whose id is taken is passed over in silence.',
    override: several(
      drop('validations.itemCreate', 'item-id-taken'),
      set('conversation.ignores', (item, items) => items.some((stored) => stored['id'] === item['id'])),
    ),
  },
  {
    id: 'duplicate-items-shown',
    section: '4.4',
    text: 'An item whose id is taken is answered with the item that is there, which stays as it is.',
    override: several(
      drop('validations.itemCreate', 'item-id-taken'),
      set('conversation.standing', (item, items) => items.find((stored) => stored['id'] === item['id'])),
    ),
  },
  {
    id: 'unknown-deletes-confirmed',
    section: '4.4',
    text: 'Deleting an unknown item is confirmed.',
    override: drop('validations.itemDelete', 'item-unknown'),
  },
  {
    id: 'audio-in-text-refused',
    section: '4.4',
    text: 'Scripted audio in text_chat is refused.',
    override: add(
      'validations.responseCreate',
      'audio-in-text-chat',
      validation('4.4', 'response.script.vocal', isAudioInText),
    ),
  },
  {
    id: 'visual-in-text-ignored',
    section: '4.4',
    text: 'A visual action in text_chat is accepted and does nothing.',
    override: drop('validations.responseCreate', 'visual-in-text-chat'),
  },
  {
    id: 'visual-in-text-refused',
    section: '4.4',
    text: 'A visual action in text_chat is refused, beside speech too.',
    override: set(
      'validations.responseCreate.visual-in-text-chat.broken',
      ({ response, session }) =>
        session.state.mode === 'text_chat' && objectAt(response, 'script')['visual'] !== undefined,
    ),
  },
  {
    id: 'item-status-unshown',
    section: '2.9',
    text: 'Items show no status.',
    override: append('outgoing', (event) => [
      event['item'] === undefined ? event : { ...event, item: without(objectAt(event, 'item'), 'status') },
    ]),
  },
]

function isAudioInText(input: ResponseInput): boolean {
  const vocal = objectAt(objectAt(input.response, 'script'), 'vocal')
  return input.session.state.mode === 'text_chat' && ['audio', 'audio_asset'].includes(String(vocal['type']))
}

export const channelVariations: readonly Variation[] = [...connectionVariations, ...extraVariations, ...eventVariations]
