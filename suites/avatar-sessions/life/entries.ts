import { endedByItself } from '#judge/sessions/session-end'
import type { Call } from '#judge/calls'
import { readOnce } from '#judge/read-once'
import type { TraceIndex } from '#judge/trace-index'
import { workspaceOf } from '#spec/profile'
import { isObject, type Json } from '#trace/json'
import { type Life, livesOf, surelyOpen, wordsIn } from './lives.ts'

/**
 * The words that a list tells of open sessions. Its payload is not shown (4.1), so that it may tell of others, too, at
 * places of their own: those that ended a while ago, or the one that was made before. Where sessions stand that are open
 * is seen in all lists of the run; where none shows that, a word may stand anywhere.
 */
export function entriesIn(trace: TraceIndex, call: Call): ReadonlySet<string> {
  const open = placesOfOpen(trace)
  if (open.size === 0) return wordsIn(call)
  return new Set([...placesIn(call)].filter(([, places]) => !places.isDisjointFrom(open)).map(([word]) => word))
}

/**
 * Whether a list tells of a session of another workspace, of which nothing may stand there at all. A plain number may be a
 * count, unless it stands where open sessions do, or under the name of an id.
 */
export function tellsOf(trace: TraceIndex, call: Call, session: string): boolean {
  const places = placesIn(call).get(session)
  if (places === undefined || !/^\d+$/.test(session)) return places !== undefined
  return entriesIn(trace, call).has(session) || [...places].some((place) => place.endsWith('id'))
}

/** Places at which a session stood that was open, and nowhere else in that list. */
const placesOfOpen = readOnce((trace: TraceIndex): ReadonlySet<string> => {
  const { lives, started, lists } = livesOf(trace)
  const open = new Set<string>()
  for (const list of lists) {
    const isOpen = (life: Life | undefined): boolean =>
      life?.workspace === workspaceOf(list.key) &&
      life.created.line < list.line &&
      surelyOpen(life, list.answeredT, list.answeredLine) &&
      !endedByItself(trace, life.id)
    for (const [word, [place, ...others]] of placesIn(list)) {
      if (place === undefined || others.length > 0) continue
      if (isOpen(lives.get(word)) || isOpen(started.get(word))) open.add(place)
    }
  }
  return open
})

/** By text or name the places at which it stands, whatever their number in a list. */
const placesIn = readOnce(({ answer }: Call): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>()
  if (answer.kind === 'success') noteAll(answer.data, '', found)
  return found
})

function noteAll(value: Json | undefined, path: string, into: Map<string, Set<string>>): void {
  const note = (word: string) => into.set(word, (into.get(word) ?? new Set()).add(path))
  if (typeof value === 'string') note(value)
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) noteAll(item, `${path}/*`, into)
  else if (isObject(value)) {
    for (const [name, inside] of Object.entries(value)) {
      note(name)
      noteAll(inside, `${path}/${name}`, into)
    }
  }
}
