import { loadRules } from '#scenario/plan/load-rules'
import { frozenTrace } from '#testing/frozen/frozen-traces'
import { blamedBy, blamedByAll, recorded } from '#testing/legal-changes/blamed'
import { spreads } from '#testing/legal-changes/legal-change'
import { legalChanges } from '#testing/legal-changes/legal-changes'
import { parseTrace } from '#trace/reader'

/** Runs of correct services: of the reference target, and of two that were written independently. */
const runs = ['reference', 'reference-full', 'contrary', 'minimal']
/** So many runs with one change of each kind for each seed. */
const several = 10

/**
 * Changes recorded runs in ways that the interface leaves open, and judges them again: each change alone, then one of each
 * kind upon the other. @throws with each verdict that became worse
 */
export async function legalChangeSeries(times: number): Promise<string> {
  const rules = await loadRules()
  const blamed: string[] = []
  let judged = 0
  for (const name of runs) {
    const run = recorded(parseTrace(frozenTrace(name)).entries, rules)
    const add = (rows: readonly string[]): void => {
      judged += 1
      blamed.push(...rows.map((row) => `${name}: ${row}`))
    }
    for (let seed = 1; seed <= times; seed += 1) {
      for (const change of legalChanges) for (const spread of spreads) add(blamedBy(run, change, spread, seed))
      for (let nth = 0; nth < several; nth += 1) add(blamedByAll(run, seed * several + nth))
    }
  }
  if (blamed.length > 0) throw new Error(`\n${blamed.join('\n')}`)
  return `${judged} changed runs of correct services, none called wrong`
}
