import { drop, set, around, add, append, several } from '#target/overrides/operators'
import { validation } from '#target/behaviour/validations/input-validation'
import type { ResponseInput } from '#target/behaviour/validations/response-create'
import type { Variation } from '#target/deviation'
import { isWire, type JsonObject, objectAt, without } from '#target/wire'
import { deeply } from '../payloads.ts'
import { variationsOf } from '../table.ts'

/** Opening the channel, and to whom events go. */
const connectionVariations = variationsOf({
  'refusal-by-close §5: A refused channel is accepted and closed at once.': several(
    set('channel.refusal', 'close'),
    set('channel.refusalCloseCode', 4401),
  ),
  'refusal-with-403 §5: Every refused channel is answered with 403.': ({ channel }) => {
    for (const id of channel.admissionOrder) channel.refusalStatuses[id] = 403
  },
  'refusal-with-429 §5: Every refused channel is answered with 429, as one that has tried too often.': ({
    channel,
  }) => {
    for (const id of channel.admissionOrder) channel.refusalStatuses[id] = 429
  },
  'older-connections-end §5: A new connection ends the older one of its session.': set('channel.replacesOlder', true),
  'confirmations-to-sender §6.2: Confirmations reach the connection that asked, and no other.': set(
    'channel.confirmations',
    'sender',
  ),
  'events-to-newest §6.2: Events reach the newest connection of the session alone (to which one is not said).': {
    warns: ['control-channel.connections.sender-is-answered'],
    override: set('channel.listeners', (session) => [
      { ...session, connections: new Set([...session.connections].slice(-1)) },
    ]),
  },
  'responses-to-newest §6.2: Confirmations reach the connection that asked, and what comes of responses the newest one alone (to which one is not said).':
    {
      warns: ['control-channel.connections.sender-is-answered'],
      override: several(
        set('channel.confirmations', 'sender'),
        set('channel.listeners', (session) => [
          { ...session, connections: new Set([...session.connections].slice(-1)) },
        ]),
      ),
    },
  'errors-to-all §6.2: Errors reach every connection of the session.': set('channel.errors', 'all'),
  'deflate §4.4: Frames are compressed.': set('channel.deflate', true),
  'server-pings §4.4: The server pings its connections all the time.': set('channel.pingMs', 40),
  'binary-as-text §4.4: A binary message is read as if it were text.': set('channel.readsBinary', true),
  "errors-terse §6.2: Errors have other types, codes and messages; what is the service's own failure is still told.":
    around(
      'events.error',
      (error) => (facts) =>
        error({
          ...facts,
          type: facts.type === 'server_error' ? 'upstream_failure' : 'oops',
          message: 'No.',
          code: facts.code === 'invalid_event' ? facts.code : 'E-17',
        }),
    ),
  'errors-of-server §6.2: Each error has the type `server_error`, whatever is wrong.': around(
    'events.error',
    (error) => (facts) => error({ ...facts, type: 'server_error' }),
  ),
})

/** Events that a service sends by itself. */
const extraVariations = variationsOf({
  'opening §6.2: Each connection learns that the opening is done.': set('extras.opening', {
    status: 'completed',
    reason: undefined,
  }),
  'opening-reason-empty §6.2: Each connection learns that the opening is done, for an empty reason (it is optional).':
    set('extras.opening', { status: 'completed', reason: '' }),
  'opening-told-late §6.2: That the opening is done is told when responses were asked for already.': several(
    set('extras.opening', { status: 'completed', reason: undefined }),
    set('extras.openingMs', 700),
  ),
  'opening-failed §6.2: The opening fails for an unfamiliar reason, and is told once.': several(
    set('extras.opening', { status: 'failed', reason: 'moon_phase' }),
    set('extras.replaysOpening', false),
  ),
  'user-speech §6.2: A user is heard speaking.': set('extras.userSpeech', {
    afterMs: 50,
    transcript: 'Can you hear me?',
    fails: false,
  }),
  'user-speech-unclear §6.2: A user is heard speaking and cannot be understood.': set('extras.userSpeech', {
    afterMs: 50,
    transcript: '',
    fails: true,
  }),
})

/** Fields of what a client adds to a session (2.3, 2.4, 2.9). */
const KNOWN = new Set(
  [
    'avatar_id instructions voice provider provider_voice_id model speed visual source_images default_source_image_id',
    'source_image_id url description media_type asset_id mime_type text format prompt',
    'id type status role content call_id name arguments output audio transcript image_url detail',
  ].flatMap((names) => names.split(' ')),
)

