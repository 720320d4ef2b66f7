/**
 * Random integers for one scenario: the same seed and id give the same numbers, whatever else runs beside it.
 *
 * @returns a function that gives an integer from 0 below `below`.
 */
export function seeded(seed: number, id: string): (below: number) => number {
  let state = fnv1a(`${seed}\n${id}`)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    return Math.floor((mix(state) / 2 ** 32) * below)
  }
}

/** FNV-1a over UTF-16 units: short texts to 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash
}

/** The output function of mulberry32. */
function mix(state: number): number {
  let value = Math.imul(state ^ (state >>> 15), 1 | state)
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
  return (value ^ (value >>> 14)) >>> 0
}
