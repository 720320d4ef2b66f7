import type { TraceIndex } from '#judge/trace-index'
import { contentOf, givenIds, idsTold, isSent, ownIds, textsSent } from './ids.ts'
import { entriesAt } from './sub-trace.ts'
import { type Unit, unitOf } from './units.ts'

/**
 * The units that have to do with some: whoever shares an id with them, or with one that does. What shares none with them
 * cannot have led to what came of them, as far as ids tell.
 *
 * @param lines of the units to choose from
 */
export function kinOf(index: TraceIndex, lines: readonly number[], seeds: ReadonlySet<Unit>): ReadonlySet<Unit> {
  const names = namesByUnit(index, lines)
  const kin = new Set(seeds)
  const known = new Set<string>()
  for (const unit of kin) {
    // What a look at things in passing shows together has nothing to do with each other.
    if (!seeds.has(unit) && isRead(index, unit)) continue
    const fresh = [...(names.get(unit) ?? [])].filter((name) => !known.has(name))
    for (const name of fresh) known.add(name)
    if (fresh.length === 0) continue
    for (const [other, own] of names) if (!kin.has(other) && fresh.some((name) => own.has(name))) kin.add(other)
  }
  return kin
}

/** Whether a unit is a request that changes nothing. */
export function isRead(index: TraceIndex, unit: Unit): boolean {
  const [kind, number] = unit.split(' ')
  return kind === 'exchange' && index.asked.get(Number(number))?.attempts[0]?.request.entry.method === 'GET'
}

/** For each unit the ids that it says or that its answers tell. */
function namesByUnit(index: TraceIndex, lines: readonly number[]): ReadonlyMap<Unit, ReadonlySet<string>> {
  const given = givenIds(entriesAt(index, lines))
  const run = index.header?.run ?? ''
  const byUnit = new Map<Unit, Set<string>>()
  for (const line of lines) {
    const entry = index.entries[line - 1]
    const unit = entry === undefined ? undefined : unitOf(entry, line)
    if (entry === undefined || unit === undefined) continue
    const names = byUnit.get(unit) ?? new Set<string>()
    byUnit.set(unit, names)
    for (const { text } of idsTold(contentOf(entry))) if (given.has(text)) names.add(text)
    if (!isSent(entry)) continue
    for (const text of textsSent(entry)) {
      if (given.has(text)) names.add(text)
      for (const id of ownIds(text, run)) names.add(id)
    }
  }
  return byUnit
}
