import { planOf } from '../../../load/core/plan.ts'
import type { Key } from '../../../load/core/keys.ts'
import type { Scenario } from '../../../load/scenarios/scenario.ts'
import type { Workload } from '../../../load/workloads.ts'
import { usage } from '../stop.ts'

/** Options that a scenario which runs once has no use for, as far as somebody gave them. */
interface Given {
  readonly rate?: number
  readonly seconds?: number
  readonly processes: number
}

/**
 * An option that changes nothing is refused, not ignored: whoever gives it wants load that would not come, and a note is
 * read by nobody at night.
 *
 * @throws Stop (2)
 */
export function refuseIdle(scenarios: readonly Scenario[], { rate, seconds, processes }: Given): void {
  const [scenario] = scenarios
  if (scenario === undefined || goesByRate(scenarios)) return
  const idle = [
    ...(rate === undefined ? [] : ['--rate']),
    ...(seconds === undefined ? [] : ['--seconds']),
    ...(processes === 1 ? [] : ['--processes']),
  ]
  if (idle.length === 0) return
  const said = idle.join(', ').replace(/, (?=[^,]*$)/, ' and ')
  throw usage(
    `${scenario.name} runs once, in one user, and goes by no schedule: leave out ${said}; "npx greenroom load explain ${scenario.name}" tells what it does`,
  )
}

/** Whether iterations begin by a schedule, as often as a workload says. */
export const goesByRate = (scenarios: readonly Scenario[]): boolean =>
  scenarios.some(({ arrival }) => arrival.kind === 'rate')

/** How many users a run has at most, over all processes. */
export function usersOf(
  scenarios: readonly Scenario[],
  weights: { readonly [scenario: string]: number } | undefined,
  workload: Workload,
  keys: readonly Key[],
): number {
  const shares = scenarios.map((scenario) => ({
    scenario: scenario.name,
    weight: weights?.[scenario.name] ?? 1,
    ...scenario.price(workload),
    exceeds: scenario.exceeds,
  }))
  const lanes = planOf(shares, workload, keys)
  return scenarios.reduce((sum, { name, arrival }) => {
    if (arrival.kind === 'together') return sum + arrival.users(workload, keys)
    return sum + lanes.filter(({ scenario }) => scenario === name).reduce((users, lane) => users + lane.users, 0)
  }, 0)
}
