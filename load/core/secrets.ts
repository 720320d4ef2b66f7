/** Fields whose value is a secret, wherever they stand. */
const secretFields =
  /^(?:client_secret|token|user_sig|tts_api_key|llm_api_key|authorization|api_key|set-cookie|cookie)$/i

/** What was replaced before, with the scheme of a header in front of it. */
const standIn = /^(?:Bearer )?\[[\w.-]+ [\w.-]+\]$/

/** So few secrets are looked for one by one, which k6 does a hundred times faster than it looks at each place of a text. */
const FEW = 16

/** Of how a secret begins, so many characters are looked for at most. */
const START = 12

/**
 * Replaces secrets in what is recorded, each by a stand-in that is the same for the same secret of the same run, so that
 * "the same secret" and "another one" can still be told apart: `[client_secret 2717908]`.
 */
export class SecretFilter {
  readonly #salt: string
  readonly #known = new Map<string, string>()
  /**
   * What is replaced, by how it begins: a create storm learns a secret with each session, and would otherwise look for
   * hundreds of them in every text, which takes more time than all of its requests.
   */
  readonly #byStart = new Map<string, readonly string[]>()
  #shortest = START

  /** @param salt keeps stand-ins of different runs apart */
  constructor(salt: string) {
    this.#salt = salt
  }

  /** From now on this text is replaced wherever it stands. @returns its stand-in */
  learn(secret: string, label: string): string {
    const known = this.#known.get(secret)
    if (known !== undefined) return known
    const instead = `[${label} ${hashOf(`${this.#salt} ${secret}`)}]`
    if (secret === '') return instead
    for (const form of new Set([secret, encodeURIComponent(secret)])) this.#enter(form, instead)
    return instead
  }

  #enter(form: string, instead: string): void {
    this.#known.set(form, instead)
    if (form.length < this.#shortest) {
      this.#shortest = form.length
      const forms = [...this.#byStart.values()].flat()
      this.#byStart.clear()
      for (const one of forms) this.#enterStart(one)
    }
    this.#enterStart(form)
  }

  #enterStart(form: string): void {
    const start = form.slice(0, this.#shortest)
    const longestFirst = [...(this.#byStart.get(start) ?? []), form].toSorted(
      (left, right) => right.length - left.length,
    )
    this.#byStart.set(start, longestFirst)
  }

  /** A copy without secrets: the known ones, and what stands in fields that hold some. */
  clean(value: unknown, field = ''): unknown {
    if (typeof value === 'string' && standIn.test(value)) return value
    if (typeof value === 'string')
      return secretFields.test(field) && value !== '' ? this.learn(value, field) : this.text(value)
    if (Array.isArray(value)) return value.map((one) => this.clean(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.clean(one, name.toLowerCase())]))
  }

  /** Replaces the known secrets in a text, as they are and as URLs write them. */
  text(text: string): string {
    if (text.length < this.#shortest) return text
    if (this.#known.size <= FEW && ![...this.#known.keys()].some((form) => text.includes(form))) return text
    let [clean, from] = ['', 0]
    for (let at = 0; at + this.#shortest <= text.length; at += 1) {
      const found = this.#byStart.get(text.slice(at, at + this.#shortest))?.find((form) => text.startsWith(form, at))
      if (found === undefined) continue
      clean += text.slice(from, at) + (this.#known.get(found) ?? '')
      from = at + found.length
      at = from - 1
    }
    return clean + text.slice(from)
  }
}

/** 52 bits of FNV-1a, twice with different starts; secrets are long and random, so it can't be turned back. */
function hashOf(text: string): number {
  const half = (start: number): number => {
    let hash = start
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
    return hash >>> 0
  }
  return (half(2_166_136_261) & 0xfffff) * 4_294_967_296 + half(40_389)
}
