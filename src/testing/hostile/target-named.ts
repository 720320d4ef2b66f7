import type { HostileTarget } from './hostile-target.ts'
import { hostileTargets } from './targets.ts'

/** The hostile target with this id. Throws when there is none. */
export function targetNamed(id: string): HostileTarget {
  const found = hostileTargets.find((target) => target.id === id)
  if (found === undefined) throw new Error(`no hostile target is called ${id}`)
  return found
}
