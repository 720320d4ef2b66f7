import type { Behaviour } from '#target/behaviour/behaviour'
import { imagesOf } from '#target/behaviour/create'
import type { AvatarsInput } from '#target/behaviour/rules/avatars'
import { waive } from '#target/behaviour/rules/waive'
import type { Session } from '#target/sessions/session'
import { textOf, type Wire, wireAt, wiresOf } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory, mute, refuseEvent, twice } from '../tools.ts'

const refuse = (b: Behaviour, broken: (input: AvatarsInput) => boolean): void => refuseEvent(b.rules.addAvatars, broken)
const known = (session: Session, avatar: Wire): boolean =>
  session.avatars.some((one) => one['avatar_id'] === avatar['avatar_id'])
const isWhole = (avatar: Wire): boolean =>
  typeof avatar['avatar_id'] === 'string' &&
  avatar['avatar_id'] !== '' &&
  imagesOf(avatar).every((image) => typeof image['url'] === 'string')
const imageIds = (avatar: Wire | undefined): unknown[] => imagesOf(avatar).map((image) => image['source_image_id'])
const ofVoice = (input: AvatarsInput, fits: (voice: Wire) => boolean): boolean =>
  input.avatars.some((avatar) => avatar['voice'] !== undefined && fits(wireAt(avatar, 'voice')))

const keeping = ({ registry }: Behaviour, keeps: (given: Wire[], session: Session) => Wire[]): void =>
  void (registry.keptOfRefusedAvatars = keeps)

const acceptDefects = defectsOf('control-channel', {
  'avatar-add.accepted': [
    'No avatar can be added that has instructions.',
    (b) => refuse(b, (input) => input.avatars.some((avatar) => avatar['instructions'] !== undefined)),
  ],
  'avatar-add.id-alone-accepted': [
    'An avatar needs a visual.',
    (b) => refuse(b, (input) => input.avatars.some((avatar) => avatar['visual'] === undefined)),
  ],
  'avatar-add.with-images-accepted': [
    'An avatar must have no images.',
    (b) => refuse(b, (input) => input.avatars.some((avatar) => imagesOf(avatar).length > 0)),
  ],
  'avatar-add.several-accepted': ['One avatar at a time.', (b) => refuse(b, (input) => input.avatars.length > 1)],
  'avatar-add.image-id-shared-by-avatars-accepted': [
    'Image ids are unique in the session.',
    (b) =>
      refuseEvent(b.rules.avatarAddition, ({ event, session }) => {
        const taken = session.avatars.flatMap(imageIds)
        return wiresOf(event['avatars'])
          .flatMap(imageIds)
          .some((id) => taken.includes(id))
      }),
  ],
  'avatar-add.voice-accepted': [
    'An added avatar must have no voice.',
    (b) => refuse(b, (input) => ofVoice(input, () => true)),
  ],
  'avatar-add.voice-speed-minimum-accepted': [
    'A speed of 0.7 is refused.',
    (b) => refuse(b, (input) => ofVoice(input, ({ speed }) => speed === 0.7)),
  ],
  'avatar-add.voice-speed-maximum-accepted': [
    'A speed of 1.2 is refused.',
    (b) => refuse(b, (input) => ofVoice(input, ({ speed }) => speed === 1.2)),
  ],
})

const rejectDefects = defectsOf('control-channel', {
  'avatar-add.existing-rejected': [
    'A known avatar is passed over.',
    (b) => {
      waive(b.rules.avatarAddition, 'avatar-id-taken')
      b.registry.registersAvatar = (avatar, session) => !known(session, avatar)
    },
  ],
  'avatar-add.id-missing-rejected': [
    'An avatar needs no id.',
    ({ rules }) => waive(rules.addAvatars, 'avatar-id-missing'),
  ],
  'avatar-add.id-empty-rejected': [
    'An empty id is accepted.',
    ({ rules }) => waive(rules.addAvatars, 'avatar-id-empty'),
  ],
  'avatar-add.id-duplicate-in-event-rejected': [
    'The last of two avatars with one id counts.',
    ({ rules }) => waive(rules.addAvatars, 'avatar-id-repeated'),
  ],
  'avatar-add.no-avatars-rejected': [
    'An empty list adds nobody.',
    ({ rules }) => waive(rules.addAvatars, 'avatars-empty'),
  ],
  'avatar-add.missing-avatars-rejected': [
    'Without a list nobody is added.',
    ({ rules }) => waive(rules.addAvatars, 'avatars-missing'),
  ],
  'avatar-add.image-url-missing-rejected': [
    'An image needs no URL.',
    ({ rules }) => waive(rules.avatarAddition, 'added-image-url-missing'),
  ],
  'avatar-add.image-id-missing-rejected': [
    'An image needs no id.',
    ({ rules }) => waive(rules.addAvatars, 'source-image-id-missing'),
  ],
  'avatar-add.image-id-duplicate-rejected': [
    'Images of an avatar may share an id.',
    ({ rules }) => waive(rules.addAvatars, 'source-image-id-repeated'),
  ],
  'avatar-add.media-type-missing-rejected': [
    'An image needs no media type.',
    ({ rules }) => waive(rules.addAvatars, 'media-type-missing'),
  ],
  'avatar-add.media-type-not-image-rejected': [
    'Any media type is accepted.',
    ({ rules }) => waive(rules.addAvatars, 'media-type-not-image'),
  ],
  'avatar-add.voice-provider-missing-rejected': [
    'A voice needs no provider.',
    ({ rules }) => waive(rules.addAvatars, 'voice-provider-missing'),
  ],
  'avatar-add.voice-provider-voice-id-missing-rejected': [
    'A voice needs no id.',
    ({ rules }) => waive(rules.addAvatars, 'voice-id-missing'),
  ],
  'avatar-add.voice-model-missing-rejected': [
    'A voice needs no model.',
    ({ rules }) => waive(rules.addAvatars, 'voice-model-missing'),
  ],
  'avatar-add.voice-speed-below-minimum-rejected': [
    'A speed below 0.7 is accepted.',
    ({ rules }) => waive(rules.addAvatars, 'voice-speed-low'),
  ],
  'avatar-add.voice-speed-above-maximum-rejected': [
    'A speed above 1.2 is accepted.',
    ({ rules }) => waive(rules.addAvatars, 'voice-speed-high'),
  ],
})

