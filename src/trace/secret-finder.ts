/** Secrets shorter than this are not looked for in the midst of texts. */
export const shortest = 6

/** 31 to the power of `shortest - 1`, modulo 2^32. */
const outgoing = 28_629_151

/** Secrets whose first characters have one hash. */
interface Bucket {
  /** What stands instead of each. */
  readonly instead: Map<string, string>
  /** Their lengths, longest first; there are few, since secrets of one kind are alike. */
  lengths: readonly number[]
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

/** Stands for the rest of a text that could not be searched any more. */
export const unsearched = '[not searched for secrets]'

/** Look-ups in one run; no honest target comes near. One that makes them dear loses texts, not us our time. */
const mostWork = 50_000_000

export function createSecretFinder(bound: number = mostWork): SecretFinder {
  const marks = new Uint8Array(1 << 16)
  const buckets = new Map<number, Bucket>()
  let work = 0

  function add(secret: string, instead: string): void {
    if (secret.length < shortest) return
    const hash = hashAt(secret, 0)
    const bucket = buckets.get(hash) ?? { instead: new Map(), lengths: [] }
    if (bucket.instead.has(secret)) return
    bucket.instead.set(secret, instead)
    bucket.lengths = [...new Set([...bucket.lengths, secret.length])].toSorted((left, right) => right - left)
    buckets.set(hash, bucket)
    marks[fold(hash)] = 1
  }

  function replace(text: string, dress: (instead: string) => string = (instead) => instead): string {
    if (buckets.size === 0 || text.length < shortest) return text
    let out = ''
    let done = 0
    let hash = hashAt(text, 0)
    const last = text.length - shortest
    for (let place = 0; place <= last; ) {
      const bucket = marks[fold(hash)] === 1 ? buckets.get(hash) : undefined
      const found = bucket && longestAt(text, place, bucket)
      if (bucket !== undefined && work > bound) return out + text.slice(done, place) + unsearched
      if (found === undefined) {
        hash = roll(hash, text, place)
        place += 1
        continue
      }
      out += text.slice(done, place) + dress(found.instead)
      place += found.length
      done = place
      hash = place <= last ? hashAt(text, place) : 0
    }
    return done === 0 ? text : out + text.slice(done)
  }

  function longestAt(text: string, place: number, bucket: Bucket): { length: number; instead: string } | undefined {
    for (const length of bucket.lengths) {
      work += 1 + (length >>> 5)
      const instead = bucket.instead.get(text.slice(place, place + length))
      if (instead !== undefined) return { length, instead }
    }
    return undefined
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
