export type JsonObject = Record<string, unknown>

/** Makes the error that a bad value ends in. */
export type Complain = (message: string) => Error

export function isBag(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads the members of one JSON object. An absent member is `undefined`; `null` is no value of any kind. */
export class Reader {
  readonly bag: JsonObject
  readonly where: string
  readonly complain: Complain

  constructor(value: unknown, where: string, complain: Complain) {
    if (!isBag(value)) throw complain(`${where} is not an object`)
    this.bag = value
    this.where = where
    this.complain = complain
  }

  has(name: string): boolean {
    return this.bag[name] !== undefined
  }

  bad(name: string, why: string): Error {
    return this.complain(`${this.where}.${name} ${why}`)
  }

  need(name: string): void {
    if (!this.has(name)) throw this.bad(name, 'is required')
  }

  string(name: string): string | undefined {
    const value = this.bag[name]
    if (value === undefined) return undefined
    if (typeof value !== 'string') throw this.bad(name, 'is not a string')
    return value
  }

  /** A string that is there and has something in it. */
  words(name: string): string {
    const value = this.string(name)
    if (value === undefined || value === '') throw this.bad(name, 'is required')
    return value
  }

  flag(name: string): boolean | undefined {
    const value = this.bag[name]
    if (value !== undefined && typeof value !== 'boolean') throw this.bad(name, 'is not a boolean')
    return value
  }

  number(name: string, least = -Infinity, most = Infinity): number | undefined {
    const value = this.bag[name]
    if (value === undefined) return undefined
    if (typeof value !== 'number' || value < least || value > most) throw this.bad(name, 'is no number in its range')
    return value
  }

  whole(name: string, least = 0, most: number = 2 ** 31 - 1): number | undefined {
    const value = this.number(name, least, most)
    if (value !== undefined && !Number.isInteger(value)) throw this.bad(name, 'is not an integer')
    return value
  }

  choice<T extends string>(name: string, options: readonly T[]): T | undefined {
    const value = this.string(name)
    if (value === undefined) return undefined
    const found = options.find((option) => option === value)
    if (found === undefined) throw this.bad(name, `is none of ${options.join(', ')}`)
    return found
  }

  child(name: string): Reader | undefined {
    return this.has(name) ? new Reader(this.bag[name], `${this.where}.${name}`, this.complain) : undefined
  }

  needChild(name: string): Reader {
    this.need(name)
    return new Reader(this.bag[name], `${this.where}.${name}`, this.complain)
  }

  list(name: string): readonly unknown[] {
    const value = this.bag[name] ?? []
    if (!Array.isArray(value) || this.bag[name] === null) throw this.bad(name, 'is not an array')
    return value
  }

  children(name: string): readonly Reader[] {
    return this.list(name).map((one, index) => new Reader(one, `${this.where}.${name}[${index}]`, this.complain))
  }

  https(name: string): string | undefined {
    const value = this.string(name)
    if (value !== undefined && !isHttps(value)) throw this.bad(name, 'is not an HTTPS URL')
    return value
  }
}

export function isHttps(text: string): boolean {
  return text.startsWith('https://') && URL.canParse(text)
}

/** The first value that comes twice. */
export function repeated(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) !== index)
}
