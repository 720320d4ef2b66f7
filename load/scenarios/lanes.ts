import type { Key } from '../core/keys.ts'
import { type Lane, planOf } from '../core/plan.ts'
import type { Workload } from '../workloads.ts'
import type { Scenario } from './scenario.ts'

/** The schedules by which iterations of these scenarios begin, over all keys. */
export function lanesOf(
  scenarios: readonly Scenario[],
  {
    workload,
    keys,
    mix = {},
  }: {
    readonly workload: Workload
    readonly keys: readonly Key[]
    /** Weights, by scenario. */
    readonly mix?: { readonly [scenario: string]: number } | undefined
  },
): Lane[] {
  const shares = scenarios.map(({ name, price, exceeds }) => ({
    scenario: name,
    weight: mix[name] ?? 1,
    ...price(workload),
    exceeds,
  }))
  return planOf(shares, workload, keys)
}
