import { type Flaw, type Flaws, flawsIn, isFlawless, isOwnEnd } from '../../core/events/chain.ts'
import { type AskedResponse, BESIDE, BESIDE_MS, wentOnFor } from '../../core/events/asked-response.ts'
import { OTHER } from '../../core/tally.ts'
import type { InterruptMachine } from './interrupt-machine.ts'

/** What a round asked for; undefined for what could not be sent. */
export interface AskedRound {
  /** The first had spoken before the others were sent. */
  readonly interrupted: readonly (AskedResponse | undefined)[]
  readonly last: AskedResponse | undefined
  readonly pending: AskedResponse | undefined
  readonly second: AskedResponse | undefined
}

/** Whether a step of the service failed over it, and it did not begin. */
export const hasFailed = (asked: AskedResponse | undefined): boolean =>
  asked?.failed === true && asked.chain === undefined

/** What another order of what was sent at once brings as well. */
const ofOrder: readonly Flaw[] = ['cleared-ran', 'pending-early', 'two-at-once', 'interrupt-waited']

/**
 * Whether all that is wrong with what was sent at once may come of the order in which it was handled: none is promised. In
 * any order, one of what interrupts comes last, and to its end.
 */
export function isOfOrder({ interrupted, last, pending, second }: AskedRound, flaws: Flaws): boolean {
  if (flawsIn(flaws).some(([flaw]) => ofOrder.includes(flaw))) return true
  const isLost = last?.chain === undefined ? waited(last, 'undone') === 'undone' : stateOf(last) === 'unfinished'
  const ended = interrupted.slice(1).some((one) => one?.chain?.status === 'completed' || isOwnEnd(one?.chain?.status))
  if (isLost) return ended
  const wait = waited(pending, 'stuck')
  if (wait === 'unfinished' || wait === 'rejected' || (wait === 'stuck' && pending?.chain === undefined)) return true
  return fateOf(second) === 'lost'
}

/** @param atOnce the round, where it was sent at once: flaws are left out then that another order explains */
export function countFlaws({ tally }: InterruptMachine, found: Flaws, atOnce?: AskedRound): void {
  for (const [flaw, count] of flawsIn(found)) {
    const isExcused = atOnce !== undefined && ofOrder.includes(flaw) && !isInAnyOrder(flaw, atOnce)
    if (!isExcused) tally.count('flaws', flaw, count)
  }
}

const isInAnyOrder = (flaw: Flaw, asked: AskedRound): boolean =>
  flaw === 'two-at-once' ? areTwoSpoken(asked) : flaw === 'interrupt-waited' && isFirstLeftAlone(asked)

/** Whether two that interrupt were spoken beside each other to their ends: whichever was handled last, it cancels the other. */
function areTwoSpoken({ interrupted, last }: AskedRound): boolean {
  const spoken = [...interrupted, last].filter((one) => {
    const { status, deltas = 0 } = one?.chain ?? {}
    return one?.named === true && status === 'completed' && deltas >= BESIDE
  })
  return spoken.some((one, index) =>
    spoken.slice(index + 1).some((other) => {
      const began = Math.max(one?.firstDeltaAt ?? 0, other?.firstDeltaAt ?? 0)
      return Math.min(one?.lastDeltaAt ?? 0, other?.lastDeltaAt ?? 0) - began >= BESIDE_MS
    }),
  )
}

/** Whether the first was spoken to its end, and nothing began before, though all must have been heard: any of them interrupts it. */
function isFirstLeftAlone({ interrupted: [first, ...others], last }: AskedRound): boolean {
  if (first === undefined || wentOnFor(first) < BESIDE_MS) return false
  const endedAt = first.chain?.status === 'completed' ? (first.doneAt ?? 0) : Number.POSITIVE_INFINITY
  return [...others, last].every((one) => one?.createdAt === undefined || one.createdAt >= endedAt)
}

export function countRound({ tally }: InterruptMachine, { interrupted, last, pending, second }: AskedRound): void {
  interrupted.forEach((one, index) => {
    tally.count('interrupted', endOf(one))
    const by = index + 1 < interrupted.length ? interrupted[index + 1] : last
    if (one?.doneAt !== undefined && by !== undefined && one.chain?.status === 'cancelled')
      tally.time('interrupt_ms').record(one.doneAt - by.sentAt)
  })
  tally.count('last', waited(last, 'undone'))
  tally.count('pending', waited(pending, 'stuck'))
  tally.count('second_pending', fateOf(second))
  for (const one of [...interrupted, last]) {
    if (one?.createdAt !== undefined) tally.time('created_ms').record(one.createdAt - one.sentAt)
    if (one?.firstDeltaAt !== undefined) tally.time('first_delta_ms').record(one.firstDeltaAt - one.sentAt)
  }
  if (pending?.createdAt !== undefined && last?.doneAt !== undefined)
    tally.time('pending_start_ms').record(Math.max(0, pending.createdAt - last.doneAt))
}

/** What became of a second one that waits. */
function fateOf(second: AskedResponse | undefined): 'rejected' | 'lost' | 'ran' {
  if (second?.rejected === true || hasFailed(second)) return 'rejected'
  return second?.doneAt === undefined ? 'lost' : 'ran'
}

function endOf(asked: AskedResponse | undefined): string {
  if (asked?.chain === undefined) return 'unbegun'
  const { status } = asked.chain
  // One that goes on beside another is told as that, and is not waited for.
  if (status === undefined) return asked.beside?.told === true ? OTHER : 'undone'
  return typeof status === 'string' ? status : OTHER
}

function stateOf({ chain }: AskedResponse): 'whole' | 'broken' | 'unfinished' | 'failed' {
  if (chain?.status !== 'completed') return isOwnEnd(chain?.status) ? 'failed' : 'unfinished'
  return isFlawless(chain) ? 'whole' : 'broken'
}

/** @param without what it is where it has no end */
function waited<Without extends string>(
  asked: AskedResponse | undefined,
  without: Without,
): ReturnType<typeof stateOf> | Without | 'rejected' {
  if (asked?.rejected === true) return 'rejected'
  if (hasFailed(asked)) return 'failed'
  return asked?.doneAt === undefined ? without : stateOf(asked)
}

export const isCutShort = (asked: AskedResponse | undefined): boolean =>
  asked?.doneAt !== undefined && asked.chain?.status !== 'completed'

/** As few as a character or two at a time. */
const FINE = 2

/** Whether its text comes in pieces of so few characters. */
export function isFine(asked: AskedResponse | undefined): boolean {
  const [spoken, deltas] = [asked?.chain?.text().length ?? 0, asked?.chain?.deltas ?? 0]
  return spoken > 0 && spoken <= FINE * deltas
}
