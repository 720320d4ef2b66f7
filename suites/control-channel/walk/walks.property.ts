import { drawPlans } from '#arbitraries/plan'
import type { Context } from '#scenario/author/context'
import { pickKey } from '#scenario/author/pick-key'
import type { Scenario } from '#scenario/author/scenario'
import { takeWalk, type Walk } from '#scenario/author/walk'
import type { JsonObject } from '#trace/json'
import { guide, textChat, videoAvatar } from '../bodies.ts'
import { timeSession } from '../responses/busy.ts'
import type { Row } from '../rows.ts'
import type { Scene } from '../scene.ts'
import { channelScenario } from '../step.ts'
import { takeTurns } from '../updates/updates.ts'
import { Additions } from './additions.ts'
import { Items } from './items.ts'
import { Scheduling } from './scheduling.ts'
import { shown } from './shown.ts'
import { mayShow, SessionState, stateBody } from './state.ts'
import { tours } from './tours.ts'

/** What a walk does: operations that come first, and how many integers say what it does then. */
interface Length {
  readonly tour: readonly string[]
  readonly steps: number
}

/** Events are free: a walk takes the requests by which its session is made and closed. */
const budget = 0

function walkFor<State, Move>(c: Context, walk: Walk<State, Move>, { tour, steps }: Length, start: State) {
  const [plan = []] = drawPlans(c.random(2 ** 31), 1, steps)
  return takeWalk(c, walk, { tour, plan, budget }, start)
}

/** Characters of the speech that is timed. */
const timed = 240

const key = (c: Context) => ({ key: pickKey(c, 'other_workspace', 'same_workspace') })

type Drive = (scene: Scene, c: Context, length: Length) => Promise<void>

const walkScheduling: Drive = async (scene, c, length) => {
  const words = c.profile.triggers?.tool_call_text
  const abilities = { calls: c.offers('tool_calls') && words !== undefined, video: mayShow(c) }
  const session = await c.create(abilities.video ? inText(c) : textChat(), key(c))
  const connect = () => scene.connect(session)
  const talk = await connect()
  const timing = await timeSession(talk, timed)
  const busy = { ...timing, length: Math.ceil(timing.length * 0.7) }
  const walk = new Scheduling({ talk, connect, busy, abilities, words: words ?? '', turn: takeTurns() })
  await walkFor(c, walk, length, { busy: 'idle', last: 'whole' })
  await walk.drain()
  await talk.leave()
}

/** A session in text whose avatars can be seen, too. */
const inText = (c: Context): JsonObject => ({
  ...videoAvatar(c),
  session: { mode: 'text_chat', active_avatar_id: guide },
})

const walkItems: Drive = async (scene, c, length) => {
  const talk = await scene.connect(await c.create(textChat(), key(c)))
  const walk = new Items(talk, c.random(2 ** 31))
  await walk.drain(await walkFor(c, walk, length, await walk.begin()))
  await talk.leave()
}

const walkState: Drive = async (scene, c, length) => {
  const walk = new SessionState(scene, await c.create(stateBody(c), key(c)))
  await walk.drain(await walkFor(c, walk, length, await walk.begin()))
}

const walkAdditions: Drive = async (scene, c, length) => {
  const talk = await scene.connect(await c.create(textChat(), key(c)))
  const walk = new Additions(talk, guide, c.random(2 ** 31))
  await walk.drain(await walkFor(c, walk, length, walk.begin()))
  await talk.leave()
}

interface Plan {
  readonly id: string
  readonly drive: Drive
  readonly observes: readonly Row[]
  readonly tour: readonly string[]
  /** Steps after the tour in a standard run, and in a long walk without one. */
  readonly steps: number
  readonly long: number
  /** Seconds that both take. */
  readonly waits: number
  readonly longWaits: number
}

const price = { requests: { other_workspace: 2 }, sessions: { other_workspace: 1 } } as const

/** A short walk for every run, and a long one for full runs: what the first left is made by the second. */
function both({ id, drive, observes, tour, steps, long, waits, longWaits }: Plan): readonly Scenario[] {
  const short = channelScenario({
    id: `control-channel.${id}-walk`,
    steps: [],
    observes,
    price: { ...price, waits },
    drive: (scene, c) => drive(scene, c, { tour, steps }),
  })
  const far = channelScenario({
    id: `control-channel.${id}-walk-long`,
    tier: 'full',
    steps: [],
    observes,
    price: { ...price, waits: longWaits },
    drive: (scene, c) => drive(scene, c, { tour: [], steps: long }),
  })
  return [short, far]
}

/** Responses, items, state and additions in any order, each in a session of its own. */
export const walks: readonly Scenario[] = [
  ...both({
    id: 'scheduling',
    drive: walkScheduling,
    observes: shown.scheduling,
    tour: tours.scheduling,
    steps: 10,
    long: 160,
    waits: 5,
    longWaits: 60,
  }),
  ...both({
    id: 'items',
    drive: walkItems,
    observes: shown.items,
    tour: tours.items,
    steps: 30,
    long: 300,
    waits: 1,
    longWaits: 5,
  }),
  ...both({
    id: 'state',
    drive: walkState,
    observes: shown.state,
    tour: tours.state,
    steps: 25,
    long: 250,
    waits: 2,
    longWaits: 15,
  }),
  ...both({
    id: 'additions',
    drive: walkAdditions,
    observes: shown.additions,
    tour: tours.additions,
    steps: 20,
    long: 160,
    waits: 2,
    longWaits: 15,
  }),
]
