import type { Behaviour } from './behaviour/behaviour.ts'
import { DEFECTS } from './defects.ts'
import type { Defect, Variation } from './deviation.ts'
import { VARIATIONS } from './variations/variations.ts'

function find<Kind extends { id: string }>(kind: string, list: readonly Kind[], id: string): Kind {
  const found = list.find((one) => one.id === id)
  if (found === undefined) throw new Error(`unknown ${kind}: ${id}`)
  return found
}

/**
 * Changes a fresh behaviour in place, variations first, each in the order given.
 * @throws when an id is unknown.
 */
export function applyDeviations(behaviour: Behaviour, variations: readonly string[], defects: readonly string[]): void {
  for (const id of variations) find('variation', VARIATIONS, id).override(behaviour)
  for (const id of defects) find('defect', DEFECTS, id).override(behaviour)
}

/** All defects and variations of this target, for `greenroom list` and `greenroom serve`. */
export const deviations = (): { defects: readonly Defect[]; variations: readonly Variation[] } => ({
  defects: DEFECTS,
  variations: VARIATIONS,
})
