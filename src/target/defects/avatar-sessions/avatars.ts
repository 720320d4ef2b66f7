import type { Behaviour, Override } from '#target/behaviour/behaviour'
import { imagesOf } from '#target/behaviour/create'
import type { CreateInput } from '#target/behaviour/validations/create-session'
import { repeated } from '#target/behaviour/validations/faults'
import { validation } from '#target/behaviour/validations/input-validation'
import { allButLast, change, cutAt, firstAgain, omit, put, replace, withoutMarkup } from '#target/overrides/changes'
import { onCreated } from '#target/overrides/data'
import { add, around, drop, except, set, several } from '#target/overrides/operators'
import { isWire, textOf, type JsonObject, objectAt, objectsAt, wiresOf, without } from '#target/wire'
import { atEnds, fewerAvatars, fewerImages } from '../tools/ends.ts'
import { unchecked } from '../tools/modes.ts'
import { refuseCreate } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

const someAvatar = (input: CreateInput, fits: (avatar: JsonObject) => boolean): boolean => input.avatars.some(fits)

const sharedImages = (input: CreateInput): boolean => {
  const ids = input.avatars.flatMap((avatar) => imagesOf(avatar).map((image) => image['source_image_id']))
  return new Set(ids).size < ids.length
}

function withImageIds(avatar: JsonObject): JsonObject {
  if (avatar['visual'] === undefined) return avatar
  const images = imagesOf(avatar).map((image, index) => ({ source_image_id: `image_${index}`, ...image }))
  return { ...avatar, visual: { ...objectAt(avatar, 'visual'), source_images: images } }
}

const VOICE_FIELDS = ['provider', 'provider_voice_id', 'model']

/** Looks at the images of the active avatar alone. */
const activeOnly = (id: keyof Behaviour['validations']['avatars'], faulty: (image: JsonObject) => boolean): Override =>
  several(
    drop('validations.avatars', id),
    add(
      'validations.createSession',
      `${id}-of-active`,
      validation('2.3', 'avatars.visual', ({ active }: CreateInput) => imagesOf(active).some(faulty)),
    ),
  )

/** Changes every source image of the avatars that a create returns. */
const withImages = (data: JsonObject, make: (image: JsonObject) => JsonObject): JsonObject => ({
  ...data,
  avatars: objectsAt(data, 'avatars').map((avatar) =>
    change('visual.source_images', (images) => wiresOf(images).map(make))(avatar),
  ),
})

/** The first URL that each image id stands for, in whichever avatar. */
function firstUrls(data: JsonObject): Map<unknown, unknown> {
  const urls = new Map<unknown, unknown>()
  for (const { source_image_id: id, url } of objectsAt(data, 'avatars').flatMap(imagesOf))
    if (!urls.has(id)) urls.set(id, url)
  return urls
}

const imageRules = {
  'source-image-id-missing-rejected': ['source-image-id-missing', 'the ids of its images'],
  'media-type-missing-rejected': ['media-type-missing', 'media types'],
  'media-type-not-image-rejected': ['media-type-not-image', 'media types of other kinds'],
} as const

