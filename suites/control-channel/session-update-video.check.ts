import { Blocked } from '../../src/scenario/blocked.ts'
import type { Context, OpenSession } from '../../src/scenario/context.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import type { Condition } from '../../src/trace/claim.ts'
import { accepted, any, different, event, inEvent, value } from '../../src/trace/conditions.ts'
import type { Json, JsonObject } from '../../src/trace/json.ts'
import { imageFrom } from './bodies.ts'
import { enter } from './knock.ts'
import { type Row, rows } from './rows.ts'
import { type ClaimOptions, Talk } from './talk.ts'
import { tryUpdate, type Update, update, type UpdateOptions } from './updates.ts'

/** `session.update` of mode, avatar and image, in video and on the way there and back. */
export const sessionUpdateInVideo: Scenario = {
  id: 'control-channel.session-update-in-video',
  proves: rows(
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
    const twin = await chooseImages(talk)
    await switchAvatars(talk)
    await leaveAndReturn(talk)
    await clearImage(talk)
    await refuseInVideo(talk, { twin, took })
    await refuseOnTheWay(talk, { twin, took })
    const { confirmed } = await update(talk, inVideo('anna', 'side'), { told: 'by-id' })
    await talk.leave()
    await comeBack(context, session, confirmed)
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
  const image = (id: string) => imageFrom(context, id)
  const { url: _, ...hidden } = image('hidden')
  const anna = { source_images: [image('front'), image('side')], default_source_image_id: 'front' }
  const avatars = [
    { avatar_id: 'anna', visual: anna },
    { avatar_id: 'bert', visual: { source_images: [image('face')] } },
    { avatar_id: 'carl' },
    { avatar_id: 'emil', visual: { source_images: [image('left'), image('right')] } },
    { avatar_id: 'dora', visual: { source_images: [hidden] } },
  ]
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

const inVideo = (avatar: string, image?: string): JsonObject => ({
  mode: 'video_avatar',
  active_avatar_id: avatar,
  ...(image === undefined ? {} : { source_image_id: image }),
})

/** An update that must be accepted, with the fields that it shows, row by row. */
function apply(
  talk: Talk,
  session: JsonObject,
  shown: { readonly [row in Row]?: { readonly [field: string]: Json } },
  options: Omit<UpdateOptions, 'write'> = {},
): Promise<Update> {
  const write = (it: Update) => {
    for (const [row, fields] of Object.entries(shown) as [Row, { readonly [field: string]: Json }][]) {
      talk.claim(row, it.shows(fields), options.told === 'by-id' ? { given: [it.confirmed], choice: true } : {})
    }
  }
  return update(talk, session, { ...options, write })
}

async function chooseImages(talk: Talk): Promise<Condition> {
  const { confirmed } = await apply(
    talk,
    { source_image_id: 'side' },
    {
      'session-update.source-image-applied': { source_image_id: 'side' },
      'session-update.mode-kept-when-omitted': { mode: 'video_avatar' },
      'session-update.active-avatar-kept-when-omitted': { active_avatar_id: 'anna' },
    },
  )
  const kept: Row = 'session-update.source-image-kept-when-omitted'
  await apply(talk, { mode: 'video_avatar' }, { [kept]: { source_image_id: 'side' } }, { told: 'by-id' })
  await apply(talk, { active_avatar_id: 'anna' }, { [kept]: { source_image_id: 'side' } }, { told: 'by-id' })
  return confirmed
}

async function switchAvatars(talk: Talk): Promise<void> {
  const write = (it: Update) => {
    const shown = inEvent(it.updated, '/session/source_image_id')
    talk.claim('session-update.avatar-switch-drops-old-image', different(shown, value('side')))
    talk.claim('session-update.avatar-switch-derives-image', it.shows({ source_image_id: 'face' }))
  }
  await update(talk, { active_avatar_id: 'bert' }, { write })
  const derived: Row = 'session-update.avatar-switch-derives-image'
  await apply(talk, { active_avatar_id: 'anna' }, { [derived]: { source_image_id: 'front' } })
  await apply(talk, { active_avatar_id: 'bert' }, { [derived]: { source_image_id: 'face' } })
  await apply(
    talk,
    { active_avatar_id: 'anna', source_image_id: 'side' },
    { 'session-update.avatar-and-image-together': { active_avatar_id: 'anna', source_image_id: 'side' } },
  )
}

/** The explicit image of `anna` is gone after text; then `bert`, who names no default; then an image by name. */
async function leaveAndReturn(talk: Talk): Promise<void> {
  const toText = () =>
    apply(talk, { mode: 'text_chat' }, { 'session-update.to-text-chat-clears-image': { source_image_id: null } })
  await toText()
  await apply(
    talk,
    { mode: 'video_avatar' },
    {
      'session-update.video-mode-applied': { mode: 'video_avatar' },
      'session-update.to-video-derives-default-image': { source_image_id: 'front' },
      'session-update.cleared-image-not-restored': { source_image_id: 'front' },
    },
  )
  await toText()
  await apply(talk, { active_avatar_id: 'bert' }, { 'session-update.mode-kept-when-omitted': { mode: 'text_chat' } })
  // An image that is named for text is refused or passed over; it is not shown.
  await tryUpdate(talk, { source_image_id: 'face' })
  await apply(
    talk,
    { mode: 'video_avatar' },
    { 'session-update.to-video-derives-only-image': { source_image_id: 'face', active_avatar_id: 'bert' } },
  )
  await toText()
  await apply(talk, inVideo('anna', 'side'), {
    'session-update.to-video-explicit-image': { mode: 'video_avatar', source_image_id: 'side' },
  })
  await update(talk, { mode: 'text_chat', source_image_id: 'front' }, { told: 'by-id' })
  await update(talk, inVideo('anna', 'side'), { told: 'by-id' })
}

/** A null image: the default follows, or the update fails; what must not be is that the explicit one stays. */
async function clearImage(talk: Talk): Promise<void> {
  const write = (it: Update) => {
    const shown = inEvent(it.updated, '/session/source_image_id')
    const options = { given: [it.confirmed], choice: true }
    talk.claim('session-update.null-clears-explicit-image', different(shown, value('side')), options)
  }
  const { reply } = await update(talk, { source_image_id: null }, { told: 'by-id', write })
  // Where it is taken, beside fields that stay as they are, too.
  const unchanged = reply === undefined ? [] : [{ mode: 'video_avatar' }, { active_avatar_id: 'anna' }]
  for (const beside of unchanged) {
    await update(talk, inVideo('anna', 'side'), { told: 'by-id' })
    await update(talk, { ...beside, source_image_id: null }, { told: 'by-id', write })
  }
  await update(talk, inVideo('bert', 'face'))
}

/** The image that was chosen is still the one after a while without any connection. */
async function comeBack(context: Context, session: OpenSession, chosen: Condition): Promise<void> {
  const talk = new Talk(context, await context.connect(session))
  const write = (it: Update) => {
    const options = { given: [chosen, it.confirmed], choice: true }
    talk.claim('secret.reconnect-keeps-state', it.shows({ source_image_id: 'side' }), options)
  }
  await update(talk, { mode: 'video_avatar' }, { told: 'by-id', write })
  const { confirmed } = await update(talk, { mode: 'text_chat' }, { told: 'by-id' })
  await talk.leave()
  // "Reconnecting with it in the same session is allowed" (5.3), though the session is not what it was at first.
  const allowed = ['secret.reconnect-admitted', 'secret.valid-while-open'] as const
  await findMode(await enter(context, session, allowed), confirmed)
}

/** So is the mode, which is not that of the create any more. */
async function findMode(talk: Talk, left: Condition): Promise<void> {
  const write = (it: Update) => {
    const options = { given: [left, it.confirmed], choice: true }
    talk.claim('secret.reconnect-keeps-state', it.shows({ mode: 'text_chat' }), options)
  }
  await update(talk, { active_avatar_id: 'bert' }, { told: 'by-id', write })
  await talk.leave()
}

type Refusal = readonly [row: Row, session: JsonObject]

/** Conditions under which a refusal counts. */
interface Grounds extends Pick<Images, 'took'> {
  /** An update without the fault was confirmed. */
  readonly twin: Condition
}

async function refuseInVideo(talk: Talk, { twin, took }: Grounds): Promise<void> {
  await update(talk, inVideo('anna', 'side'))
  const given = { given: [twin] }
  await refuse(talk, ['session-update.unknown-image-rejected', inVideo('anna', 'nobody')], given)
  await refuse(talk, ['session-update.image-of-other-avatar-rejected', inVideo('anna', 'face')], given)
  const elsewhere = inVideo('bert', 'nobody')
  const rejected = await refuse(talk, ['session-update.unknown-image-rejected', elsewhere], given)
  await lookAgain(talk, [twin, rejected])
  const bare = { given: [twin, took('carl')], choice: true }
  await refuse(talk, ['session-update.avatar-without-visual-rejected', { active_avatar_id: 'carl' }], bare)
  const hidden = { given: [twin, took('dora')], choice: true }
  await refuse(talk, ['session-update.unusable-image-rejected', inVideo('dora', 'hidden')], hidden)
}

async function refuseOnTheWay(talk: Talk, { twin, took }: Grounds): Promise<void> {
  const row: Row = 'session-update.to-video-without-visual-rejected'
  const having = (avatar: 'carl' | 'dora' | 'emil') => ({ given: [twin, took(avatar)], choice: true })
  await update(talk, { mode: 'text_chat', active_avatar_id: 'carl' })
  await refuse(talk, [row, { mode: 'video_avatar' }], having('carl'))
  await update(talk, { mode: 'text_chat', active_avatar_id: 'anna' })
  await refuse(talk, [row, inVideo('carl')], having('carl'))
  await refuse(talk, ['session-update.to-video-without-image-url-rejected', inVideo('dora')], having('dora'))
  await refuse(talk, ['session-update.to-video-ambiguous-image-rejected', inVideo('emil')], having('emil'))
}

/** Nothing of a refused update is in force, not even what was right about it. */
async function lookAgain(talk: Talk, given: readonly Condition[]): Promise<void> {
  const write = (it: Update) => {
    const still = it.shows({ active_avatar_id: 'anna', source_image_id: 'side' })
    talk.claim('session-update.rejected-changes-nothing', still, { given: [...given, it.confirmed], choice: true })
  }
  await update(talk, { mode: 'video_avatar' }, { told: 'by-id', write })
}

/** An update that fails: by an `error`, or by a `session.update.done` that says so. @returns the former */
async function refuse(talk: Talk, [row, session]: Refusal, options: ClaimOptions): Promise<Condition> {
  const id = talk.context.id('faulty-update')
  const failed = event('session.update.done', { '/request_event_id': id, '/status': 'failed' })
  const { rejected } = await talk.fault({ type: 'session.update', event_id: id, session }, (it) => {
    talk.claim(row, any(it.rejected, talk.eventually(failed, it.at)), options)
  })
  return rejected
}
