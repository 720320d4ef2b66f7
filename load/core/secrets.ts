/** Fields whose value is a secret, wherever they stand. */
const secretFields =
  /^(?:client_secret|token|user_sig|tts_api_key|llm_api_key|authorization|api_key|set-cookie|cookie)$/i

/** What was replaced before, with the scheme of a header in front of it. */
const standIn = /^(?:Bearer )?\[[\w.-]+ [\w.-]+\]$/

/**
 * Replaces secrets in what is recorded, each by a stand-in that is the same for the same secret of the same run, so that
 * "the same secret" and "another one" can still be told apart: `[client_secret 2717908]`.
 */
export class SecretFilter {
  readonly #salt: string
  readonly #known = new Map<string, string>()

  /** @param salt keeps stand-ins of different runs apart */
  constructor(salt: string) {
    this.#salt = salt
  }

  /** From now on this text is replaced wherever it stands. @returns its stand-in */
  learn(secret: string, label: string): string {
    const known = this.#known.get(secret) ?? `[${label} ${hashOf(`${this.#salt} ${secret}`)}]`
    if (secret.length > 0) this.#known.set(secret, known)
    return known
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
    let clean = text
    for (const [secret, instead] of this.#known)
      clean = clean.replaceAll(secret, instead).replaceAll(encodeURIComponent(secret), instead)
    return clean
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
