import { type JsonObject, isWire } from '#target/wire'

export const firstAgain = (list: unknown): unknown => (Array.isArray(list) ? [...list, ...list.slice(0, 1)] : list)

export const allButLast = (list: unknown): unknown => (Array.isArray(list) ? list.slice(0, -1) : list)

/** Changes a copy of an object. */
export type Change = (object: JsonObject) => JsonObject

export function walk(value: unknown, keys: readonly string[], make: (value: unknown) => unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return make(value)
  if (key === '*') return Array.isArray(value) ? value.map((member) => walk(member, rest, make)) : value
  if (!isWire(value)) return value
  // A path that leads nowhere changes nothing, save at its end, where a field may be added.
  if (rest.length > 0 && !(key in value)) return value
  const made = walk(value[key], rest, make)
  const { [key]: _old, ...others } = value
  return made === undefined ? others : { ...value, [key]: made }
}

/** Changes the value under a path such as `error.code`; `*` stands for every member of an array. */
export function change(path: string, make: (value: unknown) => unknown): Change {
  const keys = path.split('.')
  return (object) => {
    const changed = walk(object, keys, make)
    return isWire(changed) ? changed : object
  }
}

export const put = (path: string, value: unknown): Change => change(path, () => value)

/** Replaces a value that is there. */
export const replace = (path: string, value: unknown): Change =>
  change(path, (old) => (old === undefined ? undefined : value))

export const omit = (path: string): Change => change(path, () => undefined)
