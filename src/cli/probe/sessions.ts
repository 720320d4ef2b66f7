import type { Exchange } from '#client/types'
import { Blocked } from '#scenario/author/blocked'
import { textChat, videoAvatar } from '#scenario/author/bodies'
import type { AnyContext } from '#scenario/author/context'
import { at, type JsonObject } from '#trace/json'
import { type Ability, offers } from '#spec/profile'
import type { AskTools } from './ask-target.ts'
import { type ControlSeen, seeControl } from './control-seen.ts'
import { notAsked, type Seen, toldBy } from './seen.ts'

/** Abilities that only a create shows. */
export type SessionAbility = Extract<Ability, 'video' | 'resolution_480p' | 'rtc_b' | 'lite_model'>

export interface SessionsSeen {
  readonly abilities: { readonly [ability in SessionAbility]: Seen }
  readonly control: ControlSeen | undefined
  /** Why no session could be created at all. */
  readonly refused: string | undefined
}

export interface OneSessionSeen extends Pick<SessionsSeen, 'control' | 'refused'> {
  /** Undefined where the profile declares it away. */
  readonly video?: VideoSeen
}

/** Whether sessions with video can be had, and whether with the resolution `480p`. */
type VideoSeen = Pick<SessionsSeen['abilities'], 'video' | 'resolution_480p'>

const lite = { model: 'svc-a1-stream-lite' }
const largeOutput = { aspect_ratio: '9:16', resolution: '720p' }
const overB = { delivery: { media: { transport: 'rtc_b' } } }

/** A create that holds nothing special: what is wanted is any session. */
const plainCreate = textChat()

/** The workspace is full: a session that was closed a moment ago may still hold its place (3.1). */
const fullCode = 30006
const patience_ms = 2_500

/** Creates sessions one after the other, closes each at once, and opens the control channel of the first. */
function sessionAsker(context: AnyContext, tools: AskTools) {
  let control: ControlSeen | undefined
  let patience = 1
  const create = async (body: JsonObject): Promise<Exchange> => {
    const keyed = { ...body, idempotency_key: context.id('probe') }
    // Whoever makes a session has to be able to close it.
    if (tools.left() < 2) throw new Blocked('budget', 'no request was left for another session')
    let answer = await context.attempt(keyed, { retry: 'never' })
    if (answer.code === fullCode && patience > 0 && tools.left() >= 2) {
      patience -= 1
      await context.wait(patience_ms, 'quota')
      answer = await context.attempt(keyed, { retry: 'never' })
    }
    if (!answer.ok) return answer
    const session = context.adopt(answer)
    control ??= await seeControl(context, session)
    await context.close(session, { retry: 'never' })
    return answer
  }
  return { create, control: () => control, told: (answer: Exchange) => toldBy(answer, tools) }
}

type Asker = ReturnType<typeof sessionAsker>

/** One session: four requests at most, since a create of text alone follows where those with video are refused. */
export async function seeOneSession(context: AnyContext, tools: AskTools): Promise<OneSessionSeen> {
  const asker = sessionAsker(context, tools)
  if (!offers(context.profile, 'video')) {
    const text = await asker.create(plainCreate)
    return { control: asker.control(), refused: text.ok ? undefined : asker.told(text) }
  }
  const body = videoAvatar(context.profile)
  const first = await asker.create(body)
  const large = isRefusal(first) && isSmall(body) ? await asker.create({ ...body, output: largeOutput }) : undefined
  const video = large?.ok === true ? onlyLarge(large, asker) : videoOf(first, context, asker)
  const shown = large?.ok === true ? large : first
  const last = isRefusal(shown) ? await asker.create(plainCreate) : shown
  return { video, control: asker.control(), refused: last.ok ? undefined : asker.told(last) }
}

