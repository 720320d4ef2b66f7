import { type Html, html, nothing } from '#page/html'
import { duration, milliseconds, moment, number, percent } from '#page/numbers'
import { badge, type Column, counted, type Figure, figures, table, type Tone } from '#page/parts'
import { printable } from '#text/printable'
import type { NightChange } from '../history/changes.ts'
import type { LoadReport, ObjectiveResult } from '../load-report.ts'
import { capsFound, hasEvents, provokes, runsOnce, targetOf } from '../results/kind.ts'
import { isAskedKnown } from '../results/summary-text.ts'
import { eventRateOf, paceOf } from '../results/throughput.ts'

const tones: { readonly [verdict in LoadReport['verdict']]: Tone } = { pass: 'good', fail: 'bad', invalid: 'warn' }

const meanings: { readonly [verdict in LoadReport['verdict']]: string } = {
  pass: 'The target held, and the generator was healthy.',
  fail: 'The target did wrong or missed an objective.',
  invalid: 'The run was not what it had to be: it says nothing about the target.',
}

function askedFor(report: LoadReport): string {
  const { target_per_s, wanted_per_s } = report.rate
  if (report.broke !== undefined)
    return `until the ${report.broke.by === 'target' ? 'target broke' : 'generator gave way'}`
  if (!isAskedKnown(report)) return 'how many were asked for is not known'
  const asked = `of ${number(target_per_s)} asked for`
  return wanted_per_s === undefined
    ? asked
    : `${asked}: the keys allow no more of the ${number(wanted_per_s)} that the workload wants`
}

/** The first screen: what was run, what it came to and why. @param changes against the nights before */
export function header(report: LoadReport, changes: readonly NightChange[]): Html {
  const { scenario, workload, verdict, reasons, notes = [], started, duration_ms, exit, mix } = report
  const parts = mix?.map(({ scenario: name, weight }) => `${name} × ${number(weight)}`).join(', ')
  return html`<p class="over">Greenroom load · ${printable(targetOf(report))} · ${moment(started)}, ${duration(duration_ms)}</p>
<div class="verdict"><h1>${printable(scenario)}, ${printable(workload)}</h1>${badge(tones[verdict], verdict)}</div>
<p>${meanings[verdict]}${parts === undefined ? nothing : ` Mix: ${printable(parts)}.`}${exit === 130 ? ' It was interrupted.' : ''}</p>
${reasons.length === 0 ? nothing : html`<ul class="why">${reasons.map((reason) => html`<li>${printable(reason)}</li>`)}</ul>`}
${notes.map((note) => html`<p class="soft">Note: ${printable(note)}</p>`)}
${againstNights(changes)}
${figures(keyFigures(report))}`
}

/** More lines than this stand below alone. */
const mostChanges = 6

/** What is worse than in the nights before: who opens the page in the morning looks for it first. */
function againstNights(changes: readonly NightChange[]): Html {
  const worse = changes.filter(({ direction }) => direction === 'worse')
  const better = changes.length - worse.length
  if (changes.length === 0) return nothing
  const more = worse.length - mostChanges
  const rest = [...(more > 0 ? [`${more} more worse`] : []), ...(better > 0 ? [`${better} better`] : [])].join(', ')
  const lines = worse.slice(0, mostChanges).map(({ text }) => html`<li>${text}</li>`)
  return html`${worse.length === 0 ? nothing : html`<p><strong>Worse than in the nights before:</strong></p><ul class="why">${lines}</ul>`}
<p><a href="#nights">All that is measured, night by night</a>${rest === '' ? nothing : ` (${rest})`}</p>`
}

function keyFigures(report: LoadReport): readonly Figure[] {
  const { timeline, errors } = report
  const sum = (count: (window: LoadReport['timeline'][number]) => number): number =>
    timeline.reduce((total, window) => total + count(window), 0)
  const events = sum((window) => window.events)
  const iterations = sum((window) => window.iterations)
  const failed = errors.reduce((total, { count }) => total + count, 0)
  const peak = Math.max(0, ...timeline.map(({ active_sessions }) => active_sessions))
  const [slowest] = Object.entries(report.latencies).toSorted(([, a], [, b]) => (b.p95 ?? 0) - (a.p95 ?? 0))
  return [
    ...brokeFigure(report),
    ...paceFigures(report, iterations),
    ...(hasEvents(report)
      ? [{ name: 'Events', value: number(events), note: paceOf(eventRateOf(report), number) }]
      : []),
    ...(peak > 0 ? [{ name: 'Active sessions', value: number(peak), note: 'the most at the end of a window' }] : []),
    {
      name: 'Errors',
      value: number(failed),
      ...(iterations > 0 ? { note: errorNote(report, failed, iterations) } : {}),
    },
    ...(slowest === undefined
      ? []
      : [{ name: 'Slowest p95', value: milliseconds(slowest[1].p95), note: printable(slowest[0], 60) }]),
  ]
}

