import { type JsonObject, objectAt, objectsAt } from '#target/wire'
import { empty, missing, notArray, notHttps, notObject, notObjects, notOneOf, notString, repeated } from './faults.ts'
import { type ValidationInput, validation } from './input-validation.ts'

/** The `assets` object of a create or of `asset.add`. */
export interface AssetsInput extends ValidationInput {
  given: unknown
}

export const AUDIO_TYPES = ['audio/wav', 'audio/mpeg'] as const
const CREATE_KINDS = ['audio', 'speech_text', 'visual_prompts'] as const
const ADD_KINDS = ['images', ...CREATE_KINDS] as const
type Kinds = readonly string[]

const of = (input: AssetsInput, kind: string): JsonObject[] => objectsAt(input.given, kind)
const all = (input: AssetsInput, kinds: Kinds): JsonObject[] => kinds.flatMap((kind) => of(input, kind))

const list = (kind: string, fault: string, broken: (value: unknown) => boolean) =>
  [
    `${kind}-${fault}`,
    validation('2.4', `assets.${kind}`, (input: AssetsInput) => broken(objectAt({ a: input.given }, 'a')[kind])),
  ] as const
const each = (kind: string, param: string, broken: (asset: JsonObject) => boolean) =>
  validation('2.4', `assets.${kind}.${param}`, (input: AssetsInput) => of(input, kind).some(broken))
const any = (kinds: Kinds, param: string, broken: (asset: JsonObject) => boolean) =>
  validation('2.4', `assets.${param}`, (input: AssetsInput) => all(input, kinds).some(broken))

/** What holds for every asset, in a create as in `asset.add`. */
const commonValidations = (kinds: Kinds) => ({
  'assets-not-object': validation('2.4', 'assets', (input: AssetsInput) => notObject(input.given)),
  ...Object.fromEntries(kinds.map((kind) => list(kind, 'not-array', notArray))),
  ...Object.fromEntries(kinds.map((kind) => list(kind, 'not-objects', notObjects))),
  'asset-id-missing': any(kinds, 'asset_id', (asset) => missing(asset['asset_id'])),
  'asset-id-not-string': any(kinds, 'asset_id', (asset) => notString(asset['asset_id'])),
  'asset-id-empty': any(kinds, 'asset_id', (asset) => empty(asset['asset_id'])),
  'asset-id-repeated': validation('2.4', 'assets.asset_id', (input: AssetsInput) =>
    repeated(all(input, kinds), 'asset_id'),
  ),
  'audio-url-missing': each('audio', 'url', (asset) => missing(asset['url']) || empty(asset['url'])),
  'audio-url-not-string': each('audio', 'url', (asset) => notString(asset['url'])),
  'audio-url-not-https': each('audio', 'url', (asset) => notHttps(asset['url'])),
  'audio-type-not-string': each('audio', 'mime_type', (asset) => notString(asset['mime_type'])),
  'audio-type-unknown': each('audio', 'mime_type', (asset) => notOneOf(asset['mime_type'], AUDIO_TYPES)),
  'speech-text-missing': each('speech_text', 'text', (asset) => missing(asset['text'])),
  'speech-text-not-string': each('speech_text', 'text', (asset) => notString(asset['text'])),
})

/** 2.4: the visual prompt's field is named `prompt` in a create. */
export const createAssetValidations = () => ({
  ...commonValidations(CREATE_KINDS),
  'visual-prompt-missing': each('visual_prompts', 'prompt', (asset) => missing(asset['prompt'])),
  'visual-prompt-not-string': each('visual_prompts', 'prompt', (asset) => notString(asset['prompt'])),
})

/** 4.4 `asset.add`: images too, and the visual prompt's field is named `text`. */
export const addAssetValidations = () => ({
  ...commonValidations(ADD_KINDS),
  'assets-missing': validation('4.4', 'assets', (input: AssetsInput) => missing(input.given)),
  'assets-none': validation(
    '4.4',
    'assets',
    (input: AssetsInput) => !notObject(input.given) && !missing(input.given) && all(input, ADD_KINDS).length === 0,
  ),
  'image-url-missing': each('images', 'url', (asset) => missing(asset['url']) || empty(asset['url'])),
  'image-url-not-string': each('images', 'url', (asset) => notString(asset['url'])),
  'image-url-not-https': each('images', 'url', (asset) => notHttps(asset['url'])),
  'image-type-not-string': each('images', 'mime_type', (asset) => notString(asset['mime_type'])),
  'visual-prompt-missing': each('visual_prompts', 'text', (asset) => missing(asset['text'])),
  'visual-prompt-not-string': each('visual_prompts', 'text', (asset) => notString(asset['text'])),
  'format-not-string': any(ADD_KINDS, 'format', (asset) => notString(asset['format'])),
})
