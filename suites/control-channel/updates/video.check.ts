import type { OpenSession } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { all, equals, inEvent, oneOf } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { onlyIf } from '../expectation.ts'
import type { State } from '../model/state.ts'
import { refusing } from '../refusals.ts'
import { rows } from '../rows.ts'
import { channelScenario, claiming } from '../step.ts'
import { Course } from './course.ts'
import { avatarsFor, createWithImages, type Images } from './images.ts'
import { placesInUpdates, tryUpdate, update } from './updates.ts'

const inVideo = (avatar: string, image?: string): JsonObject => ({
  mode: 'video_avatar',
  active_avatar_id: avatar,
  ...(image === undefined ? {} : { source_image_id: image }),
})

/** The session as it was created. */
const atFirst: State = { mode: 'video_avatar', avatar: 'anna', image: 'side' }

const chooseImages = claiming({
  'session-update': [
    'source-image-applied mode-kept-when-omitted active-avatar-kept-when-omitted source-image-kept-when-omitted',
  ],
}).step(async (talk, course: Course): Promise<Condition> => {
  await course.apply(talk, { source_image_id: 'front' }, { 'session-update.source-image-applied': 'image' })
  // What is in force already: a rule judges whether it is refused each time.
  await tryUpdate(talk, { source_image_id: 'front' })
  const { confirmed } = await course.apply(
    talk,
    { source_image_id: 'side' },
    {
      'session-update.source-image-applied': 'image',
      'session-update.mode-kept-when-omitted': 'mode',
      'session-update.active-avatar-kept-when-omitted': 'avatar',
    },
  )
  await tryUpdate(talk, { source_image_id: 'side' })
  const kept = { 'session-update.source-image-kept-when-omitted': 'image' } as const
  await course.apply(talk, { active_avatar_id: 'anna' }, kept, { told: 'by-id' })
  // Named again, the mode may derive the image anew.
  await course.pass(talk, { mode: 'video_avatar' })
  return confirmed
})

const switchAvatars = claiming({
  'session-update': 'avatar-switch-drops-old-image avatar-switch-derives-image avatar-and-image-together',
}).step(async (talk, course: Course) => {
  await course.pass(talk, inVideo('anna', 'side'))
  const derived = { 'session-update.avatar-switch-derives-image': 'image' } as const
  const switched = { 'session-update.avatar-switch-drops-old-image': 'image', ...derived } as const
  await course.apply(talk, { active_avatar_id: 'bert' }, switched)
  await course.pass(talk, inVideo('bert', 'face'))
  await course.apply(talk, { active_avatar_id: 'anna' }, derived)
  await course.apply(talk, { active_avatar_id: 'bert' }, derived)
  await course.pass(talk, inVideo('bert', 'face'))
  await course.apply(
    talk,
    { active_avatar_id: 'anna', source_image_id: 'side' },
    {
      'session-update.avatar-and-image-together': ['avatar', 'image'],
    },
  )
})

/** The explicit image of `anna` is gone after text; then `bert`, who names no default; then an image by name. */
const leaveAndReturn = claiming({
  'session-update': [
    'to-text-chat-clears-image video-mode-applied to-video-derives-default-image cleared-image-not-restored',
    'mode-kept-when-omitted to-video-derives-only-image to-video-explicit-image',
  ],
}).step(async (talk, course: Course) => {
  const toText = () =>
    course.apply(talk, { mode: 'text_chat' }, { 'session-update.to-text-chat-clears-image': 'image' })
  await toText()
  await course.apply(
    talk,
    { mode: 'video_avatar' },
    {
      'session-update.video-mode-applied': 'mode',
      'session-update.to-video-derives-default-image': 'image',
      'session-update.cleared-image-not-restored': 'image',
    },
  )
  await toText()
  await course.apply(talk, { active_avatar_id: 'bert' }, { 'session-update.mode-kept-when-omitted': 'mode' })
  // An image that is named for text is refused or passed over; it is not shown.
  await tryUpdate(talk, { source_image_id: 'face' })
  await course.apply(
    talk,
    { mode: 'video_avatar' },
    {
      'session-update.to-video-derives-only-image': ['image', 'avatar'],
    },
  )
  await toText()
  await course.pass(talk, { active_avatar_id: 'anna' })
  // The image is derived from the avatar that is named with the mode, not from the one of before.
  await course.apply(talk, inVideo('bert'), { 'session-update.to-video-derives-only-image': ['image', 'avatar'] })
  await toText()
  await course.apply(talk, inVideo('anna', 'side'), {
    'session-update.to-video-explicit-image': ['mode', 'image'],
  })
  await tryUpdate(talk, { mode: 'text_chat', source_image_id: 'front' })
  await update(talk, inVideo('anna', 'side'), { told: 'by-id', inVideo: true })
})

