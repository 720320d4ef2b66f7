import type { Override } from '#target/behaviour/behaviour'
import type { CreateInput } from '#target/behaviour/validations/create-session'
import { change, cutAt, omit } from '#target/overrides/changes'
import { onCreated } from '#target/overrides/data'
import { around, drop, except } from '#target/overrides/operators'
import { isWire, type JsonObject, objectsAt } from '#target/wire'
import { atEnds, fewerAssets } from '../tools/ends.ts'
import { onlyFirst } from '../tools/control-channel.ts'
import { unchecked } from '../tools/modes.ts'
import { inBody, refuseCreate } from '../tools/refusals.ts'
import { idsIn, isInherited } from '../tools/assets.ts'
import { defectsOf } from '../tools/table.ts'

const assets = (input: CreateInput, kind: string): JsonObject[] => objectsAt(inBody(input, 'assets'), kind)

const overlap = (one: unknown[], other: unknown[]): boolean => one.some((id) => other.includes(id))

/** Lets one id appear twice in some of the arrays, and nowhere else. */
const allowDuplicates = (fits: (ids: (kind: string) => unknown[]) => boolean): Override =>
  except('validations.createAssets', 'asset-id-repeated', (input) =>
    fits((kind) => objectsAt(input.given, kind).map((asset) => asset['asset_id'])),
  )

/** Drops what repeats an id within one array of assets, so that the repetition passes. */
const forgives = (name: string): Override =>
  around('validations.createAssets.asset-id-repeated.broken', (broken) => (input) => {
    if (!isWire(input.given)) return broken(input)
    const ids = new Set<unknown>()
    const first = objectsAt(input.given, name).filter(({ asset_id: id }) => {
      const fresh = !ids.has(id)
      ids.add(id)
      return fresh
    })
    return broken({ ...input, given: { ...input.given, [name]: first } })
  })

