import { type JsonObject, objectAt, objectsAt } from '#target/wire'
import {
  above,
  below,
  empty,
  missing,
  notArray,
  notNumber,
  notObject,
  notObjects,
  notString,
  notWebUrl,
  repeated,
} from './faults.ts'
import { type ValidationInput, validation } from './input-validation.ts'

/** The avatars of a create, of `avatar.add` or of a character. */
export interface AvatarsInput extends ValidationInput {
  /** The field as it came. */
  given: unknown
  avatars: JsonObject[]
}

const voices = (input: AvatarsInput): JsonObject[] =>
  input.avatars.filter((avatar) => avatar['voice'] !== undefined).map((avatar) => objectAt(avatar, 'voice'))
const visuals = (input: AvatarsInput): JsonObject[] => input.avatars.map((avatar) => objectAt(avatar, 'visual'))
const imagesByAvatar = (input: AvatarsInput): JsonObject[][] =>
  visuals(input).map((visual) => objectsAt(visual, 'source_images'))
const images = (input: AvatarsInput): JsonObject[] => imagesByAvatar(input).flat()

const avatar = (param: string, broken: (avatar: JsonObject) => boolean) =>
  validation('2.3', `avatars.${param}`, (input: AvatarsInput) => input.avatars.some(broken))
const voice = (param: string, broken: (voice: JsonObject, input: AvatarsInput) => boolean) =>
  validation('2.3', `avatars.voice.${param}`, (input: AvatarsInput) => voices(input).some((one) => broken(one, input)))
const image = (param: string, broken: (image: JsonObject) => boolean) =>
  validation('2.3', `avatars.visual.source_images.${param}`, (input: AvatarsInput) => images(input).some(broken))

/** 2.3 Avatar definition. */
export const avatarValidations = () => ({
  'avatars-missing': validation('4.1', 'avatars', (input: AvatarsInput) => missing(input.given)),
  'avatars-not-array': validation('4.1', 'avatars', (input: AvatarsInput) => notArray(input.given)),
  'avatars-empty': validation(
    '4.1',
    'avatars',
    (input: AvatarsInput) => Array.isArray(input.given) && input.given.length === 0,
  ),
  'avatars-not-objects': validation('4.1', 'avatars', (input: AvatarsInput) => notObjects(input.given)),
  'avatar-id-missing': avatar('avatar_id', (one) => missing(one['avatar_id'])),
  'avatar-id-not-string': avatar('avatar_id', (one) => notString(one['avatar_id'])),
  'avatar-id-empty': avatar('avatar_id', (one) => empty(one['avatar_id'])),
  'avatar-id-repeated': validation('2.3', 'avatars.avatar_id', (input: AvatarsInput) =>
    repeated(input.avatars, 'avatar_id'),
  ),
  'avatar-instructions-not-string': avatar('instructions', (one) => notString(one['instructions'])),
  'voice-not-object': avatar('voice', (one) => notObject(one['voice'])),
  'voice-provider-missing': voice('provider', (one) => missing(one['provider'])),
  'voice-provider-not-string': voice('provider', (one) => notString(one['provider'])),
  'voice-id-missing': voice('provider_voice_id', (one) => missing(one['provider_voice_id'])),
  'voice-id-not-string': voice('provider_voice_id', (one) => notString(one['provider_voice_id'])),
  'voice-model-missing': voice('model', (one) => missing(one['model'])),
  'voice-model-not-string': voice('model', (one) => notString(one['model'])),
  'voice-speed-not-number': voice('speed', (one) => notNumber(one['speed'])),
  'voice-speed-low': voice('speed', (one, input) => below(one['speed'], input.limits.speedMinimum)),
  'voice-speed-high': voice('speed', (one, input) => above(one['speed'], input.limits.speedMaximum)),
  'visual-not-object': avatar('visual', (one) => notObject(one['visual'])),
  'visual-instructions-not-string': avatar('visual.instructions', (one) =>
    notString(objectAt(one, 'visual')['instructions']),
  ),
  'source-images-not-array': avatar('visual.source_images', (one) =>
    notArray(objectAt(one, 'visual')['source_images']),
  ),
  'source-images-not-objects': avatar('visual.source_images', (one) =>
    notObjects(objectAt(one, 'visual')['source_images']),
  ),
  'source-images-missing': avatar(
    'visual.source_images',
    (one) => one['visual'] !== undefined && missing(objectAt(one, 'visual')['source_images']),
  ),
  'source-image-id-missing': image('source_image_id', (one) => missing(one['source_image_id'])),
  'source-image-id-not-string': image('source_image_id', (one) => notString(one['source_image_id'])),
  'source-image-id-empty': image('source_image_id', (one) => empty(one['source_image_id'])),
  'source-image-id-repeated': validation('2.3', 'avatars.visual.source_images.source_image_id', (input: AvatarsInput) =>
    imagesByAvatar(input).some((group) => repeated(group, 'source_image_id')),
  ),
  'source-image-url-not-string': image('url', (one) => notString(one['url'])),
  'source-image-url-invalid': image('url', (one) => notWebUrl(one['url'])),
  'source-image-description-not-string': image('description', (one) => notString(one['description'])),
  'media-type-missing': image('media_type', (one) => missing(one['media_type'])),
  'media-type-not-string': image('media_type', (one) => notString(one['media_type'])),
  'media-type-not-image': image(
    'media_type',
    (one) => typeof one['media_type'] === 'string' && !one['media_type'].startsWith('image/'),
  ),
  'default-source-image-not-string': avatar('visual.default_source_image_id', (one) =>
    notString(objectAt(one, 'visual')['default_source_image_id']),
  ),
})
