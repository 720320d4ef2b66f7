import type { Override } from '#target/behaviour/behaviour'
import { type CreateStep, imagesOf } from '#target/behaviour/create'
import { validation } from '#target/behaviour/validations/input-validation'
import type { Character } from '#target/characters/character'
import type { KeyState } from '#target/keys'
import { type Change, change, omit, put } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { add, around, drop, remembering, set } from '#target/overrides/operators'
import { isWire, textOf, type JsonObject, objectAt, objectsAt, without } from '#target/wire'
import { activeOf, hiddenFrom, inside, isStarted, onStart, other, refuseStart, START } from '../tools/characters.ts'
import { defectsOf } from '../tools/table.ts'

/** A start of a key in this state passes a step unlooked at. */
const skips = (step: CreateStep, state: KeyState): Override =>
  set('create.skips', (operation, one, of) => operation === START && one === step && of === state)

const IDLE = 'interaction_idle_timeout_seconds'

/** Another image of the active avatar than the one that a create comes to. */
const otherImage = (body: JsonObject): unknown => {
  const asked = objectAt(body, 'session')['source_image_id']
  const active = activeOf(body)
  const taken = asked ?? objectAt(active, 'visual')['default_source_image_id']
  return imagesOf(active).find((image) => image['source_image_id'] !== taken)?.['source_image_id'] ?? taken
}

const withSession = (body: JsonObject, fields: JsonObject): JsonObject => ({
  ...body,
  session: { ...objectAt(body, 'session'), ...fields },
})

const transportOf = (object: JsonObject): string | undefined => textOf(inside(object, 'delivery', 'media')['transport'])

/** Changes what Create Session from Character returns. */
const onStarted = (make: Change): Override => onData(START, make)

/** Adds a word to the key of a start. */
const onKey =
  (word: (sent: JsonObject, character: Character | undefined) => unknown): Override =>
  ({ idempotency, characters: { sessions } }) => {
    let added: unknown
    const { named: find } = sessions
    const { named } = idempotency
    sessions.named = (sent, own) => {
      const id = find(sent, own)
      added = word(
        sent,
        own.find((one) => one.id === id),
      )
      return id
    }
    idempotency.named = (operation, key) =>
      operation === START ? `${named(operation, key)}\n${String(added)}` : named(operation, key)
  }

