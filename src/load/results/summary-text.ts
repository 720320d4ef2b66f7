import { counted } from '#page/parts'
import type { LoadReport } from '../load-report.ts'
import { capsFound, hasEvents, judgedLaws, provokes, runsOnce, targetOf } from './kind.ts'
import { eventRateOf, iterationsASecond, paceOf } from './throughput.ts'

const words = { pass: 'PASS', fail: 'FAIL', invalid: 'INVALID' } as const

/** The report for people: verdict and why, then the numbers that it rests on. */
export function summaryText(report: LoadReport): string {
  const { scenario, workload, parts, duration_ms, verdict, reasons, notes = [] } = report
  const seconds = (duration_ms / 1_000).toFixed(1)
  return [
    `${words[verdict]} ${scenario} · ${workload} · ${parts} k6 · ${seconds} s · ${targetOf(report)}`,
    ...reasons.map((reason) => `  ${reason}`),
    ...notes.map((note) => `  note: ${note}`),
    ...kneeLines(report),
    '',
    `  ${traffic(report)}`,
    ...errorLines(report),
    ...latencyTable(report),
    ...lawLines(report),
    ...report.objectives.map(objectiveLine),
    `  ${requirementsLine(report)}`,
    '',
  ].join('\n')
}

/** What a search came to; the numbers below are those of one of its runs. */
function kneeLines({ knee }: LoadReport): string[] {
  if (knee === undefined || knee.knee_per_s === null) return []
  return [`  the highest rate that held, measured twice, is ${iterationsASecond(knee.knee_per_s)}: ${knee.objective}`]
}

function traffic(report: LoadReport): string {
  const { rate, counts, errors } = report
  const sum = (name: string): number => Object.values(counts[name] ?? {}).reduce((all, count) => all + count, 0)
  const failed = errors.reduce((all, { count }) => all + count, 0)
  const begun = counts['iterations']?.['begun'] ?? 0
  const pace = runsOnce(report)
    ? 'by no schedule'
    : `${rate.achieved_per_s} a second${isAskedKnown(report) ? ` of ${rate.target_per_s}` : ''}, ${rate.dropped} dropped`
  const { wanted_per_s: wanted } = rate
  const lowered =
    wanted === undefined ? '' : `; the workload wants ${wanted} a second, and the keys of the profile allow no more`
  const events = hasEvents(report)
    ? `${counted(sum('events'), 'event')} (${paceOf(eventRateOf(report), threeDigits)}), `
    : ''
  const meant = failed > 0 && provokes(report) ? ', with the refusals that it is there for' : ''
  return `${counted(begun, 'iteration')} (${pace}${lowered}), ${events}${counted(failed, 'error')}${meant}`
}

/** A k6 that was killed leaves no word of its schedule, and one that was ended early did not come to most of it. */
export const isAskedKnown = ({ rate: { target_per_s, achieved_per_s }, broke }: LoadReport): boolean =>
  broke === undefined && (target_per_s > 0 || achieved_per_s === 0)

const threeDigits = (value: number): string => `${Number(value.toPrecision(3))}`

/** What a scenario with laws of its own found out; those that were broken stand among the reasons. */
function lawLines(report: LoadReport): readonly string[] {
  const laws = judgedLaws(report)
  const caps = capsFound(report)
  const broken = laws.filter((one) => one.broken > 0).length
  return [
    ...(caps.length === 0 ? [] : [`  cap that was found: ${caps.join(', ')} open at a time`]),
    ...(laws.length === 0 ? [] : [`  ${counted(laws.length, 'law')} had something to judge, ${broken} broken`]),
  ]
}

/** Whoever has many kinds of errors finds them on the page. */
const mostErrors = 3

function errorLines({ errors }: LoadReport): readonly string[] {
  const lines = errors.slice(0, mostErrors).map(({ phase, http, code, count }) => {
    const status = http === null ? '' : `, HTTP ${http}`
    return `  ${count} × ${phase}${status}, ${/^\d+$/.test(code) ? `code ${code}` : code}`
  })
  const more = errors.length - lines.length
  return more > 0 ? [...lines, `  and ${more} other kinds`] : lines
}

function latencyTable({ latencies }: LoadReport): readonly string[] {
  const rows = Object.entries(latencies).map(([name, { count, p50, p95, p99, max }]) => [
    name,
    count,
    p50,
    p95,
    p99,
    max,
  ])
  if (rows.length === 0) return []
  const cells = [['milliseconds', 'count', 'p50', 'p95', 'p99', 'max'], ...rows].map((row) => row.map(String))
  return cells.map(
    ([name = '', ...numbers]) => `  ${name.padEnd(20)}${numbers.map((cell) => cell.padStart(9)).join('')}`,
  )
}

function objectiveLine({ name, operation, bound, got, holds }: LoadReport['objectives'][number]): string {
  const what = operation === null ? name : `${operation} ${name}`
  const value = got === null ? 'not measured' : Number(got.toPrecision(3))
  return `  ${holds ? 'holds ' : 'missed'}  ${what}: ${value}, bound ${bound}`
}

function requirementsLine({ requirements, samples }: LoadReport): string {
  const broken = requirements.filter(({ verdict }) => verdict === 'fail').length
  const seen = `${counted(requirements.length, 'requirement')} had something to judge`
  return `${counted(samples.conversations, 'conversation')} recorded in full: ${seen}, ${broken} broken`
}
