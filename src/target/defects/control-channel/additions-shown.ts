import { isWire, type Wire, wiresAt } from '#target/wire'
import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onEvent } from '../tools.ts'

const ADDED = 'asset.added'
const JOINED = 'avatar.added'
const emptyGone = (list: unknown): unknown => (Array.isArray(list) && list.length === 0 ? undefined : list)
const onlyFirst = (list: unknown): unknown => (Array.isArray(list) ? list.slice(0, 1) : list)
const withStranger =
  (stranger: Wire) =>
  (list: unknown): unknown =>
    Array.isArray(list) && list.length > 0 ? [...list, stranger] : list
const byIndex = (list: unknown): unknown =>
  Array.isArray(list) && list.length > 0 ? Object.fromEntries(list.entries()) : list

const assetDefects = defectsOf('control-channel', {
  'asset-added.assets-object': [
    'The arrays stand beside the type.',
    (b) => onEvent(b, ADDED, ({ assets, ...event }) => ({ ...Object(assets), ...event })),
  ],
  'asset-added.images-array': ['Images come by index.', (b) => onEvent(b, ADDED, change('assets.images', byIndex))],
  'asset-added.audio-array': ['Audio comes by index.', (b) => onEvent(b, ADDED, change('assets.audio', byIndex))],
  'asset-added.speech-text-array': [
    'Speech texts come by index.',
    (b) => onEvent(b, ADDED, change('assets.speech_text', byIndex)),
  ],
  'asset-added.visual-prompts-array': [
    'Visual prompts come by index.',
    (b) => onEvent(b, ADDED, change('assets.visual_prompts', byIndex)),
  ],
  'asset-added.empty-kinds-shown': [
    'Empty arrays are left out.',
    (b) => {
      for (const kind of ['images', 'audio', 'speech_text', 'visual_prompts'])
        onEvent(b, ADDED, change(`assets.${kind}`, emptyGone))
    },
  ],
  'asset-added.lists-every-asset': [
    'Only the first of a kind is listed.',
    (b) => {
      for (const kind of ['images', 'audio', 'speech_text', 'visual_prompts'])
        onEvent(b, ADDED, change(`assets.${kind}`, onlyFirst))
    },
  ],
  'asset-added.lists-no-others': [
    'An asset is listed that nobody added.',
    (b) =>
      onEvent(b, ADDED, change('assets.speech_text', withStranger({ asset_id: 'builtin_greeting', text: 'Hello' }))),
  ],
  'asset-added.content-agrees': [
    'Texts are listed in capitals.',
    (b) =>
      onEvent(
        b,
        ADDED,
        change('assets.speech_text.*.text', (text) => String(text).toUpperCase()),
      ),
  ],
  'asset-added.content-agrees~url': [
    'Images are listed with the URL of a sound.',
    (b) =>
      onEvent(b, ADDED, (event, session) => {
        const [sound] = session.assets.audio.values()
        return sound === undefined ? event : change('assets.images.*.url', () => sound['url'])(event)
      }),
  ],
})

const avatarDefects = defectsOf('control-channel', {
  'avatar-added.avatars-array': ['Avatars come by id.', (b) => onEvent(b, JOINED, change('avatars', byIndex))],
  'avatar-added.avatar-id-string': [
    'Avatars come with `id`.',
    (b) =>
      onEvent(
        b,
        JOINED,
        change('avatars.*', (avatar) =>
          isWire(avatar) ? { ...drop('avatar_id')(avatar), id: avatar['avatar_id'] } : avatar,
        ),
      ),
  ],
  'avatar-added.lists-every-avatar': [
    'Only the first avatar is listed.',
    (b) => onEvent(b, JOINED, change('avatars', onlyFirst)),
  ],
  'avatar-added.lists-no-others': [
    'An avatar is listed that nobody added.',
    (b) => onEvent(b, JOINED, change('avatars', withStranger({ avatar_id: 'builtin_host' }))),
  ],
  'avatar-added.each-once': [
    'Avatars are listed twice.',
    (b) =>
      onEvent(b, JOINED, (event) =>
        put('avatars', [...wiresAt(event, 'avatars'), ...wiresAt(event, 'avatars')])(event),
      ),
  ],
  'avatar-added.instructions-effective': [
    'Instructions are left out.',
    (b) => onEvent(b, JOINED, drop('avatars.*.instructions')),
  ],
  'avatar-added.visual-effective': [
    'The default image is left out.',
    (b) => onEvent(b, JOINED, drop('avatars.*.visual.default_source_image_id')),
  ],
  'avatar-added.voice-effective': ['The voice is left out.', (b) => onEvent(b, JOINED, drop('avatars.*.voice'))],
})

export const additionShownDefects = [...assetDefects, ...avatarDefects]