/** A null image: the default follows, null is shown, or the update fails; what must not be is that the explicit one stays. */
const clearImage = claiming({ 'session-update': 'null-clears-explicit-image' }).step(async (talk, course: Course) => {
  const clear = (beside = {}) =>
    course.apply(
      talk,
      { ...beside, source_image_id: null },
      { 'session-update.null-clears-explicit-image': 'image' },
      { told: 'by-id' },
    )
  const { reply } = await clear()
  // Where it is taken, beside fields that stay as they are, too.
  const unchanged = reply === undefined ? [] : [{ mode: 'video_avatar' }, { active_avatar_id: 'anna' }]
  for (const beside of unchanged) {
    await course.pass(talk, inVideo('anna', 'side'))
    await clear(beside)
    await course.pass(talk, { mode: 'video_avatar' })
  }
  await course.apply(talk, inVideo('bert', 'face'))
})

/** Conditions under which a refusal counts. */
interface Grounds extends Pick<Images, 'took'> {
  /** An update without the fault was confirmed. */
  readonly control: Condition
}

/** The other mode beside an avatar that there is not: an update that names no mode shows which one is in force. */
const keepMode = claiming({ 'session-update': 'unknown-avatar-rejected rejected-changes-nothing' }).step(
  async (
    talk,
    course: Course,
    { mode, next }: { readonly mode: string; readonly next: JsonObject },
    control: Condition,
  ) => {
    const faulty = { mode, active_avatar_id: 'nobody' }
    const refused = await course.refuseOutright(talk, 'session-update.unknown-avatar-rejected', faulty, control)
    await course.apply(
      talk,
      next,
      { 'session-update.rejected-changes-nothing': 'mode' },
      { given: [control, refused], told: 'by-id' },
    )
  },
)

const refuseInVideo = claiming(
  {
    'session-update': [
      'unknown-mode-rejected unknown-avatar-rejected unknown-image-rejected image-of-other-avatar-rejected',
      'rejected-changes-nothing avatar-without-visual-rejected unusable-image-rejected',
    ],
  },
  keepMode,
).step(async (talk, course: Course, { control, took }: Grounds) => {
  await course.apply(talk, inVideo('anna', 'side'))
  await course.refuseOutright(talk, 'session-update.unknown-mode-rejected', { mode: 'audio_only' }, control)
  // The image that was chosen is neither the one that would be derived nor the one that was refused beside the avatar.
  const kept = { 'session-update.rejected-changes-nothing': 'image' } as const
  for (const [row, faulty] of [
    ['session-update.unknown-avatar-rejected', { active_avatar_id: 'nobody' }],
    ['session-update.unknown-avatar-rejected', { active_avatar_id: 'nobody', source_image_id: 'front' }],
    ['session-update.unknown-mode-rejected', { mode: 'audio_only', source_image_id: 'front' }],
  ] as const) {
    const refused = await course.refuseOutright(talk, row, faulty, control)
    await course.apply(talk, { active_avatar_id: 'anna' }, kept, { given: [control, refused], told: 'by-id' })
  }
  await keepMode(
    talk,
    course,
    { mode: 'text_chat', next: { active_avatar_id: 'anna', source_image_id: 'side' } },
    control,
  )
  const rejected: Condition[] = []
  for (const [row, session] of [
    ['session-update.unknown-image-rejected', inVideo('anna', 'nobody')],
    ['session-update.unknown-image-rejected', inVideo('anna', 'FRONT')],
    ['session-update.image-of-other-avatar-rejected', inVideo('anna', 'face')],
    ['session-update.unknown-image-rejected', inVideo('bert', 'nobody')],
  ] as const) {
    rejected.push(await course.refuse(talk, row, session, { given: [control] }))
  }
  // Nothing of a refused update is in force, not even what was right about it; the image may be derived anew.
  await update(
    talk,
    { mode: 'video_avatar' },
    {
      told: 'by-id',
      inVideo: true,
      expect: (it) => {
        const image = inEvent(it.updated, '/session/source_image_id')
        const still = all(it.shows({ active_avatar_id: 'anna' }), equals(image, oneOf('side', 'front')))
        return { 'session-update.rejected-changes-nothing': onlyIf([control, ...rejected, it.confirmed], still) }
      },
    },
  )
  const bare = { given: [control, took('carl')], choice: true }
  await course.pass(talk, inVideo('anna', 'side'))
  await course.refuse(talk, 'session-update.avatar-without-visual-rejected', { active_avatar_id: 'carl' }, bare)
  const hidden = { given: [control, took('dora')], choice: true }
  await course.refuse(talk, 'session-update.unusable-image-rejected', inVideo('dora', 'hidden'), hidden)
})

