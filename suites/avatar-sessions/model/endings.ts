import { lagOf } from '#judge/timing/lag'
import { leastMoments, type Span } from '#judge/timing/moments'
import { channelsOf } from '#judge/operations'
import type { TraceIndex } from '#judge/trace-index'
import { idsMade } from './blame.ts'
import { type Deed, deedsOf } from './trace.ts'

/** A session that was open when it was last seen, and over when it was seen next, though nobody had asked for its end. */
export interface Ending extends Span {
  readonly id: string
}

/** "Minimum 4" (4.1): nothing limits the life of a session to less, in milliseconds. */
const shortestLife_ms = 4_000
/** The shortest of the timers (section 8): what goes over all sessions does not come more often, in milliseconds. */
const betweenSweeps_ms = 10_000
/** What a busy machine may be late with an end, in milliseconds. */
const late_ms = 2_000

/**
 * Whether a habit of the service explains all of these ends ("for account limits, idle timeout, failures or maintenance",
 * 3.1): at one moment all ended that there were, or each ends at the same age, or now and then all end to which nobody is
 * connected. A habit spares none: a session that went on all the same tells that there is no such habit.
 */
export function isHabit(trace: TraceIndex, endings: readonly Ending[]): boolean {
  if (leastMoments(endings) < 2) return true
  const lives = livesIn(trace)
  return areOfOneAge(lives, endings, lagOf(trace) + late_ms) || areSwept(trace, lives, endings)
}

interface Life {
  /** Between which moments it was made. */
  readonly made: Span
  /** When it was seen to be open, by Get or on a connection: a list may show what has ended. */
  readonly seen: number[]
}

/** All avatar sessions of the run, whichever scenario made them. */
function livesIn(trace: TraceIndex): ReadonlyMap<string, Life> {
  const found = new Map<string, Life>()
  const records = [...trace.exchanges.values(), ...trace.channels.values()]
  const scenarios = new Set(records.flatMap(({ scenario }) => scenario ?? []))
  for (const deed of deedsOf(trace, [...scenarios])) {
    const { outcome, since = deed.t, t } = deed
    for (const id of idsMade(outcome)) if (!found.has(id)) found.set(id, { made: { from: since, until: t }, seen: [] })
    const open = seenOpen(deed)
    if (open !== undefined) found.get(open)?.seen.push(since)
  }
  return found
}

function seenOpen({ stimulus, outcome }: Deed): string | undefined {
  const isOpen = outcome.is === 'admitted' || (outcome.is === 'shown' && outcome.status === 'active')
  return isOpen && 'id' in stimulus ? stimulus.id : undefined
}

function areOfOneAge(lives: ReadonlyMap<string, Life>, endings: readonly Ending[], slack: number): boolean {
  const ages = endings.map(({ id, from, until }) => {
    const made = lives.get(id)?.made ?? { from, until }
    return { from: from - made.until, until: until - made.from }
  })
  const least = Math.max(shortestLife_ms, ...ages.map(({ from }) => from))
  const most = Math.min(...ages.map(({ until }) => until))
  return least <= most && ![...lives.values()].some(({ made, seen }) => seen.some((t) => t - made.until > most + slack))
}

function areSwept(trace: TraceIndex, lives: ReadonlyMap<string, Life>, endings: readonly Ending[]): boolean {
  const sweeps: Span[] = []
  for (const { from, until } of endings.toSorted((one, other) => one.until - other.until)) {
    const last = sweeps.at(-1)
    if (last !== undefined && from <= last.until) sweeps.splice(-1, 1, { ...last, from: Math.max(last.from, from) })
    else sweeps.push({ from, until })
  }
  const apart = sweeps.every(({ until }, place) => until - (sweeps[place - 1]?.until ?? -Infinity) >= betweenSweeps_ms)
  return apart && ![...lives].some(([id, life]) => sweeps.some((sweep) => isSpared(trace, id, life, sweep)))
}

/** Nobody was connected to the session all that time, and it was seen to be open before and after. */
function isSpared(trace: TraceIndex, id: string, { made, seen }: Life, { from, until }: Span): boolean {
  if (made.until > from || !seen.some((t) => t > until)) return false
  return channelsOf(trace, id).every(
    ({ open, closed }) => open.entry.t > until || (closed?.entry.t ?? Number.POSITIVE_INFINITY) < from,
  )
}
