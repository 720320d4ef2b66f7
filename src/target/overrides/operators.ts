import type { Behaviour, Override } from '#target/behaviour/behaviour'
import type { InputValidation } from '#target/behaviour/validations/input-validation'
import { isWire, type JsonObject } from '#target/wire'

/** What stands under a path of names with dots between them, such as `limits.idleMinimum`. */
type At<Whole, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Whole
    ? At<Whole[Name], Rest>
    : never
  : Path extends keyof Whole
    ? Whole[Path]
    : never

/** What the behaviour of a target has under a path. */
export type Part<Path extends string> = At<Behaviour, Path>

/** The name of a validation of the table under a path. */
export type ValidationName<Path extends string> = keyof Part<Path> & string

/** What the validations of the table under a path look at. */
export type InputOf<Path extends string> =
  Part<Path> extends Readonly<Record<string, { broken: (input: infer Input) => boolean }>> ? Input : never

/** Drops validations of a table: what they refuse is let through. */
export const drop =
  <Path extends string>(table: Path, ...validations: ValidationName<Path>[]): Override =>
  (behaviour) => {
    for (const name of validations) validationOf(behaviour, table, name).broken = () => false
  }

/** Lets through, of what one or several validations of a table refuse, that for which `when` is true. */
export const except =
  <Path extends string>(
    table: Path,
    validations: ValidationName<Path> | readonly ValidationName<Path>[],
    when: (input: InputOf<Path>) => boolean,
  ): Override =>
  (behaviour) => {
    for (const name of [validations].flat()) {
      const validation = validationOf(behaviour, table, name)
      const { broken } = validation
      validation.broken = (input) => broken(input) && !when(input)
    }
  }

/** Adds a validation to a table, after the others: what it finds broken is refused. */
export const add =
  <Path extends string>(table: Path, name: string, validation: InputValidation<InputOf<Path>>): Override =>
  (behaviour) =>
    void (objectAt(behaviour, table)[name] = validation)

/** Sets a value, or puts another function in the place of one. */
export const set =
  <Path extends string>(path: Path, value: Part<Path>): Override =>
  (behaviour) =>
    change(behaviour, path, () => (Array.isArray(value) ? [...value] : value))

/** Wraps a function, or makes a new value of the old one. What `make` keeps of its own belongs to one target. */
export const around =
  <Path extends string>(path: Path, make: (old: Part<Path>) => Part<Path>): Override =>
  (behaviour) =>
    change(behaviour, path, (old) => make(old as Part<Path>))

/** Adds a member to the end of a list. */
export const append =
  <Path extends string>(path: Path, member: Part<Path> extends readonly (infer Member)[] ? Member : never): Override =>
  (behaviour) =>
    change(behaviour, path, (list) => {
      if (Array.isArray(list)) list.push(member)
      return list
    })

/** Several changes, one after the other. */
export const several =
  (...overrides: readonly Override[]): Override =>
  (behaviour) => {
    for (const override of overrides) override(behaviour)
  }

/** Changes that remember something between them, for each target anew. */
export const remembering =
  (make: () => Override | readonly Override[]): Override =>
  (behaviour) =>
    several(...[make()].flat())(behaviour)

function change(behaviour: Behaviour, path: string, make: (old: unknown) => unknown): void {
  const at = path.lastIndexOf('.')
  const holder = at < 0 ? behaviour : objectAt(behaviour, path.slice(0, at))
  Object.assign(holder, { [path.slice(at + 1)]: make((holder as JsonObject)[path.slice(at + 1)]) })
}

function objectAt(behaviour: Behaviour, path: string): JsonObject {
  const found = path.split('.').reduce<unknown>((held, name) => (isWire(held) ? held[name] : undefined), behaviour)
  if (!isWire(found)) throw new Error(`the behaviour of a target has no ${path}`)
  return found
}

/** The validation of a table under a path. */
export function validationOf<Path extends string>(
  behaviour: Behaviour,
  table: Path,
  name: string,
): InputValidation<InputOf<Path>> {
  const validation = objectAt(behaviour, table)[name]
  if (!isValidation<InputOf<Path>>(validation)) throw new Error(`no validation of ${table} is called ${name}`)
  return validation
}

const isValidation = <Input>(value: unknown): value is InputValidation<Input> =>
  isWire(value) && typeof value['broken'] === 'function'