const onlyKnown = (object: JsonObject): JsonObject => {
  const known = deeply(object, (one) => Object.fromEntries(Object.entries(one).filter(([name]) => KNOWN.has(name))))
  return isWire(known) ? known : object
}

/** `session.update`, additions and items where the spec leaves a choice. */
const eventVariations = variationsOf({
  'updates-not-superseded §6.2: Every accepted update completes, however many there are.': set(
    'update.supersedes',
    false,
  ),
  'updates-slow §3.5: An update takes a third of a second to complete.': set('update.settleMs', 300),
  'cleared-image-fails §4.4: A null source image in video leaves none, so the update is refused.': set(
    'update.clearedImage',
    () => null,
  ),
  'media-always-told §6.2: Every update in video tells the media details.': set(
    'update.announcesMedia',
    (_previous, next) => next.mode === 'video_avatar',
  ),
  'failed-updates-undone §3.5: An update that fails in the end is taken back.': set('update.failureRestores', true),
  'shared-images-kept §4.4: With another avatar its default image comes, even if it has the old image too.': around(
    'update.keptImage',
    (keptImage) => (current, avatar, session) =>
      avatar?.['avatar_id'] === current.activeAvatarId ? keptImage(current, avatar, session) : null,
  ),
  'voice-overruled-when-added §2.3: A voice of an added avatar is overruled by a session TTS and not refused.': drop(
    'validations.avatarAddition',
    'voice-beside-tts',
  ),
  'unknown-previous-appended §4.4: An item after an unknown one is appended.': drop(
    'validations.itemCreate',
    'previous-unknown',
  ),
  'unknown-previous-first §4.4: An item after an unknown one is put at the start.': several(
    drop('validations.itemCreate', 'previous-unknown'),
    around('conversation.position', (position) => (previous, items) => {
      const isKnown = items.some(({ id }) => id === previous)
      return typeof previous === 'string' && !isKnown ? 0 : position(previous, items)
    }),
  ),
  'duplicate-items-ignored §4.4: An item whose id is taken is passed over in silence.': several(
    drop('validations.itemCreate', 'item-id-taken'),
    set('conversation.ignores', (item, items) => items.some((stored) => stored['id'] === item['id'])),
  ),
  'duplicate-items-shown §4.4: An item whose id is taken is answered with the item that is there, which stays as it is.':
    several(
      drop('validations.itemCreate', 'item-id-taken'),
      set('conversation.standing', (item, items) => items.find((stored) => stored['id'] === item['id'])),
    ),
  'unknown-deletes-confirmed §4.4: Deleting an unknown item is confirmed.': drop(
    'validations.itemDelete',
    'item-unknown',
  ),
  'audio-in-text-refused §4.4: Scripted audio in text_chat is refused.': add(
    'validations.responseCreate',
    'audio-in-text-chat',
    validation('4.4', 'response.script.vocal', isAudioInText),
  ),
  'visual-in-text-ignored §4.4: A visual action in text_chat is accepted and does nothing.': drop(
    'validations.responseCreate',
    'visual-in-text-chat',
  ),
  'visual-in-text-refused §4.4: A visual action in text_chat is refused, beside speech too.': set(
    'validations.responseCreate.visual-in-text-chat.broken',
    ({ response, session }) =>
      session.state.mode === 'text_chat' && objectAt(response, 'script')['visual'] !== undefined,
  ),
  'unknown-fields-not-kept §4.4: Fields that the interface does not know are kept nowhere, and come back nowhere.':
    several(
      around('registry.effectiveAvatar', (effective) => (avatar) => onlyKnown(effective(avatar))),
      around(
        'registry.confirmedAssets',
        (confirmed) => (registered, given) =>
          Object.fromEntries(
            Object.entries(confirmed(registered, given)).map(([kind, list]) => [kind, list.map(onlyKnown)]),
          ),
      ),
      around('conversation.stored', (stored) => (item, id) => onlyKnown(stored(item, id))),
    ),
  'item-status-unshown §2.9: Items show no status.': append('outgoing', (event) => [
    event['item'] === undefined ? event : { ...event, item: without(objectAt(event, 'item'), 'status') },
  ]),
})

function isAudioInText(input: ResponseInput): boolean {
  const vocal = objectAt(objectAt(input.response, 'script'), 'vocal')
  return input.session.state.mode === 'text_chat' && ['audio', 'audio_asset'].includes(String(vocal['type']))
}

export const channelVariations: readonly Variation[] = [...connectionVariations, ...extraVariations, ...eventVariations]
