/** Repeatable randomness of one target: the same seed gives the same ids, secrets and texts in the same order. */
export interface Random {
  /** An integer from 0 up to and without `limit`. */
  below(limit: number): number
  /** Lower-case hexadecimal digits. */
  hex(length: number): string
}

/** sfc32, a small generator of good quality; not for cryptography. */
export function createRandom(seed: number): Random {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = seed | 0
  let counter = 1
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round += 1) next()
  return {
    below: (limit) => next() % limit,
    hex: (length) => Array.from({ length }, () => (next() % 16).toString(16)).join(''),
  }
}
