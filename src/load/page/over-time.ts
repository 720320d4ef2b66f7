import { areaUntil, dueAt } from '../../../load/core/arrivals.ts'
import { html, nothing } from '#page/html'
import { milliseconds, number } from '#page/numbers'
import { type Column, counted, table } from '#page/parts'
import { printable } from '#text/printable'
import type { LoadReport, Percentiles, TimelineWindow } from '../load-report.ts'
import { type Chart, chooser, type Drawn, figure, type Line } from '#page/charts'
import { hasEvents } from '../results/kind.ts'
import { isAskedKnown } from '../results/summary-text.ts'
import { iterationsASecond } from '../results/throughput.ts'
import { WINDOW_S } from '../results/timeline.ts'

/** Fewer windows than this make no chart. */
const fewestWindows = 3

/** More points than this no screen shows. */
const mostPoints = 240

/**
 * Joins windows until there are few enough to show. Counts add up; percentiles can't be joined, so that the worst window
 * stands for its neighbours.
 */
export function coarser(timeline: readonly TimelineWindow[]): readonly TimelineWindow[] {
  const size = sizeOf(timeline)
  if (size === 1) return timeline
  const groups = Map.groupBy(timeline.entries(), ([index]) => Math.floor(index / size))
  return [...groups.values()].map((group) => joined(group.map(([, window]) => window)))
}

function joined(windows: readonly TimelineWindow[]): TimelineWindow {
  const sum = (count: (window: TimelineWindow) => number): number =>
    windows.reduce((total, window) => total + count(window), 0)
  return {
    at_s: windows[0]?.at_s ?? 0,
    active_sessions: Math.max(...windows.map(({ active_sessions }) => active_sessions)),
    iterations: sum(({ iterations }) => iterations),
    events: sum(({ events }) => events),
    errors: sum(({ errors }) => errors),
    latencies: Object.fromEntries(operationsIn(windows).map((operation) => [operation, worst(windows, operation)])),
  }
}

function worst(windows: readonly TimelineWindow[], operation: string): Percentiles {
  const most = (share: keyof Percentiles): number =>
    Math.max(...windows.map(({ latencies }) => latencies[operation]?.[share] ?? 0))
  return { p50: most('p50'), p95: most('p95'), p99: most('p99') }
}

function operationsIn(windows: readonly TimelineWindow[]): readonly string[] {
  return [...new Set(windows.flatMap(({ latencies }) => Object.keys(latencies)))]
}

/** How many windows stand behind each point but the last, which may have fewer. */
function sizeOf(timeline: readonly TimelineWindow[]): number {
  return Math.max(1, Math.ceil(timeline.length / mostPoints))
}

/**
 * A count of each point, by the second. Starts of windows don't tell how long they last: the first one began before the run,
 * or alone.
 */
function perSecond({ timeline }: LoadReport, countOf: (window: TimelineWindow) => number): readonly number[] {
  const size = sizeOf(timeline)
  return coarser(timeline).map(
    (window, point) => countOf(window) / (WINDOW_S * Math.min(size, timeline.length - point * size)),
  )
}

export function rateOverTime(report: LoadReport): Drawn {
  const windows = coarser(report.timeline)
  const due = windowsDue(report, windows)
  const { target_per_s, achieved_per_s, dropped, shape } = report.rate
  const lines: readonly Line[] = [
    {
      label: 'began',
      values: whole(
        perSecond(report, ({ iterations }) => iterations),
        due,
      ),
    },
    ...((isAskedKnown(report) || shape !== undefined) && target_per_s > 0
      ? [
          {
            label: 'asked for',
            values: askedIn(report, windows).map((asked, index) => (index < due ? asked : null)),
            reference: true,
          },
        ]
      : []),
  ]
  const average = ` Each point is an average over ${WINDOW_S} seconds; those in which iterations began or ceased to be due have none.`
  const chart = due >= fewestWindows
  const averaged = shape === undefined ? '' : ', on the average'
  const asked = isAskedKnown(report)
    ? `${iterationsASecond(target_per_s, number)} ${target_per_s === 1 ? 'was' : 'were'} asked for${averaged}, and `
    : ''
  const began = asked === '' ? `${iterationsASecond(achieved_per_s, number)} began` : `${number(achieved_per_s)} began`
  const says = `${asked}${began}; ${number(dropped)} ${dropped === 1 ? 'was' : 'were'} due and never began.${chart ? average : ''}`
  // The line ends with what was due, and the axis with the run, as those of the other charts do.
  const shown = chart ? windows : windows.slice(0, due)
  return drawn(shown, { id: 'rate-chart', title: 'Iterations a second', says, unit: '/s', lines })
}

/**
 * How many iterations a second were asked for in each window. Nothing tells when a schedule began but how many iterations of it
 * the first of its windows saw.
 */
function askedIn({ rate, timeline }: LoadReport, windows: readonly TimelineWindow[]): readonly number[] {
  const { shape, target_per_s } = rate
  const first = timeline.find(({ iterations }) => iterations > 0)
  if (shape === undefined || first === undefined) return windows.map(() => target_per_s)
  const began = first.at_s + WINDOW_S - Math.min(WINDOW_S, dueAt(shape, first.iterations - 1) / 1_000)
  const last = (windows.at(-1)?.at_s ?? 0) + WINDOW_S
  return windows.map(({ at_s }, index) => {
    const until = windows[index + 1]?.at_s ?? last
    return (areaUntil(shape, until - began) - areaUntil(shape, at_s - began)) / (until - at_s)
  })
}

