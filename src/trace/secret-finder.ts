/** Secrets shorter than this are not looked for in the midst of texts. */
export const shortest = 6

/** Of a window of `shortest` characters its last two tell how far the next one lies in which a secret may begin. */
const furthest = shortest - 1

/** Secrets whose first characters have one hash. */
interface Bucket {
  /** What stands instead of each. */
  readonly instead: Map<string, string>
  /** Their lengths, longest first; there are few, since secrets of one kind are alike. */
  lengths: readonly number[]
}

/**
 * Replaces many known strings wherever they occur in a text, in time that hardly grows with their number: most windows of
 * 6 characters end in two that stand nowhere in the first 6 of a known string, and are skipped (the method of Wu and Manber).
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
  const skips = new Uint8Array(1 << 16).fill(furthest)
  const buckets = new Map<number, Bucket>()
  let work = 0

  function add(secret: string, instead: string): void {
    if (secret.length < shortest) return
    const hash = hashAt(secret, 0)
    for (let place = 1; place < shortest; place += 1) {
      const pair = pairAt(secret, place)
      skips[pair] = Math.min(skips[pair] ?? 0, furthest - place)
    }
    const bucket = buckets.get(hash) ?? { instead: new Map(), lengths: [] }
    if (bucket.instead.has(secret)) return
    bucket.instead.set(secret, instead)
    bucket.lengths = [...new Set([...bucket.lengths, secret.length])].toSorted((left, right) => right - left)
    buckets.set(hash, bucket)
  }

  function replace(text: string, dress: (instead: string) => string = (instead) => instead): string {
    if (buckets.size === 0 || text.length < shortest) return text
    let out = ''
    let done = 0
    // The last character of the window that is looked at.
    for (let end = furthest; end < text.length; ) {
      const skip = skips[pairAt(text, end)] ?? 0
      if (skip > 0) {
        end += skip
        continue
      }
      const place = end - furthest
      const bucket = buckets.get(hashAt(text, place))
      const found = bucket && longestAt(text, place, bucket)
      if (bucket !== undefined && work > bound) return out + text.slice(done, place) + unsearched
      if (found === undefined) {
        end += 1
        continue
      }
      out += text.slice(done, place) + dress(found.instead)
      done = place + found.length
      end = done + furthest
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

/** The two characters that end here, as a place in a table: others may share it. */
function pairAt(text: string, end: number): number {
  return ((text.charCodeAt(end - 1) << 8) ^ text.charCodeAt(end)) & 0xffff
}
