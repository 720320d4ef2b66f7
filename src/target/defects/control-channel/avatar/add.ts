import type { Override } from '#target/behaviour/behaviour'
import { avatarOf, imagesOf } from '#target/behaviour/create'
import type { AvatarsInput } from '#target/behaviour/validations/avatars'
import { change } from '#target/overrides/changes'
import { beforeConnect, onEvent } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { around, drop, except, remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { textOf, type JsonObject, objectAt, objectsAt, wiresOf } from '#target/wire'
import { atEnds, fewerAvatars, fewerImages } from '../../tools/ends.ts'
import { isStarted } from '../../tools/characters.ts'
import { isInVideo } from '../../tools/modes.ts'
import { onceReturned, refuseEvent, takenElsewhere } from '../../tools/refusals.ts'
import { isInherited } from '../../tools/assets.ts'
import { defectsOf } from '../../tools/table.ts'

const refuse = (broken: (input: AvatarsInput) => boolean): Override => refuseEvent('validations.addAvatars', broken)

const isKnown = (session: Session, avatar: JsonObject): boolean =>
  session.avatars.some((one) => one['avatar_id'] === avatar['avatar_id'])

const isWhole = (avatar: JsonObject): boolean =>
  (textOf(avatar['avatar_id']) ?? '') !== '' && imagesOf(avatar).every((image) => typeof image['url'] === 'string')

const imageIds = (avatar: JsonObject | undefined): unknown[] =>
  imagesOf(avatar).map((image) => image['source_image_id'])

const ofVoice = (input: AvatarsInput, fits: (voice: JsonObject) => boolean): boolean =>
  input.avatars.some((avatar) => avatar['voice'] !== undefined && fits(objectAt(avatar, 'voice')))

const keeping = (keeps: (given: JsonObject[], session: Session) => JsonObject[]): Override =>
  set('registry.keptOfRefusedAvatars', keeps)

/** Keeps added avatars from being selected. */
const lock = (where: (input: { session: Session }) => boolean): Override =>
  refuseEvent('validations.sessionUpdate', (input) => {
    const { session, asked } = input
    const planned = session.plan.avatars.some((avatar) => avatar['avatar_id'] === asked['active_avatar_id'])
    return where(input) && asked['active_avatar_id'] !== undefined && !planned
  })

const validImage = (image: unknown): boolean => {
  const { source_image_id: id, url, media_type: type } = objectAt({ image }, 'image')
  return [id, url].every((value) => typeof value === 'string' && value !== '') && String(type).startsWith('image/')
}

/** The avatar with its valid images, where it has others. */
function withoutInvalidImages(avatar: JsonObject): JsonObject[] {
  const visual = objectAt(avatar, 'visual')
  const images = visual['source_images']
  if (typeof avatar['avatar_id'] !== 'string' || avatar['avatar_id'] === '' || !Array.isArray(images)) return []
  const valid = images.filter(validImage)
  return valid.length === images.length ? [] : [{ ...avatar, visual: { ...visual, source_images: valid } }]
}

const imageValidations = {
  'image-id-missing-rejected': ['source-image-id-missing', 'the ids of its images'],
  'media-type-missing-rejected': ['media-type-missing', 'media types'],
  'media-type-not-image-rejected': ['media-type-not-image', 'media types of other kinds'],
} as const

export const avatarAddDefects = defectsOf('control-channel.avatar-add', {
  'accepted: No avatar can be added that has instructions.': refuse((input) =>
    input.avatars.some((avatar) => avatar['instructions'] !== undefined),
  ),
  'id-alone-accepted: An avatar needs a visual.': refuse((input) =>
    input.avatars.some((avatar) => avatar['visual'] === undefined),
  ),
  'with-images-accepted: An avatar must have no images.': refuse((input) =>
    input.avatars.some((avatar) => imagesOf(avatar).length > 0),
  ),
  'several-accepted: One avatar at a time.': refuse((input) => input.avatars.length > 1),
  'image-id-shared-by-avatars-accepted: Image ids are unique in the session.': refuseEvent(
    'validations.avatarAddition',
    ({ event, session }) => {
      const taken = session.avatars.flatMap(imageIds)
      return wiresOf(event['avatars'])
        .flatMap(imageIds)
        .some((id) => taken.includes(id))
    },
  ),
  'voice-accepted: An added avatar must have no voice.': refuse((input) => ofVoice(input, () => true)),
  'voice-accepted~even: A speed of 1, which changes nothing, is refused.': refuse((input) =>
    ofVoice(input, ({ speed }) => speed === 1),
  ),
  'voice-speed-minimum-accepted: A speed of 0.7 is refused.': refuse((input) =>
    ofVoice(input, ({ speed }) => speed === 0.7),
  ),
  'voice-speed-maximum-accepted: A speed of 1.2 is refused.': refuse((input) =>
    ofVoice(input, ({ speed }) => speed === 1.2),
  ),
  'existing-rejected: A known avatar is passed over.': [
    drop('validations.avatarAddition', 'avatar-id-taken'),
    set('registry.registersAvatar', (avatar, session) => !isKnown(session, avatar)),
  ],
  'id-missing-rejected: An avatar needs no id.': drop('validations.addAvatars', 'avatar-id-missing'),
  'id-empty-rejected: An empty id is accepted.': drop('validations.addAvatars', 'avatar-id-empty'),
  'id-duplicate-in-event-rejected: The last of two avatars with one id counts.': drop(
    'validations.addAvatars',
    'avatar-id-repeated',
  ),
  'no-avatars-rejected: An empty list adds nobody.': drop('validations.addAvatars', 'avatars-empty'),
  'missing-avatars-rejected: Without a list nobody is added.': drop('validations.addAvatars', 'avatars-missing'),
  'image-url-missing-rejected: An image needs no URL.': drop('validations.avatarAddition', 'added-image-url-missing'),
  'image-id-missing-rejected: An image needs no id.': drop('validations.addAvatars', 'source-image-id-missing'),
  'image-id-duplicate-rejected: Images of an avatar may share an id.': drop(
    'validations.addAvatars',
    'source-image-id-repeated',
  ),
  'media-type-missing-rejected: An image needs no media type.': drop('validations.addAvatars', 'media-type-missing'),
  'media-type-not-image-rejected~bytes: An image may be of a type that says nothing.': except(
    'validations.addAvatars',
    'media-type-not-image',
    ({ avatars }) =>
      avatars.some((avatar) =>
        objectsAt(objectAt(avatar, 'visual'), 'source_images').some(
          ({ media_type: type }) => type === 'application/octet-stream',
        ),
      ),
  ),
  'media-type-not-image-rejected: Any media type is accepted.': drop('validations.addAvatars', 'media-type-not-image'),
  'voice-provider-missing-rejected: A voice needs no provider.': drop(
    'validations.addAvatars',
    'voice-provider-missing',
  ),
  'voice-provider-voice-id-missing-rejected: A voice needs no id.': drop('validations.addAvatars', 'voice-id-missing'),
  'voice-model-missing-rejected: A voice needs no model.': drop('validations.addAvatars', 'voice-model-missing'),
  'voice-speed-below-minimum-rejected: A speed below 0.7 is accepted.': drop(
    'validations.addAvatars',
    'voice-speed-low',
  ),
  'voice-speed-above-maximum-rejected: A speed above 1.2 is accepted.': drop(
    'validations.addAvatars',
    'voice-speed-high',
  ),
  'voice-speed-above-maximum-rejected~any: avatar.add takes any voice speed.': drop(
    'validations.addAvatars',
    'voice-speed-low',
    'voice-speed-high',
  ),
  'additive: Added avatars take the place of the others.': set('registry.registersAvatar', (_avatar, session) => {
    const kept = session.avatars.filter((one) => one['avatar_id'] === session.state.activeAvatarId)
    session.avatars.splice(0, session.avatars.length, ...kept)
    return true
  }),
  'not-active~third: The third avatar that is added becomes the active one.': remembering(() => {
    const added = memory(() => ({ count: 0 }))
    return [
      around('registry.stateAfterAdd', (stateAfterAdd) => (session, avatars) => {
        added(session).count += avatars.length
        const id = textOf(avatars.at(-1)?.['avatar_id'])
        const state = stateAfterAdd(session, avatars)
        return added(session).count >= 3 && id !== undefined ? { ...state, activeAvatarId: id } : state
      }),
    ]
  }),
  'not-active: An added avatar becomes the active one.': set('registry.stateAfterAdd', ({ state }, added) => ({
    ...state,
    activeAvatarId: textOf(added[0]?.['avatar_id']) ?? state.activeAvatarId,
  })),
  'not-active~several: The last of several added avatars becomes active.': around(
    'registry.stateAfterAdd',
    (stateAfterAdd) => (session, added) => {
      const state = stateAfterAdd(session, added)
      const id = textOf(added.at(-1)?.['avatar_id'])
      return added.length > 1 && id !== undefined ? { ...state, activeAvatarId: id } : state
    },
  ),
  'not-active-source-image: An added image becomes the source image.': [
    set('registry.stateAfterAdd', ({ state }, added) => ({
      ...state,
      sourceImageId:
        state.mode === 'text_chat' ? null : (textOf(imagesOf(added[0])[0]?.['source_image_id']) ?? state.sourceImageId),
    })),
    set('update.keptImage', (current) => current.sourceImageId),
    except('validations.sessionUpdate', 'source-image-unresolved', (input) => input.resolution.sourceImageId !== null),
  ],
  'selectable: An added avatar cannot be selected.': lock((input) => input.session.state.mode === 'text_chat'),
  'selectable~reconnect: Added avatars are gone after a reconnect, save the active one.': beforeConnect((session) => {
    const { avatars, plan, state } = session
    const kept = avatars.filter((one) => plan.avatars.includes(one) || one['avatar_id'] === state.activeAvatarId)
    avatars.splice(0, avatars.length, ...kept)
  }),
  'selectable~letters: An update shows no other letters of an id than those of ASCII.': onEvent(
    'session.updated',
    change('session.active_avatar_id', (id) => textOf(id)?.replace(/[^\0-\x7f]/gu, '')),
  ),
  'selectable-in-video: An added avatar cannot be selected in video.': lock((input) => isInVideo(input.session)),
  'selectable-in-video~added: The default image of an avatar that was added is not looked at: its first one is taken.':
    ({ update }) => {
      const image = update.image.bind(update)
      update.image = (asked, session, mode, active) => {
        const found = image(asked, session, mode, active)
        const derives =
          asked['source_image_id'] === undefined && update.keptImage(session.state, active, session) === null
        if (mode !== 'video_avatar' || !derives || active === undefined || session.plan.avatars.includes(active))
          return found
        return textOf(imagesOf(active)[0]?.['source_image_id']) ?? found
      }
    },
  'existing-not-confirmed-anew: A known avatar is confirmed as it was sent and kept as it was.': [
    drop('validations.avatarAddition', 'avatar-id-taken'),
    set('registry.registersAvatar', (avatar, session) => !isKnown(session, avatar)),
    set('registry.confirmedAvatars', (_registered, given) => given),
  ],
  'images-not-appended: Images of a known avatar are appended, though refused.': [
    keeping((given, session) => given.filter((avatar) => isKnown(session, avatar))),
    set('registry.mergedAvatar', (old, added) => {
      const images = [
        ...imagesOf(old),
        ...imagesOf(added).filter((image) => !imageIds(old).includes(image['source_image_id'])),
      ]
      return { ...old, visual: { ...objectAt(old, 'visual'), source_images: images } }
    }),
  ],
  'images-not-appended~beside-new: A refused avatar.add of several avatars appends images to those that are known.':
    set('registry.keptOfRefusedAvatars', (given, session) =>
      given.length < 2
        ? []
        : given.flatMap((avatar) => {
            const known = avatarOf(session.avatars, textOf(avatar['avatar_id']))
            if (known === undefined) return []
            const ids = imagesOf(known).map((image) => image['source_image_id'])
            const more = imagesOf(avatar).filter((image) => !ids.includes(image['source_image_id']))
            const visual = { ...objectAt(known, 'visual'), source_images: [...imagesOf(known), ...more] }
            return [{ ...known, visual }]
          }),
    ),
  'images-not-replaced: A known avatar is replaced, though refused.': keeping((given, session) =>
    given.filter((avatar) => isKnown(session, avatar)),
  ),
  'none-registered-on-invalid: Avatars before an invalid one are kept.': keeping((given, session) =>
    given
      .slice(
        0,
        Math.max(
          0,
          given.findIndex((avatar) => !isWhole(avatar)),
        ),
      )
      .filter((avatar) => !isKnown(session, avatar)),
  ),
  'none-registered-on-invalid~itself: An avatar with an invalid image is refused, and registered without that image.':
    set('registry.keptOfRefusedAvatars', (given, session) => {
      const fresh = given.filter((one) => !session.avatars.some((other) => other['avatar_id'] === one['avatar_id']))
      return fresh.flatMap((avatar) => withoutInvalidImages(avatar))
    }),
  'none-registered-after-invalid: Avatars after an invalid one are kept.': keeping((given, session) => {
    const bad = given.findIndex((avatar) => !isWhole(avatar))
    return bad < 0 ? [] : given.slice(bad + 1).filter((avatar) => isWhole(avatar) && !isKnown(session, avatar))
  }),
  'none-registered-beside-existing: New avatars beside a known one are kept.': keeping((given, session) =>
    given.every(isWhole) ? given.filter((avatar) => !isKnown(session, avatar)) : [],
  ),
  'free-after-rejection: Ids of a refused addition are used up.': remembering(() => {
    const burnt = memory(() => new Set<unknown>())
    return [
      keeping((given, session) => {
        for (const avatar of given) if (!isKnown(session, avatar)) burnt(session).add(avatar['avatar_id'])
        return []
      }),
      refuseEvent('validations.avatarAddition', ({ event, session }) =>
        wiresOf(event['avatars']).some((avatar) => burnt(session).has(avatar['avatar_id'])),
      ),
    ]
  }),
  'accepted~reconnect: avatar.add is refused after a reconnect.': onceReturned((returned) => [
    refuseEvent('validations.avatarAddition', ({ session }) => returned(session)),
  ]),
  'accepted~started: avatar.add is refused in a session from a character.': refuseEvent(
    'validations.avatarAddition',
    ({ session }) => isStarted(session),
  ),
  'accepted~inherited: An id that objects have for a member by themselves counts as taken.': refuseEvent(
    'validations.avatarAddition',
    ({ event }) => objectsAt(event, 'avatars').some(({ avatar_id: id }) => isInherited(id)),
  ),
  'id-alone-accepted~busy: avatar.add is refused while a response is active.': refuseEvent(
    'validations.avatarAddition',
    ({ session }) => session.response !== undefined,
  ),
  'id-alone-accepted~other-session: An avatar id that one session added is refused in all others.': takenElsewhere(
    'validations.avatarAddition',
    ({ event }) => objectsAt(event, 'avatars').map((avatar) => avatar['avatar_id']),
    ({ session }) => session,
  ),
  'rejected-not-confirmed: A refused addition is confirmed, too.': set('registry.confirmsRefused', true),
  ...atEnds('avatar', 'validations.addAvatars', fewerAvatars, {
    'id-missing-rejected': ['avatar-id-missing', 'its id'],
    'id-empty-rejected': ['avatar-id-empty', 'an empty id'],
    'voice-provider-missing-rejected': ['voice-provider-missing', 'the provider of its voice'],
    'voice-model-missing-rejected': ['voice-model-missing', 'the model of its voice'],
    'voice-speed-above-maximum-rejected': ['voice-speed-high', 'the speed'],
    ...imageValidations,
  }),
  ...atEnds('image', 'validations.addAvatars', fewerImages, imageValidations),
})