export const assetsDefects = defectsOf('avatar-sessions.assets', {
  'duplicate-within-array-rejected: One id may stand twice in an array.': allowDuplicates((ids) =>
    ['audio', 'speech_text', 'visual_prompts'].some((kind) => new Set(ids(kind)).size < ids(kind).length),
  ),
  'duplicate-within-array-rejected~in-video: In video sessions assets may share an id.': unchecked(
    'video_avatar',
    ({ createAssets }) => createAssets['asset-id-repeated'],
  ),
  'duplicate-within-array-rejected~visual-prompts: Two visual prompts may have one id.': forgives('visual_prompts'),
  'duplicate-within-array-rejected~audio: Two audio assets may have one id.': forgives('audio'),
  'duplicate-audio-speech-text-rejected: Audio and speech texts have ids of their own.': allowDuplicates((ids) =>
    overlap(ids('audio'), ids('speech_text')),
  ),
  'duplicate-speech-text-visual-prompts-rejected: Speech texts and visual prompts have ids of their own.':
    allowDuplicates((ids) => overlap(ids('speech_text'), ids('visual_prompts'))),
  'duplicate-audio-visual-prompts-rejected: Audio and visual prompts have ids of their own.': allowDuplicates((ids) =>
    overlap(ids('audio'), ids('visual_prompts')),
  ),
  'audio-accepted: Audio needs a MIME type.': refuseCreate((input) =>
    assets(input, 'audio').some((asset) => asset['mime_type'] === undefined),
  ),
  'audio-wav-accepted: WAV is refused.': refuseCreate((input) =>
    assets(input, 'audio').some((asset) => asset['mime_type'] === 'audio/wav'),
  ),
  'audio-mpeg-accepted: MP3 is refused.': refuseCreate((input) =>
    assets(input, 'audio').some((asset) => asset['mime_type'] === 'audio/mpeg'),
  ),
  'audio-mime-type-unknown-rejected: Any MIME type is accepted.': drop(
    'validations.createAssets',
    'audio-type-unknown',
  ),
  'audio-url-not-https-rejected: Any URL is accepted.': drop('validations.createAssets', 'audio-url-not-https'),
  'speech-text-accepted: Speech texts need a format.': refuseCreate((input) =>
    assets(input, 'speech_text').some((asset) => asset['format'] === undefined),
  ),
  'visual-prompt-accepted: Visual prompts are refused.': refuseCreate((input) =>
    assets(input, 'visual_prompts').some((asset) => asset['prompt'] !== undefined),
  ),
  'visual-prompt-accepted~inherited: An id that objects have for a member by themselves counts as taken.': refuseCreate(
    (input) => idsIn(input.body['assets']).some(isInherited),
  ),
  'visual-prompt-text-field-rejected: A visual prompt may hold `text`.': drop(
    'validations.createAssets',
    'visual-prompt-missing',
  ),
  'audio-url-missing-rejected: Audio assets need no URL.': drop('validations.createAssets', 'audio-url-missing'),
  'speech-text-accepted~in-video: Video sessions take no speech texts.': refuseCreate(
    (input) => input.mode === 'video_avatar' && assets(input, 'speech_text').length > 0,
  ),
  'visual-prompt-accepted~in-video: Video sessions take no visual prompts.': refuseCreate(
    (input) => input.mode === 'video_avatar' && assets(input, 'visual_prompts').length > 0,
  ),
  'speech-text-accepted~namesake: No asset may have the id of an avatar.': refuseCreate((input) =>
    overlap(
      objectsAt(input.body, 'avatars').map(({ avatar_id }) => avatar_id),
      assets(input, 'speech_text').map(({ asset_id }) => asset_id),
    ),
  ),
  'speech-text-accepted~empty-list: A kind of which there is no asset must be left out.': refuseCreate((input) =>
    Object.values(inBody(input, 'assets')).some((list) => Array.isArray(list) && list.length === 0),
  ),
  'speech-text-missing-rejected: Speech texts need no text.': drop('validations.createAssets', 'speech-text-missing'),
  'speech-text-missing-rejected~in-video: In video sessions speech texts need no text.': unchecked(
    'video_avatar',
    ({ createAssets }) => createAssets['speech-text-missing'],
  ),
  'id-missing-rejected: Assets need no id.': drop('validations.createAssets', 'asset-id-missing'),
  'returned: Assets are not returned.': onCreated(omit('assets')),
  'arrays: A kind of which no asset was sent is returned as an object.': onCreated(
    change('assets', (shown) => ({ audio: {}, speech_text: {}, visual_prompts: {}, ...Object(shown) })),
  ),
  'audio-echoed: Audio assets lose their type.': onCreated(change('assets.audio.*.mime_type', () => undefined)),
  'audio-echoed~first: Only the first audio asset is returned.': onCreated(change('assets.audio', onlyFirst)),
  'speech-text-echoed: Speech texts come back trimmed and lowered.': onCreated(
    change('assets.speech_text.*.text', (text) => String(text).toLowerCase().trim()),
  ),
  'speech-text-echoed~cut: Speech texts come back up to their 255th character.': onCreated(
    change('assets.speech_text.*.text', (text) => String(text).slice(0, 255)),
  ),
  'speech-text-echoed~long: Speech texts come back cut to 1,024 characters.': onCreated(
    change('assets.speech_text.*.text', cutAt(1024)),
  ),
  'visual-prompts-echoed~long: Visual prompts come back cut to 1,024 characters.': onCreated(
    change('assets.visual_prompts.*.prompt', cutAt(1024)),
  ),
  'visual-prompts-echoed~cut: Visual prompts come back up to their 255th character.': onCreated(
    change('assets.visual_prompts.*.prompt', (prompt) => String(prompt).slice(0, 255)),
  ),
  'visual-prompts-echoed: Visual prompts come back under `text`.': onCreated(
    change('assets.visual_prompts.*', (asset) => {
      const { prompt, ...rest } = Object(asset)
      return { ...rest, text: prompt }
    }),
  ),
  ...atEnds('asset', 'validations.createAssets', fewerAssets, {
    'audio-url-missing-rejected': ['audio-url-missing', 'a URL'],
    'audio-url-not-https-rejected': ['audio-url-not-https', 'https'],
    'audio-mime-type-unknown-rejected': ['audio-type-unknown', 'its type'],
    'speech-text-missing-rejected': ['speech-text-missing', 'a text'],
    'visual-prompt-text-field-rejected': ['visual-prompt-missing', 'a prompt'],
    'id-missing-rejected': ['asset-id-missing', 'its id'],
  }),
})
