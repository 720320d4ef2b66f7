import { Blocked } from '#scenario/author/blocked'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { accepted, all, any, equals, inEvent, oneOf } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { imageFrom } from '../bodies.ts'
import { enter } from '../connection/knock.ts'
import type { State } from '../model/state.ts'
import { type Row, rows } from '../rows.ts'
import { Course, type Refusal } from './course.ts'
import { type ClaimOptions, Talk } from '../talk.ts'
import { tryUpdate, type Update, update } from './updates.ts'

/** `session.update` of mode, avatar and image, in video and on the way there and back. */
export const sessionUpdateInVideo: Scenario = {
  id: 'control-channel.session-update-in-video',
  proves: rows(
    'error.event-id-names-cause',
    'session-update.active-avatar-kept-when-omitted',
    'session-update.rejected-changes-nothing',
    'session-update.mode-kept-when-omitted',
    'session-update.source-image-kept-when-omitted',
    'session-update.video-mode-applied',
    'session-update.source-image-applied',
    'session-update.avatar-and-image-together',
    'session-update.to-text-chat-clears-image',
    'session-update.cleared-image-not-restored',
    'session-update.to-video-derives-default-image',
    'session-update.to-video-derives-only-image',
    'session-update.to-video-explicit-image',
    'session-update.to-video-without-visual-rejected',
    'session-update.to-video-without-image-url-rejected',
    'session-update.to-video-ambiguous-image-rejected',
    'session-update.null-clears-explicit-image',
    'session-update.unknown-mode-rejected',
    'session-update.unknown-avatar-rejected',
    'session-update.unknown-image-rejected',
    'session-update.image-of-other-avatar-rejected',
    'session-update.unusable-image-rejected',
    'session-update.avatar-without-visual-rejected',
    'session-update.avatar-switch-drops-old-image',
    'session-update.avatar-switch-derives-image',
    'session-updated.source-image-null-in-text-chat',
    'session-updated.source-image-set-in-video',
    'session-updated.source-image-id-string-or-null',
    'session-updated.media-transport-string',
    'session-updated.media-object',
    'secret.reconnect-keeps-state',
    'secret.reconnect-admitted',
    'secret.valid-while-open',
  ),
  needs: { abilities: ['video'], media: ['image_url'] },
  price: { requests: { primary: 3 }, typical: 2, sessions: { primary: 1 } },
  async drive(context) {
    const { session, took } = await createWithImages(context)
    const talk = new Talk(context, await context.connect(session))
    const course = new Course(avatarsFor(context), atFirst)
    const way = { talk, course }
    const twin = await chooseImages(way)
    await switchAvatars(way)
    await leaveAndReturn(way)
    await clearImage(way)
    await refuseInVideo(way, { twin, took })
    await refuseOnTheWay(way, { twin, took })
    const { confirmed } = await course.apply(talk, inVideo('anna', 'side'), {}, { told: 'by-id' })
    await talk.leave()
    await comeBack(context, session, { course, chosen: confirmed })
  },
}

interface Images {
  readonly session: OpenSession
  /** The service took an avatar that it may as well refuse at create time. */
  readonly took: (avatar: 'carl' | 'dora' | 'emil') => Condition
}

/**
 * `anna` has two images and a default, `bert` one image. An image without URL, two without default, and none at all may be
 * refused at create time: they are left out then, one after the other.
 */
async function createWithImages(context: Context): Promise<Images> {
  const avatars = avatarsFor(context)
  const tries = [5, 4, 3, 2].map((count) => ({ avatars: avatars.slice(0, count), exchange: context.exchange() }))
  const took = (avatar: string) => {
    const having = tries.filter((one) => one.avatars.some(({ avatar_id }) => avatar_id === avatar))
    return any(...having.map(({ exchange }) => accepted(exchange)))
  }
  for (const { avatars: some, exchange } of tries) {
    const session = await tryCreate(context, some, exchange)
    if (session !== undefined) return { session, took }
  }
  return context.block('prerequisite', 'no session with images could be created')
}

function avatarsFor(context: Context) {
  const image = (id: string) => imageFrom(context, id)
  const { url: _, ...hidden } = image('hidden')
  const anna = { source_images: [image('front'), image('side')], default_source_image_id: 'front' }
  return [
    { avatar_id: 'anna', visual: anna },
    { avatar_id: 'bert', visual: { source_images: [image('face')] } },
    { avatar_id: 'carl' },
    { avatar_id: 'emil', visual: { source_images: [image('left'), image('right')] } },
    { avatar_id: 'dora', visual: { source_images: [hidden] } },
  ]
}

/** @returns undefined when the service refuses the avatars */
async function tryCreate(
  context: Context,
  avatars: readonly JsonObject[],
  exchange: number,
): Promise<OpenSession | undefined> {
  try {
    return await context.create(body(avatars), { exchange })
  } catch (error) {
    if (error instanceof Blocked && error.code === 'prerequisite') return undefined
    throw error
  }
}

