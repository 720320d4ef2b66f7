import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Results } from '#judge/results'
import type { Rule } from '#judge/rule'
import { seeded } from '#scenario/runner/random'
import type { Entry } from '#trace/entry'
import { changedRun, type LegalChange, type Spread, spreads } from './legal-change.ts'
import { kindsOfChange } from './legal-changes.ts'

/** A recorded run of a correct service, with what is said of it as it is. */
export interface Recorded {
  readonly entries: readonly Entry[]
  readonly rules: readonly Rule[]
  readonly before: Results
}

export function recorded(entries: readonly Entry[], rules: readonly Rule[]): Recorded {
  return { entries, rules, before: judged(entries, rules) }
}

/** Rows that fail or warn of the changed run, and did not before, with the reason. */
export function blamedBy({ entries, rules, before }: Recorded, change: LegalChange, spread: Spread, seed: number) {
  return worse(before, judged(changedRun(change, entries, spread, seed), rules)).map(
    (row) => `${change.id}, ${spread}, seed ${seed}: ${row}`,
  )
}

/** The same of one change of each kind, one upon the other, each spread by chance. */
export function blamedByAll({ entries, rules, before }: Recorded, seed: number): readonly string[] {
  const below = seeded(seed, 'one of each kind')
  const names: string[] = []
  let run = entries
  for (const kind of kindsOfChange) {
    const [change, spread] = [kind[below(kind.length)], spreads[below(spreads.length)]]
    if (change === undefined || spread === undefined) continue
    run = changedRun(change, run, spread, seed)
    names.push(`${change.id} ${spread}`)
  }
  return worse(before, judged(run, rules)).map((row) => `seed ${seed} (${names.join(', ')}): ${row}`)
}

function judged(entries: readonly Entry[], rules: readonly Rule[]): Results {
  return judge({ entries, truncated: false, sha256: '' }, register(), rules)
}

const blame = new Map([
  ['fail', 2],
  ['warn', 1],
])

function worse(before: Results, after: Results): readonly string[] {
  const known = new Map([...before.requirements, ...before.unscored].map(({ id, verdict }) => [id, verdict]))
  const rows = [...after.requirements, ...after.unscored].filter(
    ({ id, verdict }) => (blame.get(verdict) ?? 0) > (blame.get(known.get(id) ?? '') ?? 0),
  )
  const mistakes = after.harness_errors.slice(before.harness_errors.length)
  return [
    ...rows.map(({ id, verdict, reason }) => `${id} is ${verdict}: ${reason}`),
    ...mistakes.map(({ message }) => `a mistake of ours: ${message}`),
  ]
}
