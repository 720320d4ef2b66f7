/** Keys that are too many to write down for every user: each is one of `parts[0]`, a space, one of `parts[1]` …, or one of `more`. */
export class KeyProduct {
  readonly #parts: readonly (readonly string[])[]
  readonly #more: readonly string[]

  constructor(parts: readonly (readonly string[])[], more: readonly string[]) {
    this.#parts = parts
    this.#more = more
  }

  includes(key: string): boolean {
    const words = key.split(' ')
    const whole = words.length === this.#parts.length && words.every((word, at) => this.#parts[at]?.includes(word))
    return whole || this.#more.includes(key)
  }

  all(): string[] {
    const product = this.#parts.reduce<readonly string[]>(
      (begun, part) => (begun.length === 0 ? part : begun.flatMap((start) => part.map((word) => `${start} ${word}`))),
      [],
    )
    return [...product, ...this.#more]
  }
}

/** The keys of a count. */
export type KeyList = readonly string[] | KeyProduct

export const allKeys = (list: KeyList): readonly string[] => (list instanceof KeyProduct ? list.all() : list)
