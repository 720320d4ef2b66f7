import { secondsOf } from '../../../load/core/arrivals.ts'
import type { Knee, KneeStep, LoadReport, ObjectiveResult } from '#load/load-report'
import { type KneeMove, type KneeRun, nextMove } from '#load/knee/search'
import { checkObjectives, fitting, missed, unknownOperation } from '#load/results/objectives'
import { scheduledMs } from '#load/results/readings'
import { percentiles, type Objectives, type Percentile, type Profile } from '#spec/profile'
import { newJournal } from '../check/journal-place.ts'
import type { KneeCommandOptions } from './options.ts'
import { didYouMean } from '../did-you-mean.ts'
import type { Shell } from '../shell.ts'
import { usage } from '../stop.ts'
import { type Finished, scopeOf } from './finish-load.ts'
import { goesByRate } from './idle-options.ts'
import { openLoadFolder } from './load-folder.ts'
import { loadOnce } from './load-once.ts'
import { needK6, onSubject, writeLoad } from './load.ts'
import { planLoad, scenarioOf } from './plan-load.ts'
import type { LoadRun } from './run-load.ts'

/** How long each run of a search lasts, unless somebody says otherwise. */
const usualSeconds = 20

/** A run that reaches less of its rate than this does not hold it. */
const reachedShare = 0.95

/** What has to hold at the knee. */
interface Wanted {
  readonly text: string
  /** Whose p99 the steps show; undefined where no operation is named. */
  readonly operation: string | undefined
  readonly objectives: Objectives
}

/** One run of the search, and all that came of it. */
interface Step {
  readonly run: KneeRun
  /** In words, with what spoke against it. */
  readonly outcome: string
  readonly shown: KneeStep
  readonly finished: Finished
}

/**
 * Searches the highest rate at which the objectives hold.
 *
 * @returns the exit code: 0 with a knee, 1 when nothing held, 3 when it could not be found, 130 when interrupted
 * @throws Stop
 */
export async function knee(name: string, options: KneeCommandOptions, shell: Shell): Promise<number> {
  refuseAimless(name, options)
  return await onSubject(options, shell, async (subject, signal) => {
    const wanted = wantedOf(name, options, subject.profile)
    const k6 = needK6(shell)
    const out = openLoadFolder(options.out)
    try {
      const measure = async (rate: number): Promise<Step> => {
        const plan = planLoad(name, { ...options, rate, seconds: options.seconds ?? usualSeconds }, subject)
        const run: LoadRun = {
          plan,
          subject,
          k6,
          journal: newJournal(subject.state, options.journal, plan.run.run),
          shell,
          signal,
        }
        return stepOf(rate, await loadOnce(run), wanted, secondsOf(plan.workload))
      }
      const { steps, end } = await searchKnee(options, measure, shell, signal)
      const last = steps.at(-1)?.finished
      if (last === undefined) return signal.aborted ? 130 : 3
      return writeLoad(concluded(steps, end, wanted, last), out, shell)
    } finally {
      out.release()
    }
  })
}

/** @throws Stop (2) for a search that could not be what was asked for */
function refuseAimless(name: string, { rate, start, most, tolerance }: KneeCommandOptions): void {
  if (rate !== undefined) throw usage('load knee tries one rate after the other: leave out --rate, or say --start')
  if (start > most) throw usage(`--start ${start} is above --most ${most}`)
  if (tolerance >= 1) throw usage(`--tolerance ${tolerance} is not below 1, as in 0.1 for a tenth`)
  if (name !== 'mix' && !goesByRate([scenarioOf(name)]))
    throw usage(`${name} runs once and goes by no rate, so that it has no knee; see "npx greenroom load list"`)
}

type End = Extract<KneeMove, { kind: 'done' }>

async function searchKnee(
  { start, most, tolerance, runs }: KneeCommandOptions,
  measure: (rate: number) => Promise<Step>,
  shell: Shell,
  signal: AbortSignal,
): Promise<{ readonly steps: readonly Step[]; readonly end: End | undefined }> {
  const steps: Step[] = []
  // The keys may allow less than was asked for: what a run really had is the most that there is.
  let reachable = most
  for (;;) {
    const bounds = { start: Math.min(start, reachable), least: Math.min(start, reachable) / 64, most: reachable }
    const move = nextMove(
      { ...bounds, tolerance, most_runs: runs },
      steps.map(({ run }) => run),
    )
    if (move.kind === 'done') return { steps, end: move }
    const step = await measure(move.rate)
    if (signal.aborted) return { steps, end: undefined }
    const { rate, achieved } = step.shown
    if (step.run.rate < move.rate) reachable = Math.min(reachable, step.run.rate)
    steps.push(step)
    shell.err(`run ${steps.length}: ${rate} a second, ${achieved} reached: ${step.outcome}\n`)
    if (step.finished.report.died_at_s !== undefined) return { steps, end: undefined }
  }
}

