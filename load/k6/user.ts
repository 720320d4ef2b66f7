// Whole, since in a bundle this code stands in a function, where single names of another module would not stay alive.
import * as execution from 'k6/execution'
import { intendedAt } from '../core/arrivals.ts'
import { allMeasures } from '../core/common-measures.ts'
import type { Key } from '../core/keys.ts'
import { seeded } from '../core/random.ts'
import { newBudget, type RetryBudget } from '../core/retry.ts'
import { SecretFilter } from '../core/secrets.ts'
import { type Measures, Tally } from '../core/tally.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { startClock } from './clock.ts'
import { runIteration } from './iteration.ts'
import { handedToK6, Meter } from './meter.ts'
import type { Load } from './load.ts'
import { Sample } from './sample.ts'
import type { Settings } from './settings.ts'
import { type OwnPlan, sharedPlan } from './shared-plan.ts'
import { readWords } from './words.ts'

/** What a user keeps of a scenario. */
interface Kept {
  readonly scenario: Scenario
  /** Undefined where k6 gets no numbers. */
  readonly meter: Meter | undefined
  readonly tally: Tally
}

/** The side of a load that users run. */
export function userOf(scenarios: readonly Scenario[]): Load {
  const plan = sharedPlan(() => {
    throw new Error('the first user has not made the plan')
  })
  const { settings, began } = plan
  const kept = keptOf(scenarios, settings)
  const retries = newBudget()
  let now: (() => number) | undefined
  return {
    options: {},
    iterate: () => {
      const executor = plan.executor(execution.scenario.name)
      const own = kept.find(({ scenario }) => scenario.name === executor?.scenario)
      if (executor === undefined || own === undefined) throw new Error('this scenario has no executor')
      return iterate(own, executor.lane, { settings, began, retries, now: (now ??= startClock()) })
    },
    summary: () => ({}),
  }
}

function keptOf(scenarios: readonly Scenario[], settings: Settings): readonly Kept[] {
  // Only here: a k6 that runs no bundle reads them in the init context alone.
  const words = readWords()
  return scenarios.map((scenario) => {
    const own = (): Measures => allMeasures(scenario.measures(words()), words())
    const meter = settings.numbersInLines ? undefined : newMeter(scenario.name, handedToK6(own(), settings))
    return { scenario, meter, tally: new Tally(own) }
  })
}

/** Apart, so that users who hand nothing to k6 do without the class. */
function newMeter(scenario: string, measures: Measures): Meter {
  return new Meter(scenario, measures)
}

/** Not `async`, which would hold some 4 kB for as long as the iteration lasts. */
function iterate(
  { scenario, meter, tally }: Kept,
  lane: { readonly key: Key; readonly arrivals: Parameters<typeof intendedAt>[0] } | undefined,
  { settings, began, retries, now }: Pick<OwnPlan, 'settings' | 'began'> & { retries: RetryBudget; now: () => number },
): Promise<void> {
  const { name: executor, iterationInTest: number, startTime } = execution.scenario
  const name = `${settings.run}-${began}-${executor}-${number}`
  return runIteration(scenario, settings, meter, {
    name,
    key: lane?.key ?? keyOfUser(settings.keys),
    intended: lane === undefined ? now() : startTime + intendedAt(lane.arrivals, number, now() - startTime),
    retries,
    tally,
    now,
    random: seeded(`${settings.seed} ${executor}-${number}`),
    sample: sampleOf(settings, name, number, now),
  })
}

/** One iteration in so many, over all processes. */
function sampleOf(
  { sample, run, secrets }: Settings,
  name: string,
  number: number,
  now: () => number,
): Sample | undefined {
  return sample > 0 && number % sample === 0 ? newSample(run, secrets, name, now) : undefined
}

function newSample(run: string, secrets: Settings['secrets'], name: string, now: () => number): Sample {
  const filter = new SecretFilter(run)
  for (const secret of Object.values(secrets)) filter.learn(secret, 'api_key')
  return new Sample(name, now, filter)
}

/** Where users begin together, each has one key for good, so that their numbers are the same in any number of processes. */
function keyOfUser(keys: readonly Key[]): Key {
  const key = keys[(execution.vu.idInTest - 1) % keys.length]
  if (key === undefined) throw new Error('there is no key')
  return key
}