export const avatarsDefects = defectsOf('avatar-sessions.avatars', {
  'avatar-id-missing-rejected: An avatar without id gets one.': [
    drop('validations.avatars', 'avatar-id-missing'),
    around(
      'create.avatars',
      (avatars) => (body) => avatars(body).map((avatar, index) => ({ avatar_id: `avatar_${index}`, ...avatar })),
    ),
  ],
  'avatar-id-missing-rejected~in-video: In video sessions avatars need no id.': unchecked(
    'video_avatar',
    ({ avatars }) => avatars['avatar-id-missing'],
  ),
  'avatar-id-empty-rejected: An empty avatar id is accepted.': drop('validations.avatars', 'avatar-id-empty'),
  'avatar-id-duplicate-rejected: The first of two avatars with one id counts.': drop(
    'validations.avatars',
    'avatar-id-repeated',
  ),
  'avatar-id-duplicate-rejected~in-video: In video sessions avatars may share an id.': unchecked(
    'video_avatar',
    ({ avatars }) => avatars['avatar-id-repeated'],
  ),
  'avatar-id-duplicate-rejected~apart: Only avatars that stand side by side are compared.': set(
    'validations.avatars.avatar-id-repeated.broken',
    ({ avatars }) => avatars.some((avatar, at) => at > 0 && avatar['avatar_id'] === avatars[at - 1]?.['avatar_id']),
  ),
  'instructions-optional: Instructions are required.': refuseCreate((input) =>
    someAvatar(input, (avatar) => avatar['instructions'] === undefined),
  ),
  'voice-provider-missing-rejected: A voice needs no provider.': drop('validations.avatars', 'voice-provider-missing'),
  'voice-provider-missing-rejected~in-text: In text sessions a voice needs no provider.': unchecked(
    'text_chat',
    ({ avatars }) => avatars['voice-provider-missing'],
  ),
  'voice-provider-voice-id-missing-rejected: A voice needs no id.': drop('validations.avatars', 'voice-id-missing'),
  'voice-model-missing-rejected: A voice needs no model.': drop('validations.avatars', 'voice-model-missing'),
  'voice-model-missing-rejected~two-missing: A voice that lacks two of its three fields is taken.': ({
    validations,
  }) => {
    for (const id of ['voice-provider-missing', 'voice-id-missing', 'voice-model-missing'] as const) {
      const { broken } = validations.avatars[id]
      validations.avatars[id].broken = (input) =>
        broken({
          ...input,
          avatars: input.avatars.filter(
            ({ voice }) => isWire(voice) && VOICE_FIELDS.filter((name) => voice[name] === undefined).length === 1,
          ),
        })
    }
  },
  'voice-speed-optional: The speed of a voice is required.': refuseCreate((input) =>
    someAvatar(input, (avatar) => avatar['voice'] !== undefined && objectAt(avatar, 'voice')['speed'] === undefined),
  ),
  'voice-speed-out-of-range-rejected: Any speed is accepted.': drop(
    'validations.avatars',
    'voice-speed-low',
    'voice-speed-high',
  ),
  'visual-missing-rejected: A video session needs no visual.': except(
    'validations.createSession',
    'source-image-unresolved',
    (input) => input.active?.['visual'] === undefined,
  ),
  'visual-unneeded-in-text-chat: A visual is required in every mode.': refuseCreate(
    (input) => input.mode === 'text_chat' && someAvatar(input, (avatar) => avatar['visual'] === undefined),
  ),
  'inactive-without-visual-accepted: Every avatar of a video session needs a visual.': refuseCreate(
    (input) =>
      input.mode === 'video_avatar' &&
      someAvatar(input, (avatar) => avatar !== input.active && avatar['visual'] === undefined),
  ),
  'url-unneeded-in-text-chat: Source images need a URL in every mode.': refuseCreate(
    (input) =>
      input.mode === 'text_chat' && input.avatars.flatMap(imagesOf).some((image) => image['url'] === undefined),
  ),
  'source-image-id-missing-rejected: A source image needs no id.': [
    drop('validations.avatars', 'source-image-id-missing'),
    // The image is found by its place.
    around('create.avatars', (avatars) => (body) => avatars(body).map(withImageIds)),
  ],
  'source-image-id-missing-rejected~inactive: Only images of the active avatar need an id.': activeOnly(
    'source-image-id-missing',
    (image) => image['source_image_id'] === undefined,
  ),
  'source-image-id-duplicate-rejected: Two images of an avatar may share an id.': drop(
    'validations.avatars',
    'source-image-id-repeated',
  ),
  'source-image-id-duplicate-rejected~inactive: Only the image ids of the active avatar are compared.': [
    drop('validations.avatars', 'source-image-id-repeated'),
    add(
      'validations.createSession',
      'images-of-active',
      validation('2.3', 'avatars.visual', ({ active }: CreateInput) => repeated(imagesOf(active), 'source_image_id')),
    ),
  ],
  'source-image-id-shared-by-avatars-accepted: Image ids are unique in the whole session.': refuseCreate(
    (input) => input.avatars.length > 1 && sharedImages(input),
  ),
  'source-image-url-missing-rejected: An image without URL is good for video.': set('create.usable', () => true),
  'source-image-description-optional: Images need a description.': refuseCreate((input) =>
    input.avatars.flatMap(imagesOf).some((image) => image['description'] === undefined),
  ),
  'media-type-missing-rejected: An image needs no media type.': drop('validations.avatars', 'media-type-missing'),
  'media-type-missing-rejected~inactive: Only images of the active avatar need a media_type.': activeOnly(
    'media-type-missing',
    (image) => image['media_type'] === undefined,
  ),
  'media-type-not-image-rejected: Any media type is accepted.': drop('validations.avatars', 'media-type-not-image'),
  'media-type-not-image-rejected~inactive: Only images of the active avatar need a media_type of an image.': activeOnly(
    'media-type-not-image',
    (image) => !String(image['media_type']).startsWith('image/'),
  ),
  'default-source-image-optional: A default image is required.': refuseCreate(
    (input) =>
      input.mode === 'video_avatar' && objectAt(input.active, 'visual')['default_source_image_id'] === undefined,
  ),
  'default-source-image-selects: With several images the first one is taken.': around(
    'create.sourceImageId',
    (sourceImageId) => (session, avatar) =>
      session['source_image_id'] === undefined && imagesOf(avatar).length > 1
        ? textOf(imagesOf(avatar)[0]?.['source_image_id'])
        : sourceImageId(session, avatar),
  ),
  'array: Avatars come back by id.': onCreated(change('avatars', (list) => ({ ...Object(list) }))),
  'ids-echoed: Only the active avatar is returned.': set('views.created.avatars', ({ plan }) =>
    plan.avatars.filter((avatar) => avatar['avatar_id'] === plan.state.activeAvatarId),
  ),
  'ids-echoed~cut: Ids of avatars come back cut to 64 characters.': onCreated(change('avatars.*.avatar_id', cutAt(64))),
  'ids-echoed~trimmed: Ids of avatars come back trimmed.': onCreated(
    change('avatars.*.avatar_id', (id) => textOf(id)?.trim()),
  ),
  'instructions-echoed: Instructions of avatars are not returned.': onCreated(omit('avatars.*.instructions')),
  'instructions-echoed~markup: What looks like markup in instructions of avatars is lost.': onCreated(
    change('avatars.*.instructions', withoutMarkup),
  ),
  'instructions-echoed~cut: Instructions of avatars come back cut to 255 characters.': onCreated(
    change('avatars.*.instructions', (text) => textOf(text)?.slice(0, 255)),
  ),
  'instructions-echoed~long: Instructions of avatars come back cut to 1,024 characters.': onCreated(
    change('avatars.*.instructions', (text) => textOf(text)?.slice(0, 1_024)),
  ),
  'instructions-echoed~lines: Lines of instructions of avatars come back as one.': onCreated(
    change('avatars.*.instructions', (text) => textOf(text)?.replaceAll('\n', ' ')),
  ),
  'voice-echoed: Voices come back without speed and model.': onCreated(
    change('avatars.*.voice', (voice) => (voice === undefined ? undefined : { provider: Object(voice).provider })),
  ),
  'voice-echoed~second: Every voice of an avatar comes back as the first one.': onCreated((data) => {
    const first = objectsAt(data, 'avatars').find(({ voice }) => voice !== undefined)?.['voice']
    return change('avatars.*.voice', (voice) => (voice === undefined ? undefined : first))(data)
  }),
  'source-images-once: The first source image comes back at both ends of the list.': onCreated(
    change('avatars.*.visual.source_images', firstAgain),
  ),
  'source-images-echoed: The last source image is lost.': onCreated(
    change('avatars.*.visual.source_images', allButLast),
  ),
  'source-image-url-echoed: Source images come with the name of a file in the place of their URL.': onCreated(
    replace('avatars.*.visual.source_images.*.url', 'rehosted.png'),
  ),
  'source-image-url-echoed~shared-id: An image whose id another avatar uses too comes back with the URL of the first one.':
    onCreated((data) => {
      const urls = firstUrls(data)
      return withImages(data, (image) => ({ ...image, url: urls.get(image['source_image_id']) }))
    }),
  'source-image-media-type-echoed: Source images are always PNG, or JPEG.': onCreated(
    change('avatars.*.visual.source_images.*.media_type', (type) =>
      type === 'image/png' ? 'image/jpeg' : 'image/png',
    ),
  ),
  'source-image-description-echoed: Descriptions are not returned.': onCreated(
    omit('avatars.*.visual.source_images.*.description'),
  ),
  'source-image-description-echoed~cut: Descriptions come back cut to 255 characters.': onCreated(
    change('avatars.*.visual.source_images.*.description', cutAt(255)),
  ),
  'default-source-image-id-echoed: The default image is not returned.': onCreated(
    omit('avatars.*.visual.default_source_image_id'),
  ),
  'default-source-image-id-echoed~explicit: Where an image is named for the session, it comes back as the default of its avatar.':
    onCreated((data) => {
      const { active_avatar_id: active, source_image_id: image } = objectAt(data, 'session')
      const avatars = objectsAt(data, 'avatars').map((avatar) =>
        avatar['avatar_id'] === active && image !== undefined && imagesOf(avatar).length > 1
          ? put('visual.default_source_image_id', image)(avatar)
          : avatar,
      )
      return { ...data, avatars }
    }),
  'visual-instructions-echoed: Visual instructions are not returned.': onCreated(omit('avatars.*.visual.instructions')),
  'visual-instructions-echoed~cut: Visual instructions come back cut to 255 characters.': onCreated(
    change('avatars.*.visual.instructions', cutAt(255)),
  ),
  ...atEnds('avatar', 'validations.avatars', fewerAvatars, {
    'avatar-id-missing-rejected': ['avatar-id-missing', 'its id'],
    'avatar-id-empty-rejected': ['avatar-id-empty', 'an empty id'],
    'voice-provider-missing-rejected': ['voice-provider-missing', 'the provider of its voice'],
    'voice-model-missing-rejected': ['voice-model-missing', 'the model of its voice'],
    ...imageRules,
  }),
  ...atEnds('image', 'validations.avatars', fewerImages, imageRules),
  'source-image-description-echoed~second: Only the first image keeps its description.': onCreated(
    change('avatars.*.visual.source_images', (images) =>
      Array.isArray(images)
        ? images.map((image: JsonObject, place) => (place === 0 ? image : without(image, 'description')))
        : images,
    ),
  ),
})