function body(avatars: readonly JsonObject[]): JsonObject {
  return {
    model: 'svc-a1-stream',
    session: { mode: 'video_avatar', active_avatar_id: 'anna' },
    output: { aspect_ratio: '9:16', resolution: '480p' },
    avatars,
    conversation: { turn_detection: { type: 'manual' } },
  }
}

interface Way {
  readonly talk: Talk
  readonly course: Course
}

const inVideo = (avatar: string, image?: string): JsonObject => ({
  mode: 'video_avatar',
  active_avatar_id: avatar,
  ...(image === undefined ? {} : { source_image_id: image }),
})

/** The session as it was created. */
const atFirst: State = { mode: 'video_avatar', avatar: 'anna', image: 'front' }

async function chooseImages({ talk, course }: Way): Promise<Condition> {
  const { confirmed } = await course.apply(
    talk,
    { source_image_id: 'side' },
    {
      'session-update.source-image-applied': ['image'],
      'session-update.mode-kept-when-omitted': ['mode'],
      'session-update.active-avatar-kept-when-omitted': ['avatar'],
    },
  )
  const kept = { 'session-update.source-image-kept-when-omitted': ['image'] } as const
  await course.apply(talk, { active_avatar_id: 'anna' }, kept, { told: 'by-id' })
  // Named again, the mode may derive the image anew.
  await course.apply(talk, { mode: 'video_avatar' }, {}, { told: 'by-id' })
  return confirmed
}

async function switchAvatars({ talk, course }: Way): Promise<void> {
  await course.apply(talk, inVideo('anna', 'side'), {}, { told: 'by-id' })
  const switched = {
    'session-update.avatar-switch-drops-old-image': ['image'],
    'session-update.avatar-switch-derives-image': ['image'],
  } as const
  await course.apply(talk, { active_avatar_id: 'bert' }, switched)
  await course.apply(talk, inVideo('bert', 'face'), {}, { told: 'by-id' })
  const derived = { 'session-update.avatar-switch-derives-image': ['image'] } as const
  await course.apply(talk, { active_avatar_id: 'anna' }, derived)
  await course.apply(talk, { active_avatar_id: 'bert' }, derived)
  await course.apply(talk, inVideo('bert', 'face'), {}, { told: 'by-id' })
  await course.apply(
    talk,
    { active_avatar_id: 'anna', source_image_id: 'side' },
    { 'session-update.avatar-and-image-together': ['avatar', 'image'] },
  )
}

/** The explicit image of `anna` is gone after text; then `bert`, who names no default; then an image by name. */
async function leaveAndReturn({ talk, course }: Way): Promise<void> {
  const cleared = { 'session-update.to-text-chat-clears-image': ['image'] } as const
  const toText = () => course.apply(talk, { mode: 'text_chat' }, cleared)
  await toText()
  await course.apply(
    talk,
    { mode: 'video_avatar' },
    {
      'session-update.video-mode-applied': ['mode'],
      'session-update.to-video-derives-default-image': ['image'],
      'session-update.cleared-image-not-restored': ['image'],
    },
  )
  await toText()
  await course.apply(talk, { active_avatar_id: 'bert' }, { 'session-update.mode-kept-when-omitted': ['mode'] })
  // An image that is named for text is refused or passed over; it is not shown.
  await tryUpdate(talk, { source_image_id: 'face' })
  const only = { 'session-update.to-video-derives-only-image': ['image', 'avatar'] } as const
  await course.apply(talk, { mode: 'video_avatar' }, only)
  await toText()
  const named = { 'session-update.to-video-explicit-image': ['mode', 'image'] } as const
  await course.apply(talk, inVideo('anna', 'side'), named)
  await tryUpdate(talk, { mode: 'text_chat', source_image_id: 'front' })
  await update(talk, inVideo('anna', 'side'), { told: 'by-id' })
}

/** A null image: the default follows, null is shown, or the update fails; what must not be is that the explicit one stays. */
async function clearImage({ talk, course }: Way): Promise<void> {
  const cleared = { 'session-update.null-clears-explicit-image': ['image'] } as const
  const { reply } = await course.apply(talk, { source_image_id: null }, cleared, { told: 'by-id' })
  // Where it is taken, beside fields that stay as they are, too.
  const unchanged = reply === undefined ? [] : [{ mode: 'video_avatar' }, { active_avatar_id: 'anna' }]
  for (const beside of unchanged) {
    await course.apply(talk, inVideo('anna', 'side'), {}, { told: 'by-id' })
    await course.apply(talk, { ...beside, source_image_id: null }, cleared, { told: 'by-id' })
    await course.apply(talk, { mode: 'video_avatar' }, {}, { told: 'by-id' })
  }
  await course.apply(talk, inVideo('bert', 'face'))
}

