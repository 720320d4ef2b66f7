import { type Law, laws } from '../../../load/core/limits/laws.ts'
import { scenarios } from '../../../load/scenarios/scenarios.ts'
import type { LoadReport } from '../load-report.ts'

/** Whether its iterations do not begin by a schedule: a rate says nothing of it then. */
export function runsOnce({ scenario }: Pick<LoadReport, 'scenario'>): boolean {
  return scenarios.get(scenario)?.arrival.kind === 'together'
}

/** Whether it is there to be refused, so that its errors speak against nobody. */
export function provokes({ scenario }: Pick<LoadReport, 'scenario'>): boolean {
  return (scenarios.get(scenario)?.exceeds.length ?? 0) > 0
}

/** Whether any event could come: most scenarios have control channels, some speak REST alone. */
export function hasEvents({ counts, timeline }: Pick<LoadReport, 'counts' | 'timeline'>): boolean {
  const upgrades = Object.values(counts['upgrades'] ?? {})
  return upgrades.some((count) => count > 0) || timeline.some(({ events }) => events > 0)
}

/** Stands for the address of a target where nobody told it: parts of a run don't. */
export const UNTOLD = 'https://unknown.invalid'

/** Which target it was, for people. */
export const targetOf = ({ target: { base_url } }: Pick<LoadReport, 'target'>): string =>
  base_url === UNTOLD ? 'target not told (--target)' : base_url

/** A law that could be judged, and what came of that. */
export interface JudgedLaw {
  readonly law: string
  /** What a correct target does. */
  readonly says: string
  readonly held: number
  readonly broken: number
}

/** Laws of limits, keys, files, pages and worlds that had something to judge; broken ones first. */
export function judgedLaws({ counts }: Pick<LoadReport, 'counts'>): readonly JudgedLaw[] {
  const { laws_held: held = {}, laws_broken: broken = {} } = counts
  const names = [...new Set([...Object.keys(broken), ...Object.keys(held)])]
  const judged = names.map((law) => ({
    law,
    says: laws[law as Law]?.says ?? '',
    held: held[law] ?? 0,
    broken: broken[law] ?? 0,
  }))
  return judged.filter((one) => one.held + one.broken > 0).toSorted((a, b) => b.broken - a.broken)
}

/** The caps that were found, each once; several where several processes or nights each found one. */
export function capsFound({ counts }: Pick<LoadReport, 'counts'>): readonly string[] {
  return Object.keys(counts['cap_found'] ?? {}).filter((found) => /^\d+$/.test(found))
}
