import { scenario as current, test, vu } from 'k6/execution'
import { SharedArray } from 'k6/data'
import type { Options } from 'k6/options'
import { intendedAt } from '../core/arrivals.ts'
import { allMeasures } from '../core/common-measures.ts'
import type { Key } from '../core/keys.ts'
import { seeded } from '../core/random.ts'
import { RetryBudget } from '../core/retry.ts'
import { SecretFilter } from '../core/secrets.ts'
import { buckets, FORMAT, type LoadPart } from '../core/summary.ts'
import { type Measures, Tally } from '../core/tally.ts'
import { judgePart, printedPart } from '../scenarios/judge-part.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { startClock } from './clock.ts'
import { droppedOf, type Executor, executorsOf, optionsOf } from './executors.ts'
import { runIteration } from './iteration.ts'
import { countIn, Meter, readTally, type SummaryData } from './meter.ts'
import { Sample } from './sample.ts'
import { readSettings, type Settings } from './settings.ts'
import { readWords } from './words.ts'

/** Scenarios, as k6 runs them. */
export interface Load {
  readonly options: Options
  /** For the default function. */
  iterate(): Promise<void>
  /** For `handleSummary`. */
  summary(data: SummaryData): { [output: string]: string }
}

/** What a user keeps of a scenario. */
interface Kept {
  readonly meter: Meter
  readonly tally: Tally
}

/** Only in the init context. @param scenarios one, or those of a mix */
export function prepare(scenarios: readonly Scenario[]): Load {
  const settings = readSettings(__ENV, usualRun())
  const words = readWords()
  const measures = new Map(scenarios.map((one) => [one, allMeasures(one.measures(words), words)]))
  // Only the first user, which runs nothing, tells k6 what to run; another one that runs nothing needs none of it.
  let made: ReadonlyMap<string, Executor> | undefined
  const executors = (): ReadonlyMap<string, Executor> => (made ??= executorsOf(scenarios, settings))
  const kept = new Map(
    [...measures].map(([one, own]) => [one, { meter: new Meter(one.name, own), tally: new Tally(own) }]),
  )
  const retries = new RetryBudget()
  let now: (() => number) | undefined
  return {
    options: __VU === 0 ? optionsOf(executors(), measures, settings) : {},
    iterate: async () => {
      const executor = executors().get(current.name)
      const own = executor === undefined ? undefined : kept.get(executor.scenario)
      if (executor === undefined || own === undefined) throw new Error(`there is no executor ${current.name}`)
      await iterate(executor, settings, own, retries, (now ??= startClock()))
    },
    summary: (data) => {
      const part = partOf(settings, executors(), measures, data)
      const judged = judgePart(part, scenarios, settings, words)
      const text = printedPart(part, judged)
      const { summaryFile } = settings
      // Where there is no disk that lasts, the part goes into the log.
      if (summaryFile === 'stdout') return { stdout: `${text}\ngreenroom-part ${JSON.stringify(part)}\n` }
      return summaryFile === undefined ? { stdout: text } : { stdout: text, [summaryFile]: `${JSON.stringify(part)}\n` }
    },
  }
}

async function iterate(
  { scenario, lane }: Executor,
  settings: Settings,
  { meter, tally }: Kept,
  retries: RetryBudget,
  now: () => number,
): Promise<void> {
  const number = current.iterationInTest
  const start = current.startTime
  const name = `${settings.run}-${current.name}-${number}`
  await runIteration(scenario, settings, meter, {
    name,
    key: lane?.key ?? keyOfUser(settings.keys),
    intended: lane === undefined ? now() : start + intendedAt(lane.arrivals, number, now() - start),
    retries,
    tally,
    now,
    random: seeded(`${settings.seed} ${current.name}-${number}`),
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
  if (!(sample > 0) || number % sample !== 0) return undefined
  const filter = new SecretFilter(run)
  for (const secret of secrets.values()) filter.learn(secret, 'api_key')
  return new Sample(name, now, filter)
}

/** Where users begin together, each has one key for good, so that their numbers are the same in any number of processes. */
function keyOfUser(keys: readonly Key[]): Key {
  const key = keys[(vu.idInTest - 1) % keys.length]
  if (key === undefined) throw new Error('there is no key')
  return key
}

function partOf(
  settings: Settings,
  executors: ReadonlyMap<string, Executor>,
  measures: ReadonlyMap<Scenario, Measures>,
  data: SummaryData,
): LoadPart {
  const names = [...measures.keys()].map(({ name }) => name)
  const sum = (name: string, of: (executor: Executor, id: string) => number): number =>
    [...executors].reduce((total, [id, one]) => total + (one.scenario.name === name ? of(one, id) : 0), 0)
  const perScenario = (of: (executor: Executor, id: string) => number): { [scenario: string]: number } =>
    Object.fromEntries(names.map((name) => [name, sum(name, of)]))
  return {
    format: FORMAT,
    run: settings.run,
    scenario: names.length === 1 ? (names[0] ?? '') : 'mix',
    workload: settings.workloadName,
    scale: settings.workload,
    iterations: perScenario(({ iterations }) => iterations),
    keys: settings.keys,
    buckets,
    segments: [ownSegment()],
    parts: 1,
    duration_ms: data.state.testRunDurationMs,
    dropped: perScenario((_, id) => countIn(data, droppedOf(id))),
    tallies: Object.fromEntries([...measures].map(([{ name }, own]) => [name, readTally(data, name, own)])),
  }
}

/** What this process has of the load; k6 tells it only while it runs. */
function ownSegment(): string {
  const { executionSegment } = test.options as { executionSegment?: unknown }
  return typeof executionSegment === 'string' ? executionSegment : '0:1'
}

/** One name for all users of a process; several processes of one run need `GREENROOM_RUN`. */
function usualRun(): string {
  const [run] = new SharedArray('run', () => [`by-hand-${Date.now()}`])
  return run ?? 'by-hand'
}