function stepOf(asked: number, finished: Finished, wanted: Wanted, seconds: number): Step {
  const { report } = finished
  const { rate } = report
  // Whole iterations only: a short run at a low rate is never quite at it.
  const allowed = rate.target_per_s + 1 / seconds < asked * reachedShare ? rate.target_per_s : asked
  const results = resultsOf(report, wanted.objectives)
  const reached = rate.achieved_per_s >= reachedShare * rate.target_per_s && rate.dropped === 0
  const held = report.verdict !== 'invalid' && reached && results.every(({ holds }) => holds) && isSound(report)
  const p99_ms = wanted.operation === undefined ? null : (report.latencies[wanted.operation]?.p99 ?? null)
  const invalid = report.verdict === 'invalid' ? { invalid: true as const } : {}
  const shown = { rate: Number(allowed.toPrecision(4)), achieved: rate.achieved_per_s, p99_ms, held, ...invalid }
  const outcome: KneeRun['outcome'] = report.verdict === 'invalid' ? 'invalid' : held ? 'held' : 'missed'
  const against = [
    ...(reached ? [] : ['fewer began than were asked for']),
    ...results.filter(({ holds }) => !holds).map((one) => missed(one, 'the search wants')),
    ...(isSound(report) ? [] : ['something was broken']),
  ]
  const why = report.verdict === 'invalid' ? report.reasons.slice(0, 1) : against
  const said = { invalid: 'invalid', held: 'holds', missed: 'missed' }[outcome]
  return {
    run: { rate: allowed, outcome },
    outcome: outcome === 'held' || why.length === 0 ? said : `${said}, since ${why.join('; ')}`,
    shown,
    finished,
  }
}

/** Beyond latencies, nothing may be broken. */
function isSound({ died_at_s, requirements }: LoadReport): boolean {
  return died_at_s === undefined && requirements.every(({ verdict }) => verdict !== 'fail')
}

function resultsOf(report: LoadReport, objectives: Objectives): readonly ObjectiveResult[] {
  return checkObjectives(objectives, {
    numbers: report.tally,
    scheduled_ms: scheduledMs(report),
    dropped: report.rate.dropped,
    timeline: report.timeline,
  })
}

const sentences: { readonly [why in End['why']]: string | undefined } = {
  found: undefined,
  'nothing-held': 'no rate held, not even the lowest',
  'all-held': 'the highest rate that was asked for held: the knee lies above it',
  generator: 'above the last rate that held, the generator was the bottleneck: the knee may lie higher',
  'out-of-runs': 'the search ended after its last run; --runs allows more',
}

/** Why a search ended, and how far it came where it found no knee. */
function reasonsOf({ why, knee: found }: End, steps: readonly Step[]): readonly string[] {
  const sentence = sentences[why]
  return [...(sentence === undefined ? [] : [sentence]), ...(found === undefined ? highestHeld(steps) : [])]
}

function highestHeld(steps: readonly Step[]): readonly string[] {
  const held = Math.max(0, ...steps.filter(({ run }) => run.outcome === 'held').map(({ shown }) => shown.rate))
  return held === 0 ? [] : [`the highest rate that held is ${held} a second; it was not found out whether more would`]
}

/** The report of the best run that held, or else the last one, with the search and what it came to. */
function concluded(steps: readonly Step[], end: End | undefined, wanted: Wanted, last: Finished): Finished {
  const found = end?.knee
  const best = steps.findLast(({ run }) => run.outcome === 'held' && run.rate === found)?.finished ?? last
  const search: Knee = {
    objective: wanted.text,
    steps: steps.map(({ shown }) => shown),
    knee_per_s: found === undefined ? null : Number(found.toPrecision(4)),
  }
  const { report } = best
  if (end === undefined) return { ...best, report: { ...report, knee: search } }
  const verdict = found !== undefined ? 'pass' : end.why === 'nothing-held' ? 'fail' : 'invalid'
  const exit = { pass: 0, fail: 1, invalid: 3 }[verdict]
  return { ...best, report: { ...report, verdict, exit, reasons: reasonsOf(end, steps), knee: search } }
}

function wantedOf(name: string, { objective }: KneeCommandOptions, profile: Profile): Wanted {
  const scope = name === 'mix' ? undefined : scopeOf({ scenarios: [scenarioOf(name)] })
  const asked = objective === undefined ? (profile.objectives ?? {}) : parseObjective(objective)
  const known = scope?.operations ?? []
  const unknown = objective === undefined || scope === undefined ? undefined : unknownOperation(asked, known)
  if (unknown !== undefined)
    throw usage(
      `--objective names ${JSON.stringify(unknown)}, which ${name} does not measure${didYouMean(unknown, known)}`,
    )
  const objectives = scope === undefined ? asked : fitting(asked, scope)
  const text = objectiveText(objectives)
  if (text === '')
    throw usage(
      'the profile has no objectives for this scenario: add some, or name one with --objective first_delta:p99=800',
    )
  return { text, operation: Object.keys(objectives.latency ?? {})[0], objectives }
}

function parseObjective(text: string): Objectives {
  const [, operation = '', percentile = '', ms = ''] = /^([a-z][\w-]*):(p\d+)=(\d*\.?\d+)$/.exec(text) ?? []
  if (!percentiles.some((one) => one === percentile) || !(Number(ms) > 0))
    throw usage(
      `--objective ${JSON.stringify(text)} is not of the form first_delta:p99=800 (${percentiles.join(', ')})`,
    )
  return { latency: { [operation]: { [`${percentile as Percentile}_ms`]: Number(ms) } } }
}

function objectiveText({ latency = {}, error_share, throughput = {} }: Objectives): string {
  const latencies = Object.entries(latency).flatMap(([operation, bounds]) =>
    Object.entries(bounds).map(([share, ms]) => `${operation} ${share.replace('_ms', '')} at most ${ms} ms`),
  )
  const floors = Object.entries(throughput).map(([name, bound]) => `${name} at least ${bound}`)
  return [...latencies, ...(error_share === undefined ? [] : [`error_share at most ${error_share}`]), ...floors].join(
    ', ',
  )
}
