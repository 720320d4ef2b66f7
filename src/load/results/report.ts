import { counted } from '#page/parts'
import { type Findings, join, judgementOf } from '../../../load/core/findings.ts'
import type { LoadPart } from '../../../load/core/summary.ts'
import type { LoadError, LoadReport, LatencySummary, ObjectiveResult } from '../load-report.ts'
import { addNumbers, countsIn, histogramOf, operationsIn, quantile, total } from './readings.ts'
import { type Arrivals, scaled } from '../../../load/core/arrivals.ts'
import { brokeText } from './broke.ts'
import { gaveWay } from './gave-way.ts'
import { provokes, runsOnce } from './kind.ts'
import { missed } from './objectives.ts'
import { brokenSentences, withPlaces } from './requirements.ts'

/** Everything that a report is made of. */
export interface ReportInput
  extends Pick<
    LoadReport,
    | 'started'
    | 'versions'
    | 'machine'
    | 'target'
    | 'timeline'
    | 'objectives'
    | 'requirements'
    | 'samples'
    | 'knee'
    | 'mix'
    | 'broke'
  > {
  readonly part: LoadPart
  /** Of its scenarios, and of what holds for all. */
  readonly findings: Findings
  readonly lag_bound_ms: number
  /** By what schedule iterations begin. */
  readonly arrivals: Arrivals
  /** How long the schedule lasts. */
  readonly schedule_s: number
  /** How many iterations the workload wants; undefined where it has no say. */
  readonly wanted?: number | undefined
  readonly died_at_s: number | undefined
  /** Why the target could not be reached at all. */
  readonly unreachable: string | undefined
  readonly interrupted: boolean
  /** What went wrong on our side, one sentence each. */
  readonly ours: readonly string[]
  /** What the run made and could not end. */
  readonly leaked: number
}

/** Makes the report. Pure: all of it comes from what is handed in. */
export function reportOf(input: ReportInput): LoadReport {
  const { part, died_at_s, mix, knee, broke } = input
  const tally = sumOf(part)
  const { verdict, findings } = judgementOf(join([brokeFindings(input), scenarioFindings(input), findingsOf(input)]))
  const notes = notesOf(input)
  return {
    format: 'greenroom.load/1',
    run: part.run,
    scenario: part.scenario,
    ...(mix === undefined ? {} : { mix }),
    workload: part.workload,
    started: input.started,
    duration_ms: Math.round(part.duration_ms),
    versions: input.versions,
    machine: input.machine,
    target: input.target,
    parts: part.parts,
    verdict,
    // A law that stands for two requirements is told once.
    reasons: [...new Set(findings.map(({ text }) => text))],
    ...(notes.length === 0 ? {} : { notes }),
    exit: exitOf(input, verdict),
    rate: rateOf(input, tally),
    counts: countsIn(tally),
    latencies: Object.fromEntries(operationsIn(tally).map((operation) => [operation, latencyOf(tally, operation)])),
    errors: errorsIn(tally),
    timeline: input.timeline,
    generator: generatorOf(input, tally),
    objectives: input.objectives,
    requirements: input.requirements,
    samples: input.samples,
    ...(knee === undefined ? {} : { knee }),
    ...(died_at_s === undefined ? {} : { died_at_s: Math.round(died_at_s * 10) / 10 }),
    ...(broke === undefined ? {} : { broke: { ...broke, at_s: Math.round(broke.at_s * 10) / 10 } }),
    tally,
  }
}

/** What is told beside the verdict, and changes nothing in it. */
function notesOf({ findings, part, timeline, objectives, arrivals, broke }: ReportInput): readonly string[] {
  const told = (findings.notes ?? []).map(({ text }) => text)
  const climbs = !provokes(part) && !runsOnce(part) && broke === undefined
  return climbs ? [...told, ...gaveWay({ timeline, objectives }, arrivals)] : told
}

const asFindings = (sentences: readonly string[]) => sentences.map((text) => ({ text }))

/** Of an interrupted run it goes without saying that it is not whole. */
const scenarioFindings = ({ findings, interrupted, requirements }: ReportInput): Findings => ({
  broken: withPlaces(findings.broken, requirements),
  trouble: withPlaces(findings.trouble, requirements),
  invalid: interrupted ? [] : findings.invalid,
})

/** What a climb was made for, before all else. */
const brokeFindings = ({ broke }: ReportInput): Findings => ({
  broken: [],
  trouble: asFindings(broke?.by === 'target' ? [brokeText(broke)] : []),
  invalid: asFindings(broke?.by === 'generator' ? [brokeText(broke)] : []),
})

