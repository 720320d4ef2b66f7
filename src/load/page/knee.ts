import { html } from '#page/html'
import { milliseconds, number } from '#page/numbers'
import { badge, table } from '#page/parts'
import { printable } from '#text/printable'
import type { Knee } from '../load-report.ts'
import { iterationsASecond } from '../results/throughput.ts'
import { type Chart, type Drawn, figure } from '#page/charts'

/** Throughput against latency, and the highest rate that held. */
export function kneeOf({ objective, steps, knee_per_s }: Knee): Drawn {
  const ordered = steps.toSorted((a, b) => a.achieved - b.achieved)
  const once = Math.max(0, ...steps.filter(({ held }) => held).map(({ rate }) => rate))
  const says =
    knee_per_s !== null
      ? `The highest rate that held, measured twice, is ${iterationsASecond(knee_per_s, number)}.`
      : once > 0
        ? `The highest rate that held is ${iterationsASecond(once, number)}; it was not found out whether more would.`
        : 'No rate held.'
  const chart: Chart = {
    id: 'knee-chart',
    title: 'p99 against what came about',
    says,
    axis: 'rate',
    x: ordered.map(({ achieved }) => achieved),
    unit: 'ms',
    lines: [
      { label: 'p99', values: ordered.map(({ p99_ms }) => p99_ms) },
      {
        label: 'p99 where the objective did not hold',
        values: ordered.map(({ held, invalid, p99_ms }) => (held || invalid === true ? null : p99_ms)),
      },
    ],
    marks: knee_per_s === null ? [] : [{ at: knee_per_s, label: `knee ${number(knee_per_s)}/s` }],
  }
  const columns = [
    { title: 'Try' },
    { title: 'Asked for', numeric: true },
    { title: 'Came about', numeric: true },
    { title: 'p99', numeric: true },
    { title: 'Held' },
  ]
  const rows = steps.map(({ rate, achieved, p99_ms, held, invalid }, index) => [
    String(index + 1),
    number(rate),
    number(achieved),
    milliseconds(p99_ms),
    held ? badge('good', 'held') : invalid === true ? badge('warn', 'says nothing') : badge('bad', 'did not hold'),
  ])
  const numbers = table('Every rate that was tried, in order', columns, rows)
  return { markup: html`<p>What had to hold: ${printable(objective)}.</p>${figure(chart, numbers)}`, charts: [chart] }
}
