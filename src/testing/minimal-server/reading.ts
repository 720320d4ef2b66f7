/** A value that breaks a rule of the interface; `param` is the path of the field. */
export class Fault extends Error {
  readonly param: string
  constructor(param: string, says: string) {
    super(`${param} ${says}`)
    this.param = param
  }
}

/** Returns the value unchanged when it obeys, otherwise throws a `Fault` that names the path `at`. */
export type Check<T> = (value: unknown, at: string) => T

type Checks = Record<string, Check<unknown>>
type Read<C> = C extends Check<infer T> ? T : never
/** What `shape` has proven: the fields it knows. Unknown fields stay in the value, unread. */
export type Shape<R extends Checks, O extends Checks> = { [K in keyof R]: Read<R[K]> } & { [K in keyof O]?: Read<O[K]> }

export const str: Check<string> = (value, at) => {
  if (typeof value !== 'string') throw new Fault(at, 'must be a string')
  return value
}

export const nonempty: Check<string> = (value, at) => {
  const given = str(value, at)
  if (given === '') throw new Fault(at, 'must not be empty')
  return given
}

export const bool: Check<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw new Fault(at, 'must be a boolean')
  return value
}

export function number(least: number, most: number): Check<number> {
  return (value, at) => {
    if (typeof value !== 'number') throw new Fault(at, 'must be a number')
    if (value < least || value > most) throw new Fault(at, `must lie between ${least} and ${most}`)
    return value
  }
}

export function integer(least: number, most: number): Check<number> {
  const within = number(least, most)
  return (value, at) => {
    if (!Number.isInteger(value)) throw new Fault(at, 'must be an integer')
    return within(value, at)
  }
}

export function oneOf<const T extends string>(...allowed: readonly T[]): Check<T> {
  return (value, at) => {
    const found = allowed.find((each) => each === value)
    if (found === undefined) throw new Fault(at, `must be one of ${allowed.join(', ')}`)
    return found
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const object: Check<Record<string, unknown>> = (value, at) => {
  if (!isObject(value)) throw new Fault(at, 'must be an object')
  return value
}

export function list<T>(each: Check<T>, least = 0): Check<T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new Fault(at, 'must be an array')
    if (value.length < least) throw new Fault(at, 'must not be empty')
    return value.map((item, index) => each(item, `${at}[${index}]`))
  }
}

function checkFields(given: Record<string, unknown>, at: string, required: Checks, optional: Checks): void {
  for (const [name, check] of Object.entries(required)) {
    if (!Object.hasOwn(given, name)) throw new Fault(`${at}.${name}`, 'is required')
    check(given[name], `${at}.${name}`)
  }
  for (const [name, check] of Object.entries(optional)) {
    if (Object.hasOwn(given, name)) check(given[name], `${at}.${name}`)
  }
}

export function shape<R extends Checks, O extends Checks>(required: R, optional: O): Check<Shape<R, O>> {
  function prove(value: unknown, at: string): asserts value is Shape<R, O> {
    checkFields(object(value, at), at, required, optional)
  }
  return (value, at) => {
    prove(value, at)
    return value
  }
}

/** What `variant` has proven: one of the shapes, told apart by `type`. */
export type Variant<V extends Checks> = { [K in keyof V]: { type: K } & Read<V[K]> }[keyof V]

/** An object whose `type` names the check that it must pass. */
export function variant<V extends Checks>(variants: V): Check<Variant<V>> {
  const known = oneOf(...Object.keys(variants))
  function prove(value: unknown, at: string): asserts value is Variant<V> {
    const { type } = shape({ type: known }, {})(value, at)
    variants[type]?.(value, at)
  }
  return (value, at) => {
    prove(value, at)
    return value
  }
}

export const https: Check<string> = (value, at) => {
  const given = str(value, at)
  if (!URL.canParse(given) || new URL(given).protocol !== 'https:') throw new Fault(at, 'must be an HTTPS URL')
  return given
}

/** Throws when two of `ids` are equal. */
export function distinct(ids: readonly string[], at: string): void {
  if (new Set(ids).size < ids.length) throw new Fault(at, 'must be unique')
}