/** What speaks against the target or the run beyond what its scenarios found. */
function findingsOf(input: ReportInput): Findings {
  const { died_at_s, unreachable, interrupted, ours, leaked, objectives, requirements, findings } = input
  const died = died_at_s === undefined ? [] : [`the target stopped answering ${died_at_s.toFixed(0)} s after the start`]
  return {
    broken: asFindings([...died, ...brokenSentences(requirements, [...findings.broken, ...findings.trouble])]),
    trouble: asFindings([
      ...objectives.filter(({ holds }) => !holds).map((one: ObjectiveResult) => missed(one)),
      ...(leaked > 0
        ? [
            `${counted(leaked, 'thing')} that the run asked for may still be there: "npx greenroom cleanup" ends ${leaked === 1 ? 'it' : 'them'}`,
          ]
        : []),
    ]),
    invalid: asFindings([
      ...(unreachable === undefined ? [] : [`the target cannot be reached: ${unreachable}`]),
      ...(interrupted ? ['the run was interrupted'] : []),
      ...ours,
    ]),
  }
}

/** Precedence: interrupted, our own fault, fail, invalid. */
function exitOf({ interrupted, ours }: ReportInput, verdict: LoadReport['verdict']): number {
  if (interrupted) return 130
  if (ours.length > 0) return 4
  return { pass: 0, fail: 1, invalid: 3 }[verdict]
}

/** Numbers of all scenarios together. */
export function sumOf({ tallies }: LoadPart): LoadReport['tally'] {
  const sum = {}
  for (const tally of Object.values(tallies)) addNumbers(sum, tally)
  return sum
}

const sumUp = (numbers: { readonly [name: string]: number }): number =>
  Object.values(numbers).reduce((sum, number) => sum + number, 0)

/** Rounding of each key's share takes or gives one at most. */
const isLowered = (wanted: number, iterations: number): boolean => iterations < 0.95 * wanted - 1

/** Undefined where the rate stays as it is. */
function shapeOf(arrivals: Arrivals, factor: number): Arrivals | undefined {
  if (factor === 0 || arrivals.stages.every(({ rate }) => rate === arrivals.start_rate)) return undefined
  const { start_rate, stages } = scaled(arrivals, factor)
  const short = (rate: number): number => Number(rate.toPrecision(4))
  return { start_rate: short(start_rate), stages: stages.map(({ seconds, rate }) => ({ seconds, rate: short(rate) })) }
}

function rateOf(
  { part, schedule_s, arrivals, wanted = 0 }: ReportInput,
  tally: LoadReport['tally'],
): LoadReport['rate'] {
  const begun = total(tally, 'iterations', (key) => key === 'begun')
  const seconds = Math.min(schedule_s, part.duration_ms / 1_000)
  const perSecond = (count: number, over: number): number => (over > 0 ? Number((count / over).toPrecision(4)) : 0)
  const iterations = sumUp(part.iterations)
  const shape = shapeOf(arrivals, wanted === 0 ? 0 : iterations / wanted)
  return {
    target_per_s: perSecond(iterations, schedule_s),
    ...(isLowered(wanted, iterations) && iterations > 0 ? { wanted_per_s: perSecond(wanted, schedule_s) } : {}),
    ...(shape === undefined ? {} : { shape }),
    achieved_per_s: perSecond(begun, seconds),
    dropped: sumUp(part.dropped),
  }
}

function latencyOf(tally: LoadReport['tally'], operation: string): LatencySummary {
  const histogram = histogramOf(tally, operation)
  const at = (share: number): number => quantile(histogram, share)
  const intended = histogramOf(tally, operation, true)
  const wanted = (share: number): number => quantile(intended, share)
  return {
    count: histogram.total,
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    p999: at(0.999),
    max: at(1),
    ...(intended.total === 0 ? {} : { intended: { p50: wanted(0.5), p95: wanted(0.95), p99: wanted(0.99) } }),
  }
}

/** Keys of errors: where, HTTP status (`0` where no answer came, `-` where there is none), code. */
const errorKey = /^(\S+) (\S+) (.+)$/

function errorsIn(tally: LoadReport['tally']): readonly LoadError[] {
  const errors = Object.entries(tally['errors'] ?? {}).map(([key, count]): LoadError => {
    const [, phase = 'other', status = '', code = key] = errorKey.exec(key) ?? []
    const http = /^[1-9]\d\d$/.test(status) ? Number(status) : null
    return { phase, http, code, count }
  })
  return errors.toSorted((left, right) => right.count - left.count)
}

function generatorOf({ part, lag_bound_ms }: ReportInput, tally: LoadReport['tally']): LoadReport['generator'] {
  const lag = Math.max(...['handler_lag', 'timer_lag'].map((name) => quantile(histogramOf(tally, name), 0.99)))
  return { lag_p99_ms: lag, lag_bound_ms, dropped: sumUp(part.dropped), healthy: lag <= lag_bound_ms }
}
