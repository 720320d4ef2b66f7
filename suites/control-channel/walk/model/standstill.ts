import { isAside, type Request, type State, step } from './scheduler.ts'
import type { Seen } from './sights.ts'

/** So few may be left without an answer where the truths begin anew: each of them may be there still or not. */
const mostOpen = 5

/** Where nothing is under way that anybody will hear of, and what may be true there. */
export interface Standstill {
  /** The first sight behind it. */
  readonly place: number
  readonly states: readonly State[]
}

/** A request that nothing in the story answers. */
interface Open {
  readonly request: Request
  /** Where it was surely handled. */
  handled?: number
}

/**
 * The first moment behind a place at which all that is ever answered was answered, up to its end: whatever was possible
 * before, no more than this is left of it.
 */
export function standstillBehind(seen: readonly Seen[], place: number): Standstill | undefined {
  const ends = endsOf(seen)
  const begins = new Map<number, number>()
  const open = new Map<number, Open>()
  let busy = -1
  for (const [at, { sight }] of seen.entries()) {
    if (at > place && busy < at && open.size <= mostOpen) return { place: at, states: subsetsOf([...open.values()]) }
    if (sight.saw === 'sent') {
      const { request } = sight
      begins.set(request.id, at)
      const end = ends.get(request.id)
      if (end === undefined) open.set(request.id, { request })
      else busy = Math.max(busy, end)
    }
    if (sight.saw === 'handled') handle(open, sight.id, at)
    if (sight.saw === 'created') pass(open, begins.get(sight.id) ?? 0)
  }
  return undefined
}

/** What was to end the active response has done so when it is handled. */
function handle(open: Map<number, Open>, id: number, at: number): void {
  const one = open.get(id)
  if (one === undefined) return
  if (isAside(one.request)) open.delete(id)
  else one.handled = at
}

/** Where something that was sent later begins, what was handled before is neither active nor waits, and stands in no way. */
function pass(open: Map<number, Open>, sent: number): void {
  for (const [id, { handled = Number.POSITIVE_INFINITY }] of open) if (handled < sent) open.delete(id)
}

/** By request that is answered: the place of the last answer; that of one which begins and never ends lies behind all. */
function endsOf(seen: readonly Seen[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  for (const [at, { sight }] of seen.entries()) {
    if (sight.saw === 'created') ends.set(sight.id, Number.POSITIVE_INFINITY)
    if (sight.saw === 'done' || sight.saw === 'error') ends.set(sight.id, at)
  }
  return ends
}

/** Whatever may have become of one that has no answer may still become of it where it is taken for not handled yet. */
function subsetsOf(open: readonly Open[]): readonly State[] {
  let states: readonly State[] = [[]]
  for (const { request } of open) states = [...states, ...step(states, { saw: 'sent', request })]
  return states
}
