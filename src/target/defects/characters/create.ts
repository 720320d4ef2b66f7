import type { Override } from '#target/behaviour/behaviour'
import { imagesOf } from '#target/behaviour/create'
import { change, omit, put } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { around, except, remembering, set } from '#target/overrides/operators'
import { isWire, type JsonObject, textOf, objectAt, objectsAt } from '#target/wire'
import { CREATE, letThrough, onStart, refuseSave } from '../tools/characters.ts'
import { writes } from '../tools/creates.ts'
import { atEnds, fewerAvatars } from '../tools/ends.ts'
import { refusedSaves } from '../tools/saves.ts'
import { defectsOf } from '../tools/table.ts'

const readModes = (mode: string): Override =>
  around('characters.read', (read) => (given) => {
    const body = read(given)
    const asked = objectAt(body, 'session')['mode']
    if (asked === undefined || asked === 'text_chat' || asked === 'video_avatar') return body
    return { ...body, session: { ...(isWire(body['session']) ? body['session'] : {}), mode } }
  })

export const createDefects = defectsOf('characters.create', {
  'text-chat-accepted: A text chat cannot be saved.': refuseSave(CREATE, ({ mode }) => mode === 'text_chat'),
  'video-accepted: A character of video cannot be saved when it says that it is one.': refuseSave(
    CREATE,
    ({ session }) => session['mode'] === 'video_avatar',
  ),
  'video-accepted~first-avatar: The source image of a character is looked for in its first avatar, whichever is active.':
    refuseSave(CREATE, ({ session, avatars }) => {
      const { source_image_id: image } = session
      return image !== undefined && imagesOf(avatars[0]).every(({ source_image_id: id }) => id !== image)
    }),
  'default-mode-video-accepted: A save needs a session.': [
    refuseSave(CREATE, ({ body }) => body['session'] === undefined),
    refuseSave('replace-character', ({ body }) => body['session'] === undefined),
  ],
  'default-mode-video-accepted~create: A create needs a session.': refuseSave(
    CREATE,
    ({ body }) => body['session'] === undefined,
  ),
  'output-unneeded-in-text-chat: A text chat needs an output.': refuseSave(
    CREATE,
    ({ mode, body }) => mode === 'text_chat' && body['output'] === undefined,
  ),
  'model-lite-accepted: `svc-a1-stream-lite` cannot be saved.': refuseSave(
    CREATE,
    ({ body }) => body['model'] === 'svc-a1-stream-lite',
  ),
  'several-avatars-accepted: A character has one avatar.': refuseSave(CREATE, ({ avatars }) => avatars.length > 1),
  'starts-no-session: A create tells of a session.': onData(CREATE, put('session_id', 'ses_of_a_character')),
  'holds-no-quota: Each character takes a slot of its workspace.': remembering(() => {
    const saved = new Map<string, number>()
    return [
      around('characters.id', (id) => (random, account, given) => {
        saved.set(account.workspace, (saved.get(account.workspace) ?? 0) + 1)
        return id(random, account, given)
      }),
      around(
        'quota.cap',
        (cap) => (account, configured) => cap(account, configured) - (saved.get(account.workspace) ?? 0),
      ),
    ]
  }),
  'holds-no-quota~where-free: A save takes a slot of its workspace where one is free.': set('quota.heldBySaves', true),
  'returned-by-get: Get returns another name than was saved.': onData(
    'get-character',
    change('name', (name) => `${String(name)} (saved)`),
  ),
  'returned-by-get~created-at: Get tells of a creation an hour later than it was.': onData('get-character', (data) => ({
    ...data,
    created_at: `${new Date(Date.parse(String(data['created_at'])) + 3_600_000).toISOString().slice(0, 19)}Z`,
  })),
  'returned-by-get~tools: Of several tools Get returns the first one.': onData(
    'get-character',
    change('conversation.tools', (tools) => (Array.isArray(tools) ? tools.slice(0, 1) : tools)),
  ),
  'returned-by-get~pipeline: Get leaves the pipeline configuration out.': onData(
    'get-character',
    omit('pipeline_config'),
  ),
  'returned-by-get~avatars-of-sessions: A session shares its list of avatars with the character that it started from.':
    remembering(() => {
      const added = new Map<string | undefined, JsonObject[]>()
      return [
        around('registry.stateAfterAdd', (after) => (session, avatars) => {
          added.set(session.plan.characterId, [...(added.get(session.plan.characterId) ?? []), ...avatars])
          return after(session, avatars)
        }),
        around('characters.views.configuration', (configuration) => (character) => {
          const shown = configuration(character)
          return { ...shown, avatars: [...objectsAt(shown, 'avatars'), ...(added.get(character.id) ?? [])] }
        }),
      ]
    }),
  'returned-by-get~updates-of-sessions: The avatar that an update makes active in a session is active in its character, too.':
    remembering(() => {
      const chosen = new Map<string | undefined, string>()
      return [
        around('update.stored', (stored) => (current, next, session) => {
          chosen.set(session.plan.characterId, next.activeAvatarId)
          return stored(current, next, session)
        }),
        around('characters.views.configuration', (configuration) => (character) => {
          const [shown, active] = [configuration(character), chosen.get(character.id)]
          if (active === undefined) return shown
          return { ...shown, session: { ...objectAt(shown, 'session'), active_avatar_id: active } }
        }),
      ]
    }),
  'same-body-other-character: A character is known by its name.': set(
    'characters.id',
    (_random, { workspace }, { name }) => `chr_${Buffer.from(`${workspace} ${name}`).toString('hex')}`,
  ),
  'refused-leaves-no-character: A refused create is written.': set(
    'characters.writesRefused',
    (_code, operation) => operation === CREATE,
  ),
  'refused-leaves-no-character~keyless: A create without a key is refused, and written.': set(
    'access.actsFirst',
    (operation, credential) => operation === CREATE && credential === undefined,
  ),
  'refused-leaves-no-character~20012: A create that is refused with 20012 is written.': writes('create', '20012'),
  'refused-leaves-no-character~20013: A create that is refused with 20013 is written.': writes('create', '20013'),
  'refused-leaves-no-character~20014: A create that is refused with 20014 is written.': writes('create', '20014'),
  'refused-leaves-no-character~30004: A create that is refused with 30004 is written.': writes('create', '30004'),
  'refused-leaves-no-character~moderated: A create that moderation refuses is written.': set(
    'characters.writesRefused',
    (code, operation) => code === '30001' && operation === 'create-character',
  ),
  'active-avatar-ambiguous-refused: Of several avatars the first is active.': [
    letThrough('session', 'active-avatar-ambiguous'),
    onStart((body) => {
      const [first] = objectsAt(body, 'avatars')
      const session = objectAt(body, 'session')
      const active = session['active_avatar_id'] ?? textOf(first?.['avatar_id'])
      return { ...body, session: { ...session, active_avatar_id: active } }
    }),
  ],
  'model-unknown-refused: Any model is saved and run.': letThrough('session', 'model-unsupported'),
  'resolution-unknown-refused: Any resolution is saved and rendered.': letThrough('session', 'resolution-unsupported'),
  'mode-unknown-refused: An unknown mode means text.': letThrough('session', 'mode-unknown'),
  'mode-unknown-refused~as-text: An unknown mode of a character means text_chat.': readModes('text_chat'),
  'mode-unknown-refused~as-video: An unknown mode of a character means video_avatar.': readModes('video_avatar'),
  'source-image-unresolvable-refused: A character may have no image to render.': letThrough(
    'session',
    'source-image-unresolved',
  ),
  'source-image-unknown-refused: An unknown image is saved and rendered.': letThrough(
    'session',
    'source-image-unknown',
  ),
  'tool-name-missing-refused: A tool may have no name.': letThrough('conversation', 'tool-name-missing'),
  'tool-name-missing-refused~last: Only the last tool of a character is looked at for its name.': ({ validations }) => {
    for (const { conversation } of [validations.character, validations.replacement, validations.start]) {
      const { broken } = conversation['tool-name-missing']
      conversation['tool-name-missing'].broken = (input) =>
        broken({ ...input, given: { tools: objectsAt(input.given, 'tools').slice(-1) } })
    }
  },
  'temperature-out-of-range-refused: Any temperature will do.': letThrough(
    'conversation',
    'temperature-low',
    'temperature-high',
  ),
  'temperature-out-of-range-refused~below: A character may have a temperature below 0.': letThrough(
    'conversation',
    'temperature-low',
  ),
  'tts-config-missing-refused: A pipeline may have no voice.': letThrough('pipeline', 'tts-missing'),
  'tts-voice-id-empty-refused: A voice id may be empty.': letThrough('pipeline', 'tts-voice-empty'),
  'source-image-id-duplicate-refused: Images of an avatar may share an id.': letThrough(
    'avatars',
    'source-image-id-repeated',
  ),
  'media-type-not-image-refused: A source image may be a video.': letThrough('avatars', 'media-type-not-image'),
  'voice-incomplete-refused: A voice may be incomplete.': letThrough(
    'avatars',
    'voice-provider-missing',
    'voice-id-missing',
    'voice-model-missing',
  ),
  'voice-incomplete-refused~model-alone: The voice of a character needs no model.': letThrough(
    'avatars',
    'voice-model-missing',
  ),
  'voice-incomplete-refused~voice-id-alone: The voice of a character needs no provider_voice_id.': letThrough(
    'avatars',
    'voice-id-missing',
  ),
  'voice-incomplete-refused~provider-alone: The voice of a character needs no provider.': letThrough(
    'avatars',
    'voice-provider-missing',
  ),
  'name-null-rejected: A create may have null for a name.': except(
    'validations.character.name',
    'name-not-string',
    ({ body }) => body['name'] === null,
  ),
  'name-not-string-rejected: A create may have a number for a name.': except(
    'validations.character.name',
    'name-not-string',
    ({ body }) => typeof body['name'] === 'number',
  ),
  'output-missing-mode-omitted-rejected: A create whose session has no mode needs no output.': except(
    'validations.character.session',
    'output-missing',
    ({ session, body }) => body['session'] !== undefined && session['mode'] === undefined,
  ),
  'moderated-rejected~name: Moderation of a create looks at the name alone.': set(
    'characters.moderatedTexts',
    (body) => [String(body['name'])],
  ),
  ...atEnds('avatar', 'validations.character.avatars', fewerAvatars, {
    'avatar-id-missing-rejected': ['avatar-id-missing', 'its id'],
    'avatar-id-empty-rejected': ['avatar-id-empty', 'an empty id'],
  }),
  ...refusedSaves('create'),
  'avatar-id-duplicate-rejected~apart: Only neighbours are compared.': except(
    'validations.character.avatars',
    'avatar-id-repeated',
    (input) =>
      !input.avatars.some(
        (avatar, place) => place > 0 && avatar['avatar_id'] === input.avatars[place - 1]?.['avatar_id'],
      ),
  ),
})
