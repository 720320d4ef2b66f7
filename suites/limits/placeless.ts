import type { Exchange } from '#client/types'
import { world } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import { step } from '#scenario/author/step'
import type { Condition } from '#trace/claim'
import { accepted, all, answer, any, different, equals, value } from '#trace/conditions'
import { textAt } from '#trace/json'
import { savedChat, textChat } from './bodies.ts'
import { freesPlace, type FullFloor } from './fill.ts'
import { closeOne, full, look, tryCreate } from './floor.ts'
import { holdsNothing, isNoOtherLimit, pauseBefore } from './freed-place.ts'

/** "Does not start a session" (4.2): so a character takes no place. */
export const unneeded = 'characters.create.holds-no-quota'
/** "A per-workspace cap on concurrently open avatar sessions" (section 8): so a world session takes no place. */
const worlds = 'limits.concurrency.world-sessions-take-no-place'
/** Id of the optional requests about them. */
export const besideWorlds = 'worlds'

/** Pauses before creates that go into a place until one is accepted: the number of places is not shown, and may change for a while. */
const pauses = [0, 2_000, 9_000] as const

/** Numbers of these creates, and of one more when no world session is open any more. */
export interface Numbers {
  readonly tries: readonly number[]
  readonly last: number
}

export const numbersFor = (c: Context): Numbers => ({ tries: pauses.map(() => c.exchange()), last: c.exchange() })

export const anyAccepted = ({ tries }: Numbers): Condition => any(...tries.map((exchange) => accepted(exchange)))

/** How a place is filled that was freed. */
interface Filling {
  readonly numbers: Numbers
  /** Get says that the session is closed which had the place, and nobody else is in the workspace. */
  readonly isFree: boolean
  /** Without it something else has the place by right. */
  readonly given: readonly Condition[]
  /** A create was refused that may have taken the place. */
  readonly refused?: Condition
  /** What goes out when all is there that takes no place. */
  readonly before?: () => Promise<void>
  readonly send: (exchange: number) => Promise<Exchange>
}

/** Saves a character, which needs no place. @returns its id */
export const saveOne = step([unneeded], async (c, { key }: FullFloor, name: string): Promise<string | undefined> => {
  const body = savedChat(textChat(c.id('character')), c.id(name))
  const exchange = c.exchange()
  c.claim(unneeded, different(answer(exchange, '/code'), value(full)))
  const made = await c.call('create-character', { key, body, exchange })
  return textAt(made.data, '/character_id')
})

/** A world session, if one can be had: it may be refused for reasons of its own. */
async function openWorld(c: Context, { key }: FullFloor): Promise<Exchange | undefined> {
  if (!c.offers('world_sessions') || !c.takes(besideWorlds)) return undefined
  const opened = await c.call('create-world-session', { key, body: world({ idempotency_key: c.id('world') }) })
  return textAt(opened.data, '/session_id') === undefined ? undefined : opened
}

async function closeWorld(c: Context, { key }: FullFloor, opened: Exchange | undefined): Promise<void> {
  const session_id = textAt(opened?.data, '/session_id')
  if (session_id !== undefined) await c.call('close-world-session', { key, params: { session_id }, body: {} })
}

/**
 * A create that is told each time that there is no place: something has it that takes none. It is the world session where a
 * create is accepted as soon as that is closed.
 */
const claimPlace = step(
  [unneeded, holdsNothing, worlds],
  async (c, { numbers, given, refused }: Filling, opened: Exchange | undefined): Promise<void> => {
    const { tries, last } = numbers
    const created = tries.map((exchange) => equals(answer(exchange, '/code'), value(0)))
    // Capacity may lack for a while, and the balance be used up.
    const decided = [...given, any(...created, all(...tries.map(isNoOtherLimit)))]
    // What a refused create has made may well be over before the last of them.
    const [early, soon] = [created.slice(0, -1), tries.slice(0, -1)]
    const decidedSoon = [...given, any(...early, all(...soon.map(isNoOtherLimit)))]
    const isNoWorlds = opened === undefined ? [] : [any(...created, different(answer(last, '/code'), value(0)))]
    if (c.offers('characters')) c.claim(unneeded, any(...created), { given: [...decided, ...isNoWorlds] })
    if (refused !== undefined) c.claim(holdsNothing, any(...early), { given: [refused, ...decidedSoon, ...isNoWorlds] })
    if (opened !== undefined) c.claim(worlds, any(...created), { given: [...decided, any(...created)] })
  },
)

/** Nobody else can have the place that is free again when the world session is closed. */
const blameWorld = step([worlds], async (c, { numbers: { tries, last }, given }: Filling): Promise<void> => {
  const told = tries.map((exchange) => equals(answer(exchange, '/code'), value(full)))
  const created = tries.map((exchange) => equals(answer(exchange, '/code'), value(0)))
  c.claim(worlds, any(...created), { given: [...given, ...told, accepted(last)] })
})

/** Sends creates until one is accepted. */
async function trySending(c: Context, { numbers, send }: Filling): Promise<boolean> {
  for (const [place, exchange] of numbers.tries.entries()) {
    const pause = pauses[place] ?? 0
    if (pause > 0) await c.wait(Math.max(pause, c.timeouts.lag_ms), 'backoff')
    if ((await send(exchange)).ok) return true
  }
  return false
}

/** A create finds the place that was freed, though a character is saved and a world session open meanwhile. */
export const fillBeside = step(
  [saveOne, claimPlace, blameWorld],
  async (c, floor: FullFloor, filling: Filling): Promise<void> => {
    const { numbers, isFree, before, send } = filling
    const opened = await openWorld(c, floor)
    if (c.offers('characters')) await saveOne(c, floor, 'in-a-free-place')
    if (isFree) await claimPlace(c, filling, opened)
    await before?.()
    const isFilled = await trySending(c, filling)
    const isOurs = !isFilled && isFree && opened !== undefined && (await look(c, floor)) === 'alone'
    await closeWorld(c, floor, opened)
    if (isFilled || !isFree || opened === undefined) return
    await c.wait(pauseBefore(c, 3), 'backoff')
    if (isOurs) await blameWorld(c, filling)
    await send(numbers.last)
  },
)

/** The same where no character can be started. */
export const fillBesideWorld = step([fillBeside], async (c, floor: FullFloor): Promise<void> => {
  const [oldest] = floor.open
  if (oldest === undefined || !c.offers('world_sessions') || !c.takes(besideWorlds)) return
  const numbers = numbersFor(c)
  await closeOne(c, floor, oldest)
  const isFree = await freesPlace(c, floor, oldest)
  const send = (exchange: number) => tryCreate(c, floor, textChat(c.id('place')), exchange)
  await fillBeside(c, floor, { numbers, isFree, given: [], send })
})
