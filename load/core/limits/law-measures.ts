import { type Findings, nothingFound } from '../findings.ts'
import { findingsOf, type Law, laws, type Ruling } from './laws.ts'
import { OTHER, type Tally } from '../tally.ts'

/** What scenarios with laws of their own count: how often each law held, and how often it was broken. */
export type LawCount = 'laws_held' | 'laws_broken'

const names = [...(Object.keys(laws) as Law[]), OTHER]

export const lawCounts: { readonly [name in LawCount]: readonly string[] } = { laws_held: names, laws_broken: names }

export function countRulings(tally: Tally<LawCount>, rulings: readonly Ruling[]): void {
  for (const { law, got } of rulings) tally.count(got === undefined ? 'laws_held' : 'laws_broken', law)
}

/**
 * A law that was broken once is broken. A run in which none of the laws that the scenario is about could be judged says
 * nothing.
 *
 * @param otherwise why such a run says nothing, in words; undefined where others have something to say in it
 */
export function judgeLaws(tally: Tally<LawCount>, about: readonly Law[], otherwise: string | undefined): Findings {
  const found = [...tally.counts('laws_broken')].filter(([, times]) => times > 0)
  const judged = tally.total('laws_held', about) + tally.total('laws_broken')
  return {
    ...nothingFound,
    broken: found.flatMap(([law, times]) => findingsOf(law as Law, times)),
    invalid: judged > 0 || otherwise === undefined ? [] : [{ text: otherwise }],
  }
}
