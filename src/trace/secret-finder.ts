/** Secrets shorter than this are not looked for in the midst of texts. */
export const shortest = 6

/** 31 to the power of `shortest - 1`, modulo 2^32. */
const outgoing = 28_629_151

interface Form {
  readonly secret: string
  readonly instead: string
}

/**
 * Replaces many known strings wherever they occur in a text, in time that hardly grows with their number: a rolling hash
 * over windows of 6 characters finds the places at which one of them may begin.
 */
export interface SecretFinder {
  /** Strings shorter than 6 characters are ignored. */
  add(secret: string, instead: string): void
  /** @param dress applied to each replacement, as percent-encoding inside a URL */
  replace(text: string, dress?: (instead: string) => string): string
}

export function createSecretFinder(): SecretFinder {
  const marks = new Uint8Array(1 << 16)
  const byHash = new Map<number, Form[]>()

  function add(secret: string, instead: string): void {
    if (secret.length < shortest) return
    const hash = hashAt(secret, 0)
    const forms = byHash.get(hash) ?? []
    if (forms.some((form) => form.secret === secret)) return
    forms.push({ secret, instead })
    byHash.set(
      hash,
      forms.toSorted((left, right) => right.secret.length - left.secret.length),
    )
    marks[fold(hash)] = 1
  }

  function replace(text: string, dress: (instead: string) => string = (instead) => instead): string {
    if (byHash.size === 0 || text.length < shortest) return text
    let out = ''
    let done = 0
    let hash = hashAt(text, 0)
    const last = text.length - shortest
    for (let place = 0; place <= last; ) {
      const form = marks[fold(hash)] === 1 ? formAt(text, place, hash) : undefined
      if (form === undefined) {
        hash = roll(hash, text, place)
        place += 1
        continue
      }
      out += text.slice(done, place) + dress(form.instead)
      place += form.secret.length
      done = place
      hash = place <= last ? hashAt(text, place) : 0
    }
    return done === 0 ? text : out + text.slice(done)
  }

  function formAt(text: string, place: number, hash: number): Form | undefined {
    return byHash.get(hash)?.find((form) => text.startsWith(form.secret, place))
  }

  return { add, replace }
}

function hashAt(text: string, place: number): number {
  let hash = 0
  for (let next = place; next < place + shortest; next += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(next)) | 0
  return hash
}

/** Hash of the window one further; reads past the end only when it is not used any more. */
function roll(hash: number, text: string, place: number): number {
  const without = hash - Math.imul(text.charCodeAt(place), outgoing)
  return (Math.imul(without, 31) + text.charCodeAt(place + shortest)) | 0
}

function fold(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff
}
