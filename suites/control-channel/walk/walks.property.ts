import { drawPlans } from '#arbitraries/plan'
import type { Context } from '#scenario/author/context'
import { pickKey } from '#scenario/author/pick-key'
import type { Scenario } from '#scenario/author/scenario'
import { takeWalk, type Walk } from '#scenario/author/walk'
import type { RequirementId } from '#spec/register'
import type { JsonObject } from '#trace/json'
import { guide, speech, textChat, videoAvatar } from '../bodies.ts'
import { stayAfter } from '../connection/leaving.ts'
import { insertIntoNothing } from '../items/place.ts'
import { lastingBeyond, story, timeSession } from '../responses/busy.ts'
import { quiet, respond } from '../responses/responses.ts'
import { type Row, rows } from '../rows.ts'
import type { Scene } from '../scene.ts'
import { channelScenario } from '../step.ts'
import type { Talk } from '../talk.ts'
import { placesInUpdates, takeTurns } from '../updates/updates.ts'
import { Additions } from './additions.ts'
import { Items } from './items.ts'
import { Scheduling } from './scheduling.ts'
import { shown } from './shown.ts'
import type { Abilities } from './stages.ts'
import type { Stand } from './stand.ts'
import { mayShow } from '../snapshot/video-later.ts'
import { SessionState, stateBody } from './state.ts'
import { tours } from './tours.ts'

/** What a walk does: operations that come first, and how many integers say what it does then. */
interface Length {
  readonly tour: readonly string[]
  readonly steps: number
  /** A long walk makes what the short one of its kind left. */
  readonly long: boolean
}

/** Whose session it has. */
interface Place {
  readonly key: 'same_workspace' | 'other_workspace'
}

/** Events are free: a walk takes the requests by which its session is made and closed. */
const budget = 0

function walkFor<State, Move>(c: Context, walk: Walk<State, Move>, { tour, steps }: Length, start: State) {
  const [plan = []] = drawPlans(c.random(2 ** 31), 1, steps)
  return takeWalk(c, walk, { tour, plan, budget }, start)
}

/** Steps after each part of the tour of responses: fewer where a longer walk went before it in the same session. */
const meetings = { alone: 8, behindItems: 5, behindAdditions: 2 } as const

/** Steps of responses in text behind a long walk. */
const meetingsBehind = 60

/** Characters of the speech that is timed. */
const timed = 240

const keyOf = (c: Context, { key }: Place) => ({ key: pickKey(c, key, 'same_workspace') })

type Drive<R extends Row = never> = (scene: Scene<R>, c: Context, length: Length & Place) => Promise<void>

const walkScheduling: Drive = async (scene, c, length) => {
  const acting = length.long && mayShow(c)
  const session = await c.create(acting ? videoAvatar(c) : quietly(c), keyOf(c, length))
  const talk = await scene.connect(session)
  await meet({ talk, connect: () => scene.connect(session) }, c, length, { ...offered(c), acting })
  await talk.leave()
}

/** What the service offers for responses to meet. */
const offered = (c: Context): Pick<Abilities, 'calls' | 'video'> => ({
  calls: c.offers('tool_calls') && c.profile.triggers?.tool_call_text !== undefined,
  video: mayShow(c),
})

const wordsOf = ({ profile }: Context): string => profile.triggers?.tool_call_text ?? ''

/** Responses of one session that meet, as far as the session allows; the events of other operations may stand before. */
async function meet(on: Pick<Stand, 'talk' | 'connect'>, c: Context, length: Length, abilities: Abilities) {
  const timing = await timeSession(on.talk, timed)
  const busy = { ...timing, length: Math.ceil(timing.length * 0.7) }
  const walk = new Scheduling({ ...on, busy, abilities, offered: offered(c), words: wordsOf(c), turn: takeTurns() })
  await walkFor(c, walk, length, { busy: 'idle', last: 'whole' })
  await walk.drain()
}

/** A session in text, whose avatars can be seen, too, where the service shows any. */
const quietly = (c: Context): JsonObject =>
  mayShow(c) ? { ...videoAvatar(c), session: { mode: 'text_chat', active_avatar_id: guide } } : textChat()

/** Another part of the tour of responses follows a short walk, so that its parts run side by side. */
async function meetBehind({ talk, connect }: Pick<Stand, 'talk' | 'connect'>, c: Context, length: Length) {
  if (talk.channel.state === 'open')
    await meet({ talk, connect }, c, length, { ...offered(c), video: length.long, acting: false })
  await talk.leave()
}

/** Voices take 4,096 characters at once, for one: more have to be parted. */
const beyondOneCall = 4_500

/** It is as long as a text that lasts some twice these milliseconds. */
const spokenFor = 8_000

/** A long text is spoken to its end, where the service speaks so fast: what is lost there, no shorter one shows. */
async function speakAtLength(talk: Talk): Promise<void> {
  const { length } = lastingBeyond(await timeSession(talk, timed), spokenFor)
  if (length < beyondOneCall) return
  await respond(talk, speech(story(talk, length)))
  await quiet(talk)
}

