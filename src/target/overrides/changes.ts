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

/** Keeps a text up to so many characters. */
export const cutAt =
  (length: number) =>
  (text: unknown): unknown =>
    typeof text === 'string' ? text.slice(0, length) : text

/** Loses the characters of a text that are not ASCII. */
export const inAscii = (text: unknown): unknown =>
  typeof text === 'string' ? text.replaceAll(/[^\p{ASCII}]/gu, '') : text

/** Joins letters and the marks that follow them, as a database or a library may. */
export const composed = (text: unknown): unknown => (typeof text === 'string' ? text.normalize('NFC') : text)

/** Loses what looks like markup. */
export const withoutMarkup = (text: unknown): unknown =>
  typeof text === 'string' ? text.replaceAll(/<[^>]*>/gu, '') : text

export const inSmallLetters = (text: unknown): unknown => (typeof text === 'string' ? text.toLowerCase() : text)

export const omit = (path: string): Change => change(path, () => undefined)

/** Hexadecimal digits as a UUID has them. */
export const uuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, '$1-$2-$3-$4-$5')
