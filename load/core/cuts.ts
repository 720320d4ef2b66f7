import { type Findings, lostFor, some } from './findings.ts'
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
export function momentOf(at: number): string {
  const slot = Math.floor(at / SLOT_MS)
  return `${Math.floor(slot / SLOTS) % MINUTES} ${slot % SLOTS}`
}

/**
 * What was cut at one moment, while others came whole, was so by the network or a restart: it says nothing of how the
 * service bears load. Where connections are cut again and again, it is the service's.
 *
 * @param ends how many ended in which way, `cut` among them
 * @param of `whole`: the way of those that came to their end; `begun`: how many there were
 */
export function cutOff(
  tally: Tally<'cuts'>,
  ends: ReadonlyMap<string, number>,
  { whole, begun, what }: { readonly whole: string; readonly begun: number; readonly what: string },
): Pick<Findings, 'trouble' | 'invalid'> {
  const cuts = ends.get('cut') ?? 0
  if ((ends.get(whole) ?? 0) === 0 || !isOneMoment(tally.counts('cuts')))
    return { trouble: some(cuts, `${what} were cut off`), invalid: [] }
  const how = `${what} were cut off within four seconds, as by the network or a restart`
  return { trouble: [], invalid: lostFor(cuts, begun, how) }
}

/** So many connections that end at one moment were not cut for a reason of their own. */
const TOGETHER = 3

/** Whether several connections were cut, and all at one moment, as by a restart. */
export const wasRestarted = (tally: Tally<'cuts'>): boolean =>
  tally.total('cuts') >= TOGETHER && isOneMoment(tally.counts('cuts'))

function isOneMoment(cuts: ReadonlyMap<string, number>): boolean {
  const slots = [...cuts].filter(([, count]) => count > 0).map(([moment]) => slotOf(moment))
  const all = MINUTES * SLOTS
  const isFirst = (slot: number): boolean => slots.every((other) => (other - slot + all) % all <= 1)
  return slots.some(isFirst)
}

function slotOf(moment: string): number {
  const [minute = 0, slot = 0] = moment.split(' ').map(Number)
  return minute * SLOTS + slot
}