const walkItems: Drive<(typeof insertIntoNothing.rows)[number]> = async (scene, c, length) => {
  const session = await c.create(quietly(c), keyOf(c, length))
  const connect = () => scene.connect(session)
  const talk = await connect()
  if (length.long) {
    await insertIntoNothing(talk)
    await speakAtLength(talk)
  }
  const ground = { talk, connect, abilities: offered(c), words: wordsOf(c) }
  const walk = new Items(ground, c.random(2 ** 31))
  await walk.drain(await walkFor(c, walk, length, await walk.begin()))
  const part = { tour: tours.meetingsInText, steps: meetings.behindItems, long: false }
  const more = { tour: tours.meetingsOfOthers, steps: meetingsBehind, long: true }
  await meetBehind({ talk: walk.talk, connect }, c, length.long ? more : part)
}

const walkState: Drive<(typeof stayAfter.rows)[number]> = async (scene, c, length) => {
  const mode = length.long && mayShow(c) ? 'video_avatar' : 'text_chat'
  const walk = new SessionState(scene, await c.create(stateBody(c, mode), keyOf(c, length)))
  await walk.drain(await walkFor(c, walk, length, await walk.begin(mode)))
}

/** Speech texts that the session is created with. */
const given = ['first given text', 'second given text']

const walkAdditions: Drive = async (scene, c, length) => {
  const assets = { speech_text: given.map((asset_id) => ({ asset_id, text: `This is the ${asset_id}.` })) }
  const session = await c.create({ ...textChat(), assets }, keyOf(c, length))
  const connect = () => scene.connect(session)
  const walk = new Additions({ talk: await connect(), connect, first: guide, given }, c.random(2 ** 31))
  await walk.drain(await walkFor(c, walk, length, walk.begin()))
  if (length.long) return walk.talk.leave()
  const part = { tour: tours.moreMeetingsInText, steps: meetings.behindAdditions, long: false }
  await meetBehind({ talk: walk.talk, connect }, c, part)
}

interface Plan<R extends Row> extends Place {
  readonly id: string
  readonly drive: Drive<R>
  /** What it claims itself. */
  readonly claiming?: readonly { readonly rows: readonly R[] }[]
  readonly observes: readonly Row[]
  /** The same of other parts. */
  readonly observes_elsewhere?: readonly RequirementId[]
  readonly tour: readonly string[]
  readonly longTour?: readonly string[]
  /** Steps after the tour in a standard run, and in a long walk. */
  readonly steps: number
  readonly long: number
  /** Seconds that both take. */
  readonly waits: number
  readonly longWaits: number
}

/** A short walk for every run, and a long one for full runs: what the first left is made by the second. */
function both<const R extends Row = never>({
  id,
  drive,
  claiming = [],
  key,
  observes,
  observes_elsewhere = [],
  tour,
  longTour = [],
  steps,
  long,
  waits,
  longWaits,
}: Plan<R>): readonly Scenario[] {
  const price = { requests: { [key]: 2 }, sessions: { [key]: 1 } }
  const short = channelScenario({
    id: `control-channel.${id}-walk`,
    steps: claiming,
    observes,
    observes_elsewhere,
    price: { ...price, waits },
    drive: (scene, c) => drive(scene, c, { key, tour, steps, long: false }),
  })
  const far = channelScenario({
    id: `control-channel.${id}-walk-long`,
    tier: 'full',
    steps: claiming,
    observes,
    observes_elsewhere,
    price: { ...price, waits: longWaits },
    drive: (scene, c) => drive(scene, c, { key, tour: longTour, steps: long, long: true }),
  })
  return [short, far]
}

/** Responses, items, state and additions in any order, each in a session of its own. */
export const walks: readonly Scenario[] = [
  ...both({
    id: 'scheduling',
    drive: walkScheduling,
    key: 'same_workspace',
    observes: [...shown.scheduling, ...rows({ 'render-started': 'for-speech' })],
    tour: tours.meetings,
    longTour: tours.meetingsInVideo,
    steps: meetings.alone,
    long: 210,
    waits: 5,
    longWaits: 60,
  }),
  ...both({
    id: 'items',
    drive: walkItems,
    claiming: [insertIntoNothing],
    key: 'other_workspace',
    observes: [...shown.items, ...shown.scheduling, ...rows({ 'response-done': 'completed-text-whole' })],
    tour: tours.items,
    longTour: tours.itemsAtLast,
    steps: 30,
    long: 700,
    waits: 5,
    longWaits: 15,
  }),
  ...both({
    id: 'state',
    drive: walkState,
    claiming: [stayAfter],
    key: 'same_workspace',
    observes: shown.state,
    observes_elsewhere: placesInUpdates,
    tour: tours.state,
    longTour: tours.stateInVideo,
    steps: 25,
    long: 250,
    waits: 2,
    longWaits: 15,
  }),
  ...both({
    id: 'additions',
    drive: walkAdditions,
    key: 'other_workspace',
    observes: [...shown.additions, ...shown.scheduling],
    tour: tours.additions,
    longTour: tours.additionsOfKinds,
    steps: 20,
    long: 160,
    waits: 5,
    longWaits: 15,
  }),
]
