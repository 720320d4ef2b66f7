import { vu } from 'k6/execution'
import type { Options } from 'k6/options'
import { clearTimeout, setTimeout } from 'k6/timers'
import { controlUrl } from '../core/address.ts'
import {
  type ConverseCount,
  converseMeasures,
  type ConverseTally,
  type ConverseTime,
} from '../core/converse-measures.ts'
import { type LoadSummary, printed, summarize } from '../core/summary.ts'
import { type Measures, Tally } from '../core/tally.ts'
import type { Stage } from '../scenarios/stage.ts'
import { longest, type Workload } from '../workloads.ts'
import { startClock } from './clock.ts'
import { openLine } from './line.ts'
import { Meter, metricOf, readTally, type SummaryData, thresholdsOf } from './meter.ts'
import { closeSession, createSession } from './rest.ts'
import { readSettings, type Settings } from './settings.ts'
import { readWords } from './words.ts'

/** A scenario of conversations, as k6 runs it. */
export interface Load {
  readonly options: Options
  readonly workload: Workload
  /** For one iteration. */
  stage(): Stage
  /** For `handleSummary`. */
  summary(data: SummaryData): { [output: string]: string }
}

/** Only in the init context. @param scenario its name in reports */
export function prepare(scenario: string): Load {
  const settings = readSettings(__ENV)
  const measures = converseMeasures(readWords())
  const meter = new Meter(measures)
  const tally: ConverseTally = new Tally(measures)
  let now: (() => number) | undefined
  return {
    options: optionsOf(scenario, settings, measures),
    workload: settings.workload,
    stage: () => stageOf(settings, tally, meter, (now ??= startClock())),
    summary: (data) => outputs(settings, summaryOf(scenario, settings, measures, data)),
  }
}

/** For the exit code of a k6 that runs alone, 99 when they don't hold. The verdict knows more, and knows all parts. */
const gates = {
  [metricOf('flaws')]: ['count==0'],
  [metricOf('responses', 'whole')]: ['count>0'],
}

function optionsOf(scenario: string, settings: Settings, measures: Measures): Options {
  const { workload } = settings
  return {
    scenarios: {
      [scenario]: {
        executor: 'per-vu-iterations',
        vus: workload.users,
        iterations: workload.conversations,
        maxDuration: `${longest(workload)}ms`,
        gracefulStop: '5s',
      },
    },
    // Options count in the first user only, which runs nothing.
    thresholds: __VU === 0 ? { ...thresholdsOf(measures), ...gates } : {},
    userAgent: `greenroom run/${settings.run}`,
    // Without `url`: it would hold the control secret.
    systemTags: ['name', 'method', 'status', 'error_code', 'scenario', 'expected_response'],
  }
}

function stageOf(settings: Settings, tally: ConverseTally, meter: Meter, now: () => number): Stage {
  const name = `${settings.run}-${vu.idInTest}-${vu.iterationInScenario}`
  return {
    name,
    tally,
    now,
    later: (ms, task) => {
      const timer = setTimeout(task, ms)
      return () => clearTimeout(timer)
    },
    random: () => Math.random(),
    createSession: () => createSession(settings, name),
    closeSession: (id) => closeSession(settings, id),
    connect: ({ url, secret }, listener) => {
      const safe = controlUrl(url, secret, settings.target)
      return safe === undefined ? undefined : openLine(safe, listener)
    },
    flush: () => meter.flush(tally),
  }
}

function summaryOf(
  scenario: string,
  { run, workloadName, workload }: Settings,
  measures: Measures<ConverseCount, ConverseTime>,
  data: SummaryData,
): LoadSummary {
  const tally: ConverseTally = new Tally(measures)
  tally.addJson(readTally(data, measures))
  const conversations = workload.users * workload.conversations
  const { lag_bound_ms } = workload
  const facts = { run, scenario, workload: workloadName, conversations, lag_bound_ms }
  return summarize(facts, tally, 1, data.state.testRunDurationMs)
}

function outputs({ summaryFile }: Settings, summary: LoadSummary): { [output: string]: string } {
  const file = summaryFile === undefined ? {} : { [summaryFile]: `${JSON.stringify(summary, undefined, 2)}\n` }
  return { ...file, stdout: `${printed(summary)}\n` }
}