export const sessionDefects = defectsOf('characters.session', {
  'billing-inactive-rejected: A start asks for no billing.': skips('billing', 'billing_inactive'),
  'balance-insufficient-rejected: A start asks for no balance.': skips('billing', 'insufficient_balance'),
  'retry-same-session: A start has no idempotency key.': around('idempotency.named', (named) => {
    let count = 0
    return (operation, key) => {
      count += 1
      return named(operation, operation === START ? `${key}\n${count}` : key)
    }
  }),
  'retry-same-session~replaced: The key of a start is forgotten once its character was replaced.': onKey(
    (_sent, character) => character?.updatedAt,
  ),
  'retry-same-session~output-sent: The key of a start with an output does not count.': remembering(() => {
    let count = 0
    return onKey(({ output }) => {
      if (output === undefined) return ''
      count += 1
      return count
    })
  }),
  'concurrent-one-session: A key counts only when its start is done.': [
    set('idempotency.joinsInFlight', false),
    set('create.allocationMs', 120),
  ],
  'concurrent-one-session~gap: Between the look at a key and its taking a start leaves 5 ms.': [
    set('idempotency.joinsInFlight', false),
    set('create.allocationMs', 5),
  ],
  'other-key-other-session: Keys of a start count by their beginning.': around(
    'idempotency.named',
    (named) => (operation, key) => named(operation, operation === START ? key.slice(0, 6) : key),
  ),
  'without-key-new-session: A start without key repeats the last one.': remembering(() => {
    let count = 0
    return [
      set('idempotency.keyless', 'none'),
      around('idempotency.named', (named) => (operation, key) => {
        count += 1
        return named(operation, operation !== START && key === 'none' ? `${key}\n${count}` : key)
      }),
    ]
  }),
  'key-scoped-to-workspace: Keys are shared by all workspaces.': set('idempotency.scope', (_account, key) => key),
  'several-from-one: A start of a character that was started returns its first session.': remembering(() => {
    let current = ''
    const first = new Map<string, JsonObject>()
    return [
      set('characters.sessions.touches', ({ id }) => {
        current = id
      }),
      onStarted((data) => {
        const known = first.get(current) ?? data
        first.set(current, known)
        return known
      }),
    ]
  }),
  'several-from-one~secret: Sessions of a workspace share a secret.': set(
    'ids.secret',
    (_random, { workspace }) => `cs_${Buffer.from(workspace.repeat(6)).toString('hex')}`,
  ),
  'found-by-get: Get finds no session from a character.': hiddenFrom('get-avatar-session'),
  'admits-control: No secret of a session from a character is admitted.': around(
    'channel.admission.token-wrong',
    (wrong) => (attempt) => wrong(attempt) || (attempt.session !== undefined && isStarted(attempt.session)),
  ),
  'mode-saved: A text chat tells that it is video.': onStarted(put('session.mode', 'video_avatar')),
  'mode-default-saved: A character without mode starts a text chat.': onStart((body) =>
    objectAt(body, 'session')['mode'] === undefined ? withSession(body, { mode: 'text_chat' }) : body,
  ),
  'active-avatar-saved: A start makes another avatar active than the saved one.': onStart((body) => {
    const saved = objectAt(body, 'session')['active_avatar_id']
    const ids = objectsAt(body, 'avatars').map((avatar) => textOf(avatar['avatar_id']) ?? '')
    return saved === undefined ? body : withSession(body, { active_avatar_id: other(saved, ...ids) || saved })
  }),
  'active-avatar-saved~first: Of several avatars the first is the active one.': onStarted((data) => {
    const [first, second] = objectsAt(data, 'avatars')
    return first === undefined || second === undefined
      ? data
      : put('session.active_avatar_id', first['avatar_id'])(data)
  }),
  'active-avatar-sole: An only avatar is not told as active.': onStarted((data) =>
    objectsAt(data, 'avatars').length === 1 ? put('session.active_avatar_id', '')(data) : data,
  ),
  'source-image-saved: A start takes another image than the saved one.': onStart((body) =>
    objectAt(body, 'session')['source_image_id'] === undefined
      ? body
      : withSession(body, { source_image_id: otherImage(body) }),
  ),
  'source-image-default: A start takes another image than the default.': onStart((body) =>
    objectAt(body, 'session')['source_image_id'] === undefined && imagesOf(activeOf(body)).length > 1
      ? withSession(body, { source_image_id: otherImage(body) })
      : body,
  ),
  'response-shape: A start tells of no timeouts.': onStarted(omit('auto_close')),
  'response-shape~fps: A start shows 0 frames a second.': onStarted(
    change('output.fps', (rate) => (rate === undefined ? undefined : 0)),
  ),
  'response-shape~image: A start in text_chat names the default image of its avatar.': onStarted((data) => {
    const state = objectAt(data, 'session')
    const shown = objectAt(activeOf({ ...data, session: state }), 'visual')['default_source_image_id']
    return state['mode'] === 'text_chat' && shown !== undefined
      ? { ...data, session: { ...state, source_image_id: shown } }
      : data
  }),
  'response-shape~control: A start returns no control.': onStarted(omit('control')),
  'avatar-instructions-saved: A session has no instructions of its avatars.': onStart(omit('avatars.*.instructions')),
  'visual-saved: A session has no visual instructions of its avatars.': onStarted(
    omit('avatars.*.visual.instructions'),
  ),
  'source-images-saved: A session has one image of each avatar.': onStarted(
    change('avatars.*.visual.source_images', (list) => (Array.isArray(list) ? list.slice(0, 1) : list)),
  ),
  'tools-saved: A session has no tools.': onStart(omit('conversation.tools')),
  'response-defaults-saved: A session has no response defaults.': onStart(omit('conversation.response_defaults')),
  'turn-detection-saved: A session has no turn detection.': onStart(omit('conversation.turn_detection')),
  'transcription-saved: A session has no transcription.': onStart(omit('conversation.input_audio_transcription')),
  'delivery-saved: A saved transport does not count.': onStart((body, sent) =>
    sent['delivery'] === undefined ? without(body, 'delivery') : body,
  ),
  'transport-default: Without delivery a session from a character is delivered over rtc_b.': onStart((body) =>
    body['delivery'] === undefined ? { ...body, delivery: { media: { transport: 'rtc_b' } } } : body,
  ),
  'disconnected-timeout-saved: A session has the disconnected timeout of the platform.': onStart(
    omit('auto_close.disconnected_timeout_seconds'),
  ),
  'idle-timeout-saved: A session has no idle timeout.': onStart(omit(`auto_close.${IDLE}`)),
  'idle-timeout-saved~alone: A session has no idle timeout where no other timeout was saved.': onStart((body) =>
    objectAt(body, 'auto_close')['disconnected_timeout_seconds'] === undefined
      ? omit(`auto_close.${IDLE}`)(body)
      : body,
  ),
  'timeout-zero-saved: A disconnected timeout of 0 is told as that of the platform.': onStarted(
    change('auto_close.disconnected_timeout_seconds', (value) => (value === 0 ? 300 : value)),
  ),
  'idle-timeout-omitted-zero: A session has an idle timeout of a minute unasked.': onStart((body) => ({
    ...body,
    auto_close: { [IDLE]: 60, ...objectAt(body, 'auto_close') },
  })),
  'expires-within-saved-duration: A session from a character is said to live an hour longer.': onStarted(
    change('expires_at', (at) => new Date(Date.parse(String(at)) + 3_600_000).toISOString()),
  ),
  'expires-within-saved-duration~undated: A session from a character is said to live an hour longer, and no answer has a date.':
    [
      set('http.dated', false),
      onStarted(change('expires_at', (at) => new Date(Date.parse(String(at)) + 3_600_000).toISOString())),
    ],
  'starts-by-id-alone: A start needs a model.': add(
    'validations.start.body',
    'refused-by-defect',
    validation('4.1', 'model', ({ body }) => body['model'] === undefined),
  ),
  'character-id-missing-rejected: A start without id takes the newest character.': [
    drop('validations.start.body', 'character-id-missing'),
    around(
      'characters.sessions.named',
      (named) => (sent, own) => (sent['character_id'] === undefined ? (own.at(-1)?.id ?? '') : named(sent, own)),
    ),
  ],
  'unknown-character-rejected: A start with an unknown id takes the newest character.': around(
    'characters.sessions.named',
    (named) => {
      const known = new Set<string>()
      return (sent, own) => {
        for (const { id } of own) known.add(id)
        const id = named(sent, own)
        return id === '' || known.has(id) ? id : (own.findLast(({ deleted }) => !deleted)?.id ?? id)
      }
    },
  ),
  'transport-overridden: A transport that is sent does not count.': set('characters.sessions.merging', ['output']),
  'transport-override-replaces-saved: A saved transport wins.': onStart((body, _sent, saved) =>
    transportOf(saved) === undefined ? body : { ...body, delivery: saved['delivery'] },
  ),
  'delivery-unused-in-text-chat: A text chat must be started without delivery.': refuseStart(
    ({ mode, body }) => mode === 'text_chat' && body['delivery'] !== undefined,
  ),
  'delivery-empty-keeps: An empty delivery resets the saved one.': onStart((body, sent) =>
    sent['delivery'] !== undefined && Object.keys(objectAt(sent, 'delivery')).length === 0
      ? without(body, 'delivery')
      : body,
  ),
  'body-leaves-character: What is sent with a start is saved.': set(
    'characters.sessions.touches',
    (character, sent) => {
      const { configuration } = character
      character.configuration = { ...configuration, ...without(sent, 'character_id', 'idempotency_key') }
    },
  ),
  'body-leaves-character~duration: The duration that is sent with a start is saved.': set(
    'characters.sessions.touches',
    (character, { max_duration_seconds }) => {
      if (max_duration_seconds === undefined) return
      character.configuration = { ...character.configuration, max_duration_seconds }
    },
  ),
  'overrides-not-kept: What one start sends is in force for the next.': around('characters.sessions.body', (body) => {
    const kept = new Map<unknown, JsonObject>()
    return (saved, sent, how) => {
      const { character_id: id } = sent
      const all = { ...kept.get(id), ...sent }
      kept.set(id, without(all, 'idempotency_key'))
      return body(saved, all, how)
    }
  }),
  'overrides-not-kept~delivery: The delivery of one start is in force for the next.': remembering(() => {
    const kept = new Map<string, JsonObject>()
    return [
      around('characters.sessions.saved', (saved) => (character) => {
        const delivery = kept.get(character.id)
        return delivery === undefined ? saved(character) : { ...saved(character), delivery }
      }),
      set('characters.sessions.touches', ({ id }, { delivery }) => {
        if (isWire(delivery)) kept.set(id, delivery)
      }),
    ]
  }),
  'retry-same-session~with-output: The key of a start that overrides the output is not honoured.': around(
    'idempotency.named',
    (named) => {
      let count = 0
      return (operation, key, body) => {
        count += 1
        const fresh = operation === START && body?.['output'] !== undefined
        return fresh ? `${named(operation, key)}\n${count}` : named(operation, key)
      }
    },
  ),
})
