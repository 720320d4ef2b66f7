import { type Findings, lostFor, manyOf } from './findings.ts'
import { KeyProduct } from './key-list.ts'
import type { Tally } from './tally.ts'

const MINUTES = 60
/** Of a minute. */
const SLOTS = 30
const SLOT_MS = 60_000 / SLOTS

const numbers = (count: number): string[] => Array.from({ length: count }, (_, number) => `${number}`)

/** When connections were cut, within an hour: the minute, and which two seconds of it. */
export const cutMoments = (): KeyProduct => new KeyProduct([numbers(MINUTES), numbers(SLOTS)], [])

/** @param at milliseconds since 1970 */
function momentOf(at: number): string {
  const slot = Math.floor(at / SLOT_MS)
  return `${Math.floor(slot / SLOTS) % MINUTES} ${slot % SLOTS}`
}

/** What a server says that is going away or restarts (RFC 6455 and its registry): no answer to anything of ours. */
const moves: readonly (number | undefined)[] = [1_001, 1_012]

/** How a connection ended that we did not end. */
export interface Cut {
  readonly endedAt: number
  /** Of the close frame that came; undefined when none did. */
  readonly endedBy: number | undefined
}

/** Counts when a connection was cut. @returns `moved` where its server said that it is going away */
export function howCut(tally: Tally<'cuts' | 'moves'>, { endedAt, endedBy }: Cut): 'cut' | 'moved' {
  const isMoved = moves.includes(endedBy)
  tally.count(isMoved ? 'moves' : 'cuts', momentOf(endedAt))
  return isMoved ? 'moved' : 'cut'
}

/**
 * Of few connections that are cut nothing is said: networks do that, and services that restart node by node. What was cut at
 * one moment, while others came whole, was so by the network or a restart: it says nothing of how the service bears load, and
 * nor does what servers ended because they went away. Where many are cut again and again, it is the service's.
 *
 * @param ends how many ended in which way, `cut` and `moved` among them
 * @param of `whole`: the way of those that came to their end; `begun`: how many there were
 */
export function cutOff(
  tally: Tally<'cuts'>,
  ends: ReadonlyMap<string, number>,
  { whole, begun, what }: { readonly whole: string; readonly begun: number; readonly what: string },
): Pick<Findings, 'trouble' | 'invalid'> {
  const cuts = ends.get('cut') ?? 0
  const away = `${what} were cut off by servers that went away or restarted (1001, 1012)`
  const invalid = lostFor(ends.get('moved') ?? 0, begun, away)
  if ((ends.get(whole) ?? 0) === 0 || !isOneMoment([tally.counts('cuts')]))
    return { trouble: manyOf(cuts, begun, `${what} were cut off`), invalid }
  const how = `${what} were cut off within four seconds, as by the network or a restart`
  return { trouble: [], invalid: [...invalid, ...lostFor(cuts, begun, how)] }
}

/** So many connections that end at one moment were not cut for a reason of their own. */
const TOGETHER = 3

/** Whether several connections were cut, and all at one moment, as by a restart. */
export const wasRestarted = (tally: Tally<'cuts' | 'moves'>): boolean =>
  tally.total('cuts') + tally.total('moves') >= TOGETHER && isOneMoment([tally.counts('cuts'), tally.counts('moves')])

function isOneMoment(cuts: readonly ReadonlyMap<string, number>[]): boolean {
  const slots = cuts
    .flatMap((counts) => [...counts])
    .filter(([, count]) => count > 0)
    .map(([moment]) => slotOf(moment))
  const all = MINUTES * SLOTS
  const isFirst = (slot: number): boolean => slots.every((other) => (other - slot + all) % all <= 1)
  return slots.some(isFirst)
}

function slotOf(moment: string): number {
  const [minute = 0, slot = 0] = moment.split(' ').map(Number)
  return minute * SLOTS + slot
}