const registerDefects = defectsOf('control-channel', {
  'avatar-add.additive': [
    'Added avatars take the place of the others.',
    ({ registry }) => {
      registry.registersAvatar = (_avatar, session) => {
        const kept = session.avatars.filter((one) => one['avatar_id'] === session.state.activeAvatarId)
        session.avatars.splice(0, session.avatars.length, ...kept)
        return true
      }
    },
  ],
  'avatar-add.not-active': [
    'An added avatar becomes the active one.',
    ({ registry }) => {
      registry.stateAfterAdd = ({ state }, added) => ({
        ...state,
        activeAvatarId: textOf(added[0]?.['avatar_id']) ?? state.activeAvatarId,
      })
    },
  ],
  'avatar-add.not-active-source-image': [
    'An added image becomes the source image.',
    ({ registry, update, rules }) => {
      registry.stateAfterAdd = ({ state }, added) => ({
        ...state,
        sourceImageId:
          state.mode === 'text_chat'
            ? null
            : (textOf(imagesOf(added[0])[0]?.['source_image_id']) ?? state.sourceImageId),
      })
      update.keptImage = (current) => current.sourceImageId
      const rule = rules.sessionUpdate['source-image-unresolved']
      const { broken } = rule
      rule.broken = (input) => broken(input) && input.resolution.sourceImageId === null
    },
  ],
  'avatar-add.selectable': [
    'An added avatar cannot be selected.',
    (b) => lock(b, (input) => input.session.state.mode === 'text_chat'),
  ],
  'avatar-add.selectable-in-video': [
    'An added avatar cannot be selected in video.',
    (b) => lock(b, (input) => input.session.state.mode === 'video_avatar'),
  ],
  'avatar-add.existing-not-confirmed-anew': [
    'A known avatar is confirmed as it was sent and kept as it was.',
    (b) => {
      waive(b.rules.avatarAddition, 'avatar-id-taken')
      b.registry.registersAvatar = (avatar, session) => !known(session, avatar)
      b.registry.confirmedAvatars = (_registered, given) => given
    },
  ],
  'avatar-add.images-not-appended': [
    'Images of a known avatar are appended, though refused.',
    (b) => {
      keeping(b, (given, session) => given.filter((avatar) => known(session, avatar)))
      b.registry.mergedAvatar = (old, added) => {
        const images = [
          ...imagesOf(old),
          ...imagesOf(added).filter((image) => !imageIds(old).includes(image['source_image_id'])),
        ]
        return { ...old, visual: { ...wireAt(old, 'visual'), source_images: images } }
      }
    },
  ],
  'avatar-add.images-not-replaced': [
    'A known avatar is replaced, though refused.',
    (b) => keeping(b, (given, session) => given.filter((avatar) => known(session, avatar))),
  ],
  'avatar-add.none-registered-on-invalid': [
    'Avatars before an invalid one are kept.',
    (b) =>
      keeping(b, (given, session) =>
        given
          .slice(
            0,
            Math.max(
              0,
              given.findIndex((avatar) => !isWhole(avatar)),
            ),
          )
          .filter((avatar) => !known(session, avatar)),
      ),
  ],
  'avatar-add.none-registered-after-invalid': [
    'Avatars after an invalid one are kept.',
    (b) =>
      keeping(b, (given, session) => {
        const bad = given.findIndex((avatar) => !isWhole(avatar))
        return bad < 0 ? [] : given.slice(bad + 1).filter((avatar) => isWhole(avatar) && !known(session, avatar))
      }),
  ],
  'avatar-add.none-registered-beside-existing': [
    'New avatars beside a known one are kept.',
    (b) =>
      keeping(b, (given, session) => (given.every(isWhole) ? given.filter((avatar) => !known(session, avatar)) : [])),
  ],
  'avatar-add.free-after-rejection': [
    'Ids of a refused addition are used up.',
    (b) => {
      const burnt = memory(() => new Set<unknown>())
      keeping(b, (given, session) => {
        for (const avatar of given) if (!known(session, avatar)) burnt(session).add(avatar['avatar_id'])
        return []
      })
      refuseEvent(b.rules.avatarAddition, ({ event, session }) =>
        wiresOf(event['avatars']).some((avatar) => burnt(session).has(avatar['avatar_id'])),
      )
    },
  ],
  'avatar-add.rejected-not-confirmed': [
    'A refused addition is confirmed, too.',
    ({ registry }) => void (registry.confirmsRefused = true),
  ],
  'avatar-add.confirmed': ['Additions are not confirmed.', (b) => mute(b, 'avatar.added')],
  'avatar-add.confirmed-once': ['Additions are confirmed twice.', (b) => twice(b, 'avatar.added')],
})

/** Keeps added avatars from being selected. */
function lock({ rules }: Behaviour, where: (input: { session: Session }) => boolean): void {
  refuseEvent(rules.sessionUpdate, (input) => {
    const { session, asked } = input
    const planned = session.plan.avatars.some((avatar) => avatar['avatar_id'] === asked['active_avatar_id'])
    return where(input) && asked['active_avatar_id'] !== undefined && !planned
  })
}

export const avatarDefects = [...acceptDefects, ...rejectDefects, ...registerDefects]