/** The image that was chosen is still the one after a while without any connection. */
async function comeBack(context: Context, session: OpenSession, { course, chosen }: Chosen): Promise<void> {
  const talk = new Talk(context, await context.connect(session))
  const kept = { 'secret.reconnect-keeps-state': ['image'] } as const
  const options = { given: [chosen], told: 'by-id' } as const
  await course.apply(talk, { active_avatar_id: 'anna' }, kept, options)
  const { confirmed } = await course.apply(talk, { mode: 'text_chat' }, {}, { told: 'by-id' })
  await talk.leave()
  // "Reconnecting with it in the same session is allowed" (5.3), though the session is not what it was at first.
  const allowed = ['secret.reconnect-admitted', 'secret.valid-while-open'] as const
  await findMode(await enter(context, session, allowed), { course, chosen: confirmed })
}

interface Chosen {
  readonly course: Course
  /** What was chosen before the connection ended was confirmed. */
  readonly chosen: Condition
}

/** So is the mode, which is not that of the create any more. */
async function findMode(talk: Talk, { course, chosen }: Chosen): Promise<void> {
  const kept = { 'secret.reconnect-keeps-state': ['mode'] } as const
  await course.apply(talk, { active_avatar_id: 'bert' }, kept, { given: [chosen], told: 'by-id' })
  await talk.leave()
}

/** Conditions under which a refusal counts. */
interface Grounds extends Pick<Images, 'took'> {
  /** An update without the fault was confirmed. */
  readonly twin: Condition
}

async function refuseInVideo({ talk, course }: Way, { twin, took }: Grounds): Promise<void> {
  await course.apply(talk, inVideo('anna', 'side'))
  const given = { given: [twin] }
  await course.refuseOutright(talk, ['session-update.unknown-mode-rejected', { mode: 'audio_only' }], given)
  await course.refuseOutright(talk, ['session-update.unknown-avatar-rejected', { active_avatar_id: 'nobody' }], given)
  const faults: readonly Refusal[] = [
    ['session-update.unknown-image-rejected', inVideo('anna', 'nobody')],
    ['session-update.image-of-other-avatar-rejected', inVideo('anna', 'face')],
    ['session-update.unknown-image-rejected', inVideo('bert', 'nobody')],
  ]
  const rejected: Condition[] = []
  for (const fault of faults) rejected.push(await course.refuse(talk, fault, given))
  await lookAgain(talk, [twin, ...rejected])
  const bare = { given: [twin, took('carl')], choice: true }
  await course.apply(talk, inVideo('anna', 'side'), {}, { told: 'by-id' })
  await course.refuse(talk, ['session-update.avatar-without-visual-rejected', { active_avatar_id: 'carl' }], bare)
  const hidden = { given: [twin, took('dora')], choice: true }
  await course.refuse(talk, ['session-update.unusable-image-rejected', inVideo('dora', 'hidden')], hidden)
}

async function refuseOnTheWay({ talk, course }: Way, { twin, took }: Grounds): Promise<void> {
  const row: Row = 'session-update.to-video-without-visual-rejected'
  const having = (avatar: 'carl' | 'dora' | 'emil') => ({ given: [twin, took(avatar)], choice: true })
  const faults: readonly (readonly [active: string, fault: Refusal, options: ClaimOptions])[] = [
    ['carl', [row, { mode: 'video_avatar' }], having('carl')],
    ['anna', [row, inVideo('carl')], having('carl')],
    ['anna', ['session-update.to-video-without-image-url-rejected', inVideo('dora')], having('dora')],
    ['anna', ['session-update.to-video-ambiguous-image-rejected', inVideo('emil')], having('emil')],
  ]
  // Here either mode would do, so that only its name is at fault.
  await course.apply(talk, { mode: 'text_chat', active_avatar_id: 'anna' }, {}, { told: 'by-id' })
  await course.refuseOutright(talk, ['session-update.unknown-mode-rejected', { mode: 'audio_only' }], { given: [twin] })
  for (const [active_avatar_id, fault, options] of faults) {
    await course.apply(talk, { mode: 'text_chat', active_avatar_id }, {}, { told: 'by-id' })
    await course.refuse(talk, fault, options)
  }
}

/** Nothing of a refused update is in force, not even what was right about it; the image may be derived anew. */
async function lookAgain(talk: Talk, given: readonly Condition[]): Promise<void> {
  const write = (it: Update) => {
    const still = all(it.shows({ active_avatar_id: 'anna' }), equals(imageOf(it), oneOf('side', 'front')))
    talk.claim('session-update.rejected-changes-nothing', still, { given: [...given, it.confirmed], choice: true })
  }
  await update(talk, { mode: 'video_avatar' }, { told: 'by-id', write })
}

const imageOf = (it: Update) => inEvent(it.updated, '/session/source_image_id')