/** Without the first window and the last one: only a part of them counts, and nobody knows which. */
function whole(values: readonly number[], count = values.length): readonly (number | null)[] {
  return values.map((value, index) => (index > 0 && index < count - 1 ? value : null))
}

/** How many windows had iterations due. Where none was dropped, none was due after the last one that began. */
function windowsDue({ rate }: LoadReport, windows: readonly TimelineWindow[]): number {
  const last = windows.findLastIndex(({ iterations }) => iterations > 0)
  return rate.dropped > 0 || last === -1 ? windows.length : last + 1
}

export function sessionsOverTime(report: LoadReport): Drawn {
  const windows = coarser(report.timeline)
  const values = windows.map(({ active_sessions }) => active_sessions)
  if (values.every((open) => open === 0))
    return { markup: html`<p>No session was open at the end of any window of ${WINDOW_S} seconds.</p>`, charts: [] }
  const says = `At most ${counted(Math.max(0, ...values), 'session')} open at the end of a window; ${number(values.at(-1) ?? 0)} at the end.`
  return drawn(windows, {
    id: 'sessions-chart',
    title: 'Active sessions',
    says,
    unit: 'open',
    lines: [{ label: 'open', values }],
  })
}

export function eventsOverTime(report: LoadReport): Drawn {
  if (!hasEvents(report))
    return { markup: html`<p>No control connection was opened, so that no events could come.</p>`, charts: [] }
  const windows = coarser(report.timeline)
  const rates = perSecond(report, ({ events }) => events)
  const values = whole(rates)
  const says = `At most ${number(Math.max(0, ...rates))} events a second came over all control channels.`
  if (values.filter((value) => value !== null).length < 2) return { markup: html`<p>${says}</p>`, charts: [] }
  return drawn(windows, {
    id: 'events-chart',
    title: 'Events a second',
    says,
    unit: '/s',
    lines: [{ label: 'received', values }],
  })
}

export function errorsOverTime(report: LoadReport): Drawn {
  const windows = coarser(report.timeline)
  const values = windows.map(({ errors }) => errors)
  const first = windows.find(({ errors }) => errors > 0)
  if (first === undefined) return { markup: nothing, charts: [] }
  const says = `The first came ${number(first.at_s)} s after the start.`
  return drawn(windows, {
    id: 'errors-chart',
    title: 'Errors',
    says,
    unit: 'errors',
    lines: [{ label: 'errors', values }],
  })
}

const shares = [
  { share: 'p50', name: 'Median' },
  { share: 'p95', name: 'p95' },
  { share: 'p99', name: 'p99' },
] as const

/** One chart a percentile; one is shown at a time, p95 first. */
export function latencyOverTime(report: LoadReport): Drawn {
  const windows = coarser(report.timeline)
  const operations = operationsIn(windows)
  if (operations.length === 0 || windows.length < fewestWindows) return { markup: nothing, charts: [] }
  const merged = report.timeline.length > windows.length ? ' Each point is the worst of several windows.' : ''
  const one = ({ share, name }: (typeof shares)[number]): Drawn => {
    const values = (operation: string): readonly (number | null)[] =>
      windows.map(({ latencies }) => latencies[operation]?.[share] ?? null)
    const lines = operations.map((operation) => ({ label: printable(operation, 60), values: values(operation) }))
    const says = `${highest(lines)}${merged}`
    return drawn(
      windows,
      {
        id: `latency-${share}`,
        title: `${name} of each window, by operation`,
        says,
        unit: 'ms',
        lines,
        logarithmic: true,
      },
      'latency',
    )
  }
  const ordered = shares.toSorted((a, b) => Number(b.share === 'p95') - Number(a.share === 'p95'))
  const all = ordered.map(one)
  const choices = ordered.map(({ share, name }) => ({ id: `latency-${share}`, name }))
  const markup = html`${chooser('latency', 'Percentile', choices)}${all.map((each) => each.markup)}`
  return { markup, charts: all.flatMap(({ charts }) => charts) }
}

function highest(lines: readonly Line[]): string {
  const tops = lines.map(({ label, values }) => ({ label, top: Math.max(0, ...values.map((value) => value ?? 0)) }))
  const [first] = tops.toSorted((a, b) => b.top - a.top)
  return first === undefined ? '' : `The slowest window was one of ${first.label}, with ${milliseconds(first.top)}.`
}

type Parts = Pick<Chart, 'id' | 'title' | 'says' | 'unit' | 'lines' | 'logarithmic'>

function drawn(windows: readonly TimelineWindow[], parts: Parts, group?: string): Drawn {
  const x = windows.map(({ at_s }) => at_s)
  const chart: Chart = { ...parts, axis: 'seconds', x }
  if (windows.length === 0) return { markup: html`<p>${parts.title}: no window was recorded.</p>`, charts: [] }
  if (windows.length < fewestWindows) {
    const few = `${counted(windows.length, 'window')} of ${WINDOW_S} seconds ${windows.length === 1 ? 'makes' : 'make'} no chart.`
    return { markup: html`<p>${parts.says} ${few}</p>`, charts: [] }
  }
  const columns: readonly Column[] = [
    { title: 'Seconds', numeric: true },
    ...parts.lines.map(({ label }) => ({ title: label, numeric: true })),
  ]
  const rows = x.map((at, index) => [number(at), ...parts.lines.map(({ values }) => number(values[index]))])
  return { markup: figure(chart, table(`${parts.title}, in ${parts.unit}`, columns, rows), group), charts: [chart] }
}
