import { isObject, type Json } from '#trace/json'
import { readOnce } from '../read-once.ts'

/** A query asks for something else than the list of 4.1, in words that are not shown: closed ones, a part, a page. */
export const isAskedInPart = ({ path }: { readonly path: string }): boolean => path.includes('?')

/**
 * Where List Sessions shows ids. The form of its payload is not shown (4.1), so it is learned from ids that are known: each
 * place is a path whose list indexes, and member names that are ids, are `*`. A last step `keys` means that the names of the
 * members are the ids.
 */
export type ListForm = ReadonlyMap<string, readonly Step[]>

type Step = { readonly member: string } | '*' | 'keys'

/** An id shorter than this may be met by chance, as a count or a page. */
const shortest = 4

/** Learns the form from a payload in which some of the known ids stand. Empty when none does. */
export function listForm(data: Json | undefined, ids: ReadonlySet<string>): ListForm {
  const known = longEnough(ids)
  const places = new Map<string, readonly Step[]>()
  const learn = (...place: readonly Step[]): void => void places.set(JSON.stringify(place), place)
  const path: Step[] = []
  const walk = (value: Json | undefined): void => {
    if (isId(value)) {
      if (known.has(String(value))) learn(...path)
      return
    }
    if (isObject(value) && Object.keys(value).some((name) => known.has(name))) learn(...path, 'keys')
    for (const [step, inside] of steps(value, known)) {
      path.push(step)
      walk(inside)
      path.pop()
    }
  }
  walk(data)
  return places
}

const longEnough = readOnce((ids: ReadonlySet<string>) => new Set([...ids].filter((id) => id.length >= shortest)))

/** All ids that a payload shows in the places of the form. */
export function listedIds(data: Json | undefined, form: ListForm): ReadonlySet<string> {
  return new Set([...form.values()].flatMap((place) => idsAt(data, place)))
}

function idsAt(value: Json | undefined, [step, ...rest]: readonly Step[]): readonly string[] {
  if (step === undefined) return isId(value) ? [String(value)] : []
  if (step === 'keys') return isObject(value) ? Object.keys(value) : []
  if (step !== '*') return isObject(value) && Object.hasOwn(value, step.member) ? idsAt(value[step.member], rest) : []
  const inside = Array.isArray(value) ? (value as readonly Json[]) : isObject(value) ? Object.values(value) : []
  return inside.flatMap((one) => idsAt(one, rest))
}

function isId(value: Json | undefined): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

function steps(value: Json | undefined, known: ReadonlySet<string>): readonly (readonly [Step, Json])[] {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => ['*', item] as const)
  if (!isObject(value)) return []
  return Object.entries(value).map(([name, inside]) => [known.has(name) ? '*' : { member: name }, inside] as const)
}