const refuseOnTheWay = claiming(
  {
    'session-update': [
      'unknown-mode-rejected to-video-without-visual-rejected to-video-without-image-url-rejected',
      'to-video-ambiguous-image-rejected',
    ],
  },
  keepMode,
).step(async (talk, course: Course, { control, took }: Grounds) => {
  await course.pass(talk, { mode: 'text_chat', active_avatar_id: 'anna' })
  await keepMode(talk, course, { mode: 'video_avatar', next: { active_avatar_id: 'bert' } }, control)
  // Here either mode would do, so that only its name is at fault.
  await course.pass(talk, { active_avatar_id: 'anna' })
  await course.refuseOutright(talk, 'session-update.unknown-mode-rejected', { mode: 'audio_only' }, control)
  for (const [active_avatar_id, faulty, row, session] of [
    ['carl', 'carl', 'session-update.to-video-without-visual-rejected', { mode: 'video_avatar' }],
    ['anna', 'carl', 'session-update.to-video-without-visual-rejected', inVideo('carl')],
    ['anna', 'dora', 'session-update.to-video-without-image-url-rejected', inVideo('dora')],
    ['anna', 'emil', 'session-update.to-video-ambiguous-image-rejected', inVideo('emil')],
  ] as const) {
    await course.pass(talk, { mode: 'text_chat', active_avatar_id })
    await course.refuse(talk, row, session, { given: [control, took(faulty)], choice: true })
  }
})

/** The image that was chosen is still the one after a while without any connection, and so is the mode. */
const comeBack = claiming({ secret: 'reconnect-keeps-state reconnect-admitted valid-while-open' }).sceneStep(
  async (scene, session: OpenSession, course: Course, chosen: Condition) => {
    const talk = await scene.connect(session)
    const keepsImage = { 'secret.reconnect-keeps-state': 'image' } as const
    await course.apply(talk, { active_avatar_id: 'anna' }, keepsImage, { given: [chosen], told: 'by-id' })
    const { confirmed } = await course.pass(talk, { mode: 'text_chat' })
    await talk.leave()
    // "Reconnecting with it in the same session is allowed" (5.3), though the session is not what it was at first.
    const again = await scene.expectAdmitted(session, ['secret.reconnect-admitted', 'secret.valid-while-open'])
    const keepsMode = { 'secret.reconnect-keeps-state': 'mode' } as const
    await course.apply(again, { active_avatar_id: 'bert' }, keepsMode, { given: [confirmed], told: 'by-id' })
    await again.leave()
  },
)

/** `session.update` of mode, avatar and image, in video and on the way there and back. */
export const sessionUpdateInVideo = channelScenario({
  id: 'control-channel.session-update-in-video',
  steps: [chooseImages, switchAvatars, leaveAndReturn, clearImage, refuseInVideo, refuseOnTheWay, comeBack, refusing],
  observes: rows({
    'session-updated': [
      'source-image-null-in-text-chat source-image-set-in-video source-image-id-string-or-null',
      'media-transport-string media-object',
    ],
  }),
  observes_elsewhere: placesInUpdates,
  needs: { abilities: ['video'], media: ['image_url'] },
  price: { requests: { primary: 3 }, typical: 2, sessions: { primary: 1 }, waits: 1 },
  async drive(scene, context) {
    const { session, took } = await createWithImages(context)
    const talk = await scene.connect(session)
    const course = new Course(avatarsFor(context), atFirst)
    const control = await chooseImages(talk, course)
    await switchAvatars(talk, course)
    await leaveAndReturn(talk, course)
    await clearImage(talk, course)
    await refuseInVideo(talk, course, { control, took })
    await refuseOnTheWay(talk, course, { control, took })
    // Neither the default image nor that of the creation.
    const { confirmed } = await course.pass(talk, inVideo('anna', 'near'))
    await talk.leave()
    await comeBack(scene, session, course, confirmed)
  },
})
