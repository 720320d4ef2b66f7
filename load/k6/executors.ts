import type { Options, Scenario as K6Scenario } from 'k6/options'
import { k6Stages } from '../core/arrivals.ts'
import type { Lane } from '../core/plan.ts'
import { lanesOf } from '../scenarios/lanes.ts'
import { longestRun } from '../scenarios/longest-run.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { longest } from '../workloads.ts'
import { metricOf, thresholdsOf } from './meter.ts'
import type { Settings } from './settings.ts'
import type { Measures } from '../core/tally.ts'

/** What one k6 executor does. */
export interface Executor {
  readonly scenario: Scenario
  /** Undefined where users begin together. */
  readonly lane: Lane | undefined
  readonly iterations: number
  readonly k6: K6Scenario
}

/** Executors by their names in k6. */
export function executorsOf(scenarios: readonly Scenario[], settings: Settings): ReadonlyMap<string, Executor> {
  const lanes = lanesOf(scenarios, settings)
  const executors = scenarios.flatMap((scenario): [string, Executor][] => {
    if (scenario.arrival.kind === 'together') return [[scenario.name, together(scenario, settings)]]
    const own = lanes.filter((lane) => lane.scenario === scenario.name)
    return own.map((lane, index) => [
      own.length === 1 ? scenario.name : `${scenario.name}_${index + 1}`,
      byRate(scenario, lane, settings),
    ])
  })
  return new Map(executors)
}

function byRate(scenario: Scenario, lane: Lane, { workload }: Settings): Executor {
  const k6: K6Scenario = {
    executor: 'ramping-arrival-rate',
    preAllocatedVUs: lane.users,
    maxVUs: lane.users,
    gracefulStop: `${longest(workload)}ms`,
    ...k6Stages(lane.arrivals),
  }
  return { scenario, lane, iterations: lane.iterations, k6 }
}

function together(scenario: Scenario, { workload, keys }: Settings): Executor {
  const { arrival } = scenario
  if (arrival.kind !== 'together') throw new Error(`${scenario.name} begins by rate`)
  const [users, each] = [arrival.users(workload, keys), arrival.iterations(workload)]
  const k6: K6Scenario = {
    executor: 'per-vu-iterations',
    vus: users,
    iterations: each,
    maxDuration: `${longestRun([scenario], workload)}ms`,
    gracefulStop: '5s',
  }
  return { scenario, lane: undefined, iterations: users * each, k6 }
}

/** Thresholds and executors, for the user that runs nothing: k6 reads its options alone. */
export function optionsOf(
  executors: ReadonlyMap<string, Executor>,
  measures: ReadonlyMap<Scenario, Measures>,
  { run }: Settings,
): Options {
  const thresholds: { [metric: string]: string[] } = {}
  for (const [{ name }, own] of measures) Object.assign(thresholds, thresholdsOf(name, own))
  const dropped = [...executors.keys()].map((executor): [string, string[]] => [droppedOf(executor), ['count>=0']])
  // For the exit code of a k6 that runs alone, 99 when it doesn't hold. The verdict knows more, and knows all parts.
  const gates = [...measures].flatMap(([{ name }, { counts }]): [string, string[]][] =>
    'iterations' in counts ? [[metricOf(name, 'iterations', 'thrown'), ['count==0']]] : [],
  )
  return {
    scenarios: Object.fromEntries([...executors].map(([name, { k6 }]) => [name, k6])),
    thresholds: Object.assign(thresholds, Object.fromEntries([...dropped, ...gates])),
    userAgent: `greenroom run/${run}`,
    // Without `url`: it would hold the control secret.
    systemTags: ['name', 'method', 'status', 'error_code', 'scenario', 'expected_response'],
  }
}

/** k6's own count of iterations that found no free user. */
export const droppedOf = (executor: string): string => `dropped_iterations{scenario:${executor}}`