/** What a climb is made for. */
function brokeFigure({ broke }: LoadReport): readonly Figure[] {
  if (broke === undefined) return []
  const { by, held_per_s, rate_per_s } = broke
  const value = held_per_s === null ? 'none' : number(held_per_s)
  return [
    {
      name: 'Highest rate that held',
      value,
      note: `a second; ${by === 'target' ? 'it broke' : 'the generator gave way'} at ${number(rate_per_s)}`,
    },
  ]
}

/** What a schedule came to; a scenario that runs once has none. */
function paceFigures(report: LoadReport, iterations: number): readonly Figure[] {
  const { rate } = report
  if (!runsOnce(report))
    return [
      { name: 'Iterations a second', value: number(rate.achieved_per_s), note: askedFor(report) },
      { name: 'Dropped', value: number(rate.dropped), note: 'due, and never began' },
    ]
  const caps = capsFound(report)
  return [
    { name: 'Iterations', value: number(iterations), note: 'by no schedule: it runs once' },
    ...(caps.length === 0 ? [] : [{ name: 'Cap', value: caps.join(', '), note: 'sessions at a time, as found' }]),
  ]
}

function errorNote(report: LoadReport, failed: number, iterations: number): string {
  return failed > 0 && provokes(report) ? 'with the refusals that it is there for' : errorShare(failed, iterations)
}

/** A scenario that crosses limits is refused many times in an iteration. */
function errorShare(failed: number, iterations: number): string {
  const share = failed / iterations
  return share > 1 ? `${number(share)} in an iteration` : `${percent(share)} of ${counted(iterations, 'iteration')}`
}

export function objectives({ objectives: list }: LoadReport): Html {
  if (list.length === 0)
    return html`<p>The profile asks for none. <code>objectives</code> in the profile names what has to hold: percentiles by operation, the share of errors, a throughput.</p>`
  const columns: readonly Column[] = [
    { title: 'Objective' },
    { title: 'Holds' },
    { title: 'Bound', numeric: true },
    { title: 'Measured', numeric: true },
  ]
  const rows = list
    .toSorted((a, b) => Number(a.holds) - Number(b.holds))
    .map((one) => [
      printable(one.operation === null ? one.name : `${one.operation} ${one.name}`),
      one.holds ? badge('good', 'holds') : badge('bad', one.got === null ? 'not measured' : 'missed'),
      shown(one, one.bound),
      shown(one, one.got),
    ])
  return table('What the profile asks for', columns, rows)
}

function shown({ name }: ObjectiveResult, value: number | null): string {
  if (name.endsWith('_ms')) return milliseconds(value)
  return name.endsWith('share') ? percent(value) : number(value)
}

export function latencyTable({ latencies }: LoadReport): Html {
  const operations = Object.entries(latencies)
  if (operations.length === 0) return html`<p>Nothing was timed.</p>`
  const isDue = operations.some(([, { intended }]) => intended !== undefined)
  const due = isDue ? ['Due p50', 'Due p95', 'Due p99'] : []
  const titles = ['Count', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'Max', ...due]
  const columns = [{ title: 'Operation' }, ...titles.map((title) => ({ title, numeric: true }))]
  const rows = operations.map(([operation, { count, p50, p90, p95, p99, p999, max, intended }]) => [
    printable(operation, 60),
    number(count),
    ...[p50, p90, p95, p99, p999, max].map((value) => number(value)),
    ...(isDue ? [intended?.p50, intended?.p95, intended?.p99].map((value) => number(value)) : []),
  ])
  return html`${table('Milliseconds by operation, over the whole run', columns, rows)}
${isDue ? html`<p class="soft">"Due" counts from the moment at which the schedule wanted it sent, not from the moment at which it was.</p>` : nothing}`
}

export function generator({ generator: health, machine, versions, parts }: LoadReport): Html {
  const { lag_p99_ms, lag_bound_ms, dropped, healthy } = health
  return html`<p>${healthy ? badge('good', 'healthy') : badge('bad', 'not healthy')} ${
    healthy
      ? 'What was measured is the target’s time, not ours.'
      : 'The machine that made the load was behind: times that it measured late are not the target’s.'
  }</p>
${figures([
  { name: 'Events lay in k6, p99', value: milliseconds(lag_p99_ms), note: `${milliseconds(lag_bound_ms)} allowed` },
  { name: 'Dropped iterations', value: number(dropped) },
  { name: 'k6 processes', value: number(parts), note: `k6 ${printable(versions.k6)}` },
  {
    name: 'Machine',
    value: `${machine.cpus} CPUs, ${number(machine.memory_bytes / 2 ** 30)} GiB`,
    note: printable(machine.platform),
  },
])}
<p class="soft">Greenroom ${printable(versions.greenroom)}, Node ${printable(versions.node)}. One k6 handles about an eighth of the events that a bare WebSocket client on Node does.</p>`
}
