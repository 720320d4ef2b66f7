// Whole, since in a bundle this code stands in a function, where single names of another module would not stay alive.
import * as execution from 'k6/execution'
import { SharedArray } from 'k6/data'
import { allMeasures } from '../core/common-measures.ts'
import { buckets, FORMAT, type LoadPart } from '../core/summary.ts'
import type { Measures } from '../core/tally.ts'
import { judgePart, printedPart } from '../scenarios/judge-part.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { droppedOf, type Executor, executorsOf, optionsOf } from './executors.ts'
import { countIn, declareMetrics, handedToK6, readTally, type SummaryData } from './meter.ts'
import type { Load } from './load.ts'
import { readSettings, type Settings } from './settings.ts'
import { sharedPlan } from './shared-plan.ts'
import { readWords } from './words.ts'

/** The side of a load that runs nothing: options and plan before it, the part file after it. */
export function outsideOf(scenarios: readonly Scenario[]): Load {
  const settings = readSettings(__ENV, usualRun())
  const words = readWords()()
  const measures = new Map(scenarios.map((one) => [one, handedToK6(allMeasures(one.measures(words), words), settings)]))
  const executors = executorsOf(scenarios, settings)
  // k6 takes thresholds only of metrics that it has heard of.
  for (const [{ name }, own] of measures) declareMetrics(name, own)
  sharedPlan(() => ({
    settings,
    began: Date.now().toString(36),
    executors: Object.fromEntries(
      [...executors].map(([executor, { scenario, lane }]) => [executor, { scenario: scenario.name, lane }]),
    ),
  }))
  return {
    options: optionsOf(executors, measures, settings),
    iterate: () => Promise.reject(new Error('this user runs nothing')),
    summary: (data) => {
      const part = partOf(settings, executors, measures, data)
      const { summaryFile, numbersInLines } = settings
      // Whoever reads the lines judges what they say.
      const text = numbersInLines ? '' : printedPart(part, judgePart(part, scenarios, settings, words))
      // Where there is no disk that lasts, the part goes into the log.
      if (summaryFile === 'stdout') return { stdout: `${text}\ngreenroom-part ${JSON.stringify(part)}\n` }
      return summaryFile === undefined ? { stdout: text } : { stdout: text, [summaryFile]: `${JSON.stringify(part)}\n` }
    },
  }
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
    seed: settings.seed,
    scenario: names.length === 1 ? (names[0] ?? '') : 'mix',
    workload: settings.workloadName,
    scale: settings.workload,
    iterations: perScenario(({ iterations }) => iterations),
    keys: settings.keys,
    buckets,
    segments: [ownSegment()],
    parts: 1,
    started_ms: Math.round(Date.now() - data.state.testRunDurationMs),
    duration_ms: data.state.testRunDurationMs,
    dropped: perScenario((_, id) => countIn(data, droppedOf(id))),
    tallies: Object.fromEntries([...measures].map(([{ name }, own]) => [name, readTally(data, name, own)])),
  }
}

/** What this process has of the load; k6 tells it only while it runs. */
function ownSegment(): string {
  const { executionSegment } = execution.test.options as { executionSegment?: unknown }
  return typeof executionSegment === 'string' ? executionSegment : '0:1'
}

/** One name for all users of a process; several processes of one run need `GREENROOM_RUN`. */
function usualRun(): string {
  const [run] = new SharedArray('run', () => [`by-hand-${Date.now()}`])
  return run ?? 'by-hand'
}
