import type { Results, Verdict } from '#judge/results'
import { type Html, html } from '#page/html'
import { duration, milliseconds, moment, number } from '#page/numbers'
import { type Cell, counted, table } from '#page/parts'
import { printable } from '#text/printable'
import { conclude } from '../conclusion.ts'
import { columns as countedColumns, countAll } from '../counts.ts'
import { type Latency, latenciesIn } from '../latency-difference.ts'
import type { ComparedRun } from './shown-run.ts'
import { columnName, verdictBadge } from './verdict-badge.ts'

/** Several runs: what each came to, every requirement on which they differ, and how long each let wait. */
export function sideBySide(runs: readonly ComparedRun[]): Html {
  const all = runs.map(({ results }) => results)
  const columns = [{ title: 'Run' }, ...all.map((results, index) => ({ title: nameOf(results, index) }))]
  const facts: readonly (readonly [string, (results: Results) => Cell])[] = [
    ['Conclusion', (results) => conclude(results).sentence],
    ['Target', ({ target }) => printable(target.base_url)],
    ['When', ({ run }) => moment(run.date)],
    ['Tier', ({ run }) => run.tier],
    ...countedColumns.map(
      (column) => [columnName(column), (results: Results) => number(countAll(results)[column])] as const,
    ),
    ['REST requests', ({ traffic }) => number(traffic.rest_requests)],
    ['Duration', ({ run }) => duration(run.duration_ms)],
  ]
  const rows = facts.map(([name, value]) => [name, ...all.map(value)])
  return html`${table('Runs side by side; all else on this page is of the first', columns, rows)}${differences(all, columns)}${slowness(runs, columns)}`
}

/** The p95 of what several runs timed, first what differs the most. */
function slowness(runs: readonly ComparedRun[], columns: readonly { readonly title: string }[]): Html {
  const timed = runs.map(({ index }) => (index === undefined ? undefined : latenciesIn(index)))
  if (timed.filter((one) => one !== undefined).length < 2)
    return html`<p>Latencies are read from the traces, of which fewer than two were at hand.</p>`
  const names = [...new Set(timed.flatMap((one) => [...(one?.keys() ?? [])]))]
  const times = (name: string): readonly number[] => timed.flatMap((one) => one?.get(name)?.p95_ms ?? [])
  const spread = (name: string): number => Math.max(...times(name)) - Math.min(...times(name))
  const rows = names
    .filter((name) => times(name).length > 1)
    .toSorted((one, other) => spread(other) - spread(one))
    .map((name) => [printable(name), ...timed.map((one) => shownP95(one?.get(name)))])
  const titles = columns.slice(1).map(({ title }) => ({ title, numeric: true }))
  return table('Latency, p95: reported, never judged', [{ title: 'What' }, ...titles], rows)
}

const shownP95 = (latency: Latency | undefined): Cell =>
  latency === undefined ? 'not timed' : milliseconds(latency.p95_ms)

function nameOf({ run }: Results, index: number): string {
  return `${index + 1}: run ${printable(run.id, 40)}`
}

function differences(all: readonly Results[], columns: readonly { readonly title: string }[]): Html {
  const found = all.map(({ requirements }) => new Map(requirements.map(({ id, verdict }) => [id, verdict])))
  const ids = new Set(found.flatMap((one) => [...one.keys()]))
  const differing = [...ids].filter((id) => new Set(found.map((one) => one.get(id))).size > 1)
  if (differing.length === 0) return html`<p>They agree on every requirement.</p>`
  const cell = (verdict: Verdict | undefined): Cell => (verdict === undefined ? 'not in it' : verdictBadge(verdict))
  const worst = (id: string): number => (found.some((one) => one.get(id) === 'fail') ? 0 : 1)
  const rows = differing
    .toSorted((a, b) => worst(a) - worst(b))
    .map((id) => [html`<a class="mono" href="#${id}">${printable(id)}</a>`, ...found.map((one) => cell(one.get(id)))])
  const named = [{ title: 'Requirement' }, ...columns.slice(1)]
  return table(`${counted(differing.length, 'requirement')} on which they differ`, named, rows)
}
