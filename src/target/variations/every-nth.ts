import { memory } from '#target/overrides/memory'

/**
 * Every so many of them.
 *
 * @param times how many
 * @param first which is the first, counted from one; 0 for the last of each so many
 * @returns whether this call is one of them
 */
export function everyNth(times: number, first = 1): () => boolean {
  let count = 0
  return () => {
    count += 1
    return count % times === first
  }
}

/** The same of things that are asked about again and again: what is one of them stays it. */
export function everyNthOf(times: number, first = 1): (thing: object) => boolean {
  return memory(everyNth(times, first))
}
