import { seeded } from '#scenario/runner/random'
import type { Entry } from '#trace/entry'

/**
 * A change of a recorded run that the interface leaves open: had the service behaved so, it would have been as correct as
 * it was. No verdict may become worse by it.
 */
export interface LegalChange {
  readonly id: string
  /** Section that leaves it open. */
  readonly section: string
  readonly why: string
  readonly apply: (entries: readonly Entry[], chance: Chance) => readonly Entry[]
}

/** Says where a change is made, and what it is made of. */
export interface Chance {
  /** Asked once for each place. */
  readonly here: () => boolean
  /** An integer from 0 below `below`. */
  readonly below: (below: number) => number
  readonly one: <T>(list: readonly [T, ...T[]]) => T
}

/** Everywhere, at one place in ten, or at a single one. */
export type Spread = 'everywhere' | 'here and there' | 'once'

export const spreads: readonly Spread[] = ['everywhere', 'here and there', 'once']

/** The run as it would have been. The same seed brings the same run. */
export function changedRun(
  { id, apply }: LegalChange,
  entries: readonly Entry[],
  spread: Spread,
  seed: number,
): readonly Entry[] {
  const below = seeded(seed, `${id} ${spread}`)
  const one: Chance['one'] = (list) => list[below(list.length)] ?? list[0]
  if (spread === 'everywhere') return apply(entries, { below, one, here: () => true })
  if (spread === 'here and there') return apply(entries, { below, one, here: () => below(10) === 0 })
  let places = 0
  const count = (): boolean => {
    places += 1
    return false
  }
  apply(entries, { below, one, here: count })
  let left = below(places)
  return apply(entries, { below, one, here: () => left-- === 0 })
}
