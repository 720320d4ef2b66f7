import type { Call } from '#judge/calls'
import { lagOf } from '#judge/timing/lag'
import type { Span } from '#judge/timing/moments'
import { isLetIn } from '#judge/conditions/admission'
import { channelsOf } from '#judge/operations'
import type { FrameRecord, TraceIndex } from '#judge/trace-index'
import type { Json } from '#trace/json'
import { type Life, livesOf, statusIn } from '../life/lives.ts'

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
 * 3.1): each session ends at the same age, or now and then a sweep ends all that are open, save those to which somebody is
 * connected. A habit spares none: a session of the same workspace that went on all the same tells that there is no such
 * habit. Nor is there one where each end may have come of our closing another session.
 */
export function isHabit(trace: TraceIndex, endings: readonly Ending[]): boolean {
  const lives = witnessesOf(trace, endings)
  const lag = lagOf(trace)
  if (mayComeOfCloses(lives, endings, lag)) return false
  return areOfOneAge(lives, endings, lag + late_ms) || areSwept(lives, endings, lag)
}

/** A session that tells of the habits of its service. */
interface Witness {
  readonly id: string
  /** Missing where it was started from none. */
  readonly character: Json | undefined
  /** Between which moments it was made. */
  readonly made: Span
  /** When it was seen to be open, by Get or on a connection: a list may show what has ended. */
  readonly seen: readonly number[]
  /** When somebody may have been connected to it. */
  readonly connected: readonly Span[]
  /** Between which moments our first close that was accepted came. */
  readonly closed: Span | undefined
}

type Witnesses = ReadonlyMap<string, Witness>

/** All sessions of the run in the workspace of these, whichever scenario made them: limits are those of an account. */
function witnessesOf(trace: TraceIndex, endings: readonly Ending[]): Witnesses {
  const { lives, started } = livesOf(trace)
  const all = new Map([...lives, ...started])
  const workspaces = new Set(endings.map(({ id }) => all.get(id)?.workspace))
  const ours = [...all.values()].filter(({ workspace }) => workspaces.has(workspace))
  return new Map(ours.map((life) => [life.id, witnessOf(trace, life)]))
}

function witnessOf(trace: TraceIndex, { id, asked, created, gets, closes }: Life): Witness {
  const channels = channelsOf(trace, id)
  const heard = channels
    .filter((channel) => isLetIn(trace, channel))
    .map(({ open, frames }) => frames.findLast(isReceived)?.t ?? open.entry.t)
  const connected = channels.map(({ open, closed }) => ({
    from: open.entry.t,
    until: closed?.entry.t ?? Number.POSITIVE_INFINITY,
  }))
  const seen = [...gets.filter(({ answer }) => statusIn(answer, id) === 'active').map(({ t }) => t), ...heard]
  const closed = closes.find(({ answer }) => answer.kind === 'success')
  return {
    id,
    character: asked['character_id'],
    made: spanOf(created),
    seen,
    connected,
    closed: closed && spanOf(closed),
  }
}

const isReceived = ({ direction }: FrameRecord): boolean => direction === 'received'

const spanOf = ({ t, answeredT }: Call): Span => ({ from: t, until: answeredT })

/**
 * Whether a service whose Close takes other sessions along brings about each of these ends: another session was closed while
 * each came, and no close is known to have spared any, be it in the workspace or among sessions of one character.
 */
function mayComeOfCloses(lives: Witnesses, endings: readonly Ending[], lag: number): boolean {
  const all = [...lives.values()]
  const isSparing = (alike: boolean) =>
    all.some((closed) => all.some((one) => areAlike(one, closed) === alike && goesOnAfter(one, closed.closed, lag)))
  const spares = { alike: isSparing(true), unlike: isSparing(false) }
  return endings.every((ending) => {
    const ended = lives.get(ending.id)
    return all.some(
      (one) => one !== ended && isWithin(one.closed, ending) && !(areAlike(one, ended) ? spares.alike : spares.unlike),
    )
  })
}

const areAlike = (one: Witness, other: Witness | undefined): boolean =>
  one.character !== undefined && one.character === other?.character

function goesOnAfter({ made, seen }: Witness, close: Span | undefined, lag: number): boolean {
  return close !== undefined && made.until < close.from && seen.some((t) => t > close.until + lag)
}

function isWithin(close: Span | undefined, { from, until }: Span): boolean {
  return close !== undefined && close.from <= until && close.until >= from
}

function areOfOneAge(lives: Witnesses, endings: readonly Ending[], slack: number): boolean {
  const ages = endings.map(({ id, from, until }) => {
    const { made } = lives.get(id) ?? { made: { from: Number.NEGATIVE_INFINITY, until: from } }
    return { from: from - made.until, until: until - made.from }
  })
  const least = Math.max(shortestLife_ms, ...ages.map(({ from }) => from))
  const most = Math.min(...ages.map(({ until }) => until))
  return least <= most && ![...lives.values()].some(({ made, seen }) => seen.some((t) => t - made.until > most + slack))
}

/**
 * Whether there are moments, far enough from each other, such that one of them lies in each of these spans, and none of them
 * was survived by a session. Each comes as early as it can: with the beginning of a span, or as soon after the one before as may be.
 */
function areSwept(lives: Witnesses, endings: readonly Ending[], lag: number): boolean {
  const sweeps = new Set([Number.NEGATIVE_INFINITY])
  // What is added meanwhile is gone over as well.
  for (const last of sweeps) {
    const left = endings.filter(({ from }) => from > last)
    if (left.length === 0) return true
    const until = Math.min(...left.map((one) => one.until))
    for (const { from } of left) {
      const next = Math.max(from, last + betweenSweeps_ms)
      if (next <= until && ![...lives.values()].some((one) => isSpared(one, { from: next, until }, lag)))
        sweeps.add(next)
    }
  }
  return false
}

/** Nobody was connected to the session all that time, and it was seen to be open before and after. */
function isSpared({ made, seen, connected }: Witness, { from, until }: Span, lag: number): boolean {
  if (made.until > from || !seen.some((t) => t > until + lag)) return false
  return connected.every((one) => one.from > until || one.until < from)
}