/** Seven requests at most: one create shows all, and only where it is refused each ability is asked for by itself. */
export async function seeSessions(context: AnyContext, tools: AskTools): Promise<SessionsSeen> {
  const asker = sessionAsker(context, tools)
  const video = videoAvatar(context.profile)
  const all = await asker.create({ ...video, ...lite, ...overB })
  if (all.ok) {
    const why = 'a create with it was accepted'
    const abilities = { video: yes(why), resolution_480p: pictureOf(video, why) }
    return done({ ...abilities, lite_model: yes(why), rtc_b: transportOf(all) }, asker)
  }
  if (!isRefusal(all)) return nothingKnown(asker.told(all))
  const face = await asker.create(video)
  const large = isRefusal(face) && isSmall(video) ? await seeLarge(video, asker) : undefined
  const small = await asker.create(textChat(lite))
  const shown = { ...(large ?? videoOf(face, context, asker)), lite_model: seen(small, asker) }
  if (shown.video.offered !== true && !small.ok) {
    const plain = await asker.create(plainCreate)
    if (!plain.ok) return nothingKnown(asker.told(plain))
  }
  const noVideo = { offered: shown.video.offered, why: 'media transports belong to video sessions' }
  const rtc_b = large?.rtc_b ?? (face.ok ? await seeTransport(small, asker, video) : noVideo)
  return done({ ...shown, rtc_b }, asker)
}

async function seeTransport(small: Exchange, asker: Asker, video: JsonObject): Promise<Seen> {
  // Each by itself was accepted, and all three together were not.
  if (small.ok) return { offered: false, why: 'a create with it was refused that was accepted without it' }
  const answer = await asker.create({ ...video, ...overB })
  return answer.ok ? transportOf(answer) : seen(answer, asker)
}

function done(abilities: SessionsSeen['abilities'], asker: Asker): SessionsSeen {
  return { abilities, control: asker.control(), refused: undefined }
}

function nothingKnown(refused: string): SessionsSeen {
  const abilities = { video: notAsked, resolution_480p: notAsked, rtc_b: notAsked, lite_model: notAsked }
  return { abilities, control: undefined, refused }
}

const yes = (why: string): Seen => ({ offered: true, why })

/** The target refuses what is asked, not that it is asked just now. */
function isRefusal({ code, status }: Exchange): boolean {
  return code !== undefined && code !== 0 && status !== 429 && status < 500
}

function seen(answer: Exchange, asker: Asker): Seen {
  const why = `a create with it was ${asker.told(answer)}`
  return { offered: answer.ok ? true : isRefusal(answer) ? false : undefined, why }
}

/**
 * Where a create with the small picture is refused, the model may lack that alone (30004, section 7).
 *
 * @returns undefined where it is refused with the large one, too
 */
async function seeLarge(
  video: JsonObject,
  asker: Asker,
): Promise<(VideoSeen & Pick<SessionsSeen['abilities'], 'rtc_b'>) | undefined> {
  const body = { ...video, output: largeOutput }
  const both = await asker.create({ ...body, ...overB })
  const answer = isRefusal(both) ? await asker.create(body) : both
  if (!answer.ok) return undefined
  return { ...onlyLarge(answer, asker), rtc_b: both.ok ? transportOf(both) : seen(both, asker) }
}

function onlyLarge(answer: Exchange, asker: Asker): VideoSeen {
  const why = 'a create with it was refused that was accepted with 720p'
  return { video: seen(answer, asker), resolution_480p: { offered: false, why } }
}

/** What a create with the picture of the profile shows. */
function videoOf(face: Exchange, context: AnyContext, asker: Asker): VideoSeen {
  const picture = face.ok ? pictureOf(videoAvatar(context.profile), 'a create with it was accepted') : notAsked
  return { video: videoSeen(face, context, asker), resolution_480p: picture }
}

const isSmall = (video: JsonObject): boolean => at(video, '/output/resolution') === '480p'

const pictureOf = (video: JsonObject, why: string): Seen => (isSmall(video) ? yes(why) : notAsked)

/** Without an image of the profile nobody knows whether the mode or the placeholder was refused. */
function videoSeen(answer: Exchange, { profile }: AnyContext, asker: Asker): Seen {
  const found = seen(answer, asker)
  if (found.offered !== false || profile.media?.image_url !== undefined) return found
  return {
    offered: undefined,
    why: `${found.why}; give an image that it can fetch to know (media.image_url, --image-url)`,
  }
}

/** What was asked for may have been ignored. */
function transportOf({ data }: Exchange): Seen {
  const transport = at(data, '/delivery/media/transport')
  if (transport === 'rtc_b') return yes('a create with it was accepted')
  return { offered: false, why: 'a create with it was answered with another transport' }
}
