import type { Behaviour } from './behaviour/behaviour.ts'
import type { FrameFault } from './behaviour/frames.ts'
import type { InputValidation } from './behaviour/validations/input-validation.ts'

/** One reason to refuse a request or an event, whatever it looks at. */
export type Validation = InputValidation<never> | FrameFault

/** Each table of them by its name, as the server asks it: from the first to the last. */
export function validationTables({
  validations,
  world,
  frames,
}: Behaviour): ReadonlyMap<string, Record<string, Validation>> {
  const tables = new Map<string, Record<string, Validation>>()
  collect('', { ...validations, world: world.validations, frames }, tables)
  return tables
}

type Nest = { readonly [name: string]: Nest | Validation }

function collect(place: string, nest: Nest, tables: Map<string, Record<string, Validation>>): void {
  for (const [name, inside] of Object.entries(nest)) {
    if (isValidation(inside)) tables.set(place, { ...tables.get(place), [name]: inside })
    else collect(place === '' ? name : `${place}/${name}`, inside, tables)
  }
}

function isValidation(inside: Nest | Validation): inside is Validation {
  return typeof inside['broken'] === 'function'
}

/** All of them, by table and name. */
export function validationsOf(behaviour: Behaviour): ReadonlyMap<string, Validation> {
  const tables = [...validationTables(behaviour)]
  return new Map(
    tables.flatMap(([table, inside]) => Object.entries(inside).map(([id, one]) => [`${table}/${id}`, one] as const)),
  )
}

/**
 * Switches one off: its fault passes.
 * @throws when there is no such one
 */
export function switchOff(behaviour: Behaviour, id: string): void {
  const found = validationsOf(behaviour).get(id)
  if (found === undefined) throw new Error(`unknown validation: ${id}`)
  found.broken = () => false
}

/** Told of every fault that was found: all that it breaks in its table. @returns what the refusal is to be marked with */
export type Note = (broken: readonly string[]) => string

/** Has every refusal noted; its message bears the mark of the note. */
export function noteRefusals(behaviour: Behaviour, note: Note): void {
  for (const [table, validations] of validationTables(behaviour)) {
    const all = Object.entries(validations).map(([id, { broken }]) => [`${table}/${id}`, broken] as const)
    for (const one of Object.values(validations)) {
      const { broken } = one
      const text = 'message' in one ? one.message : one.param
      one.broken = (input: never) => {
        if (!broken(input)) return false
        const marked = `${text} ${note(all.filter(([, its]) => its(input)).map(([id]) => id))}`
        if ('message' in one) one.message = marked
        else one.param = marked
        return true
      }
    }
  }
}
