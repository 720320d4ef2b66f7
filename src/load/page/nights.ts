import { type Html, html, nothing } from '#page/html'
import { number, percent } from '#page/numbers'
import { badge, type Cell, table } from '#page/parts'
import { printable } from '#text/printable'
import type { ChangePoint } from '../history/change-points.ts'
import { isBetter, type Night } from '../history/night.ts'
import { median } from '../history/statistics.ts'
import { nameOf, unitOf } from '../history/metric-names.ts'
import { comparable, nightsMissing, type Trend } from '../history/trend.ts'
import { type Chart, type Drawn, figure, type Mark } from '#page/charts'

/** Tonight against the nights before, each metric for itself, what got worse first. @param nights tonight's last */
export function overNights(nights: readonly Night[], found: readonly Trend[]): Drawn {
  if (nights.at(-1)?.verdict === 'invalid')
    return {
      markup: html`<p>Tonight is not compared: the run is invalid, so that its numbers are not the target’s.</p>`,
      charts: [],
    }
  const alike = comparable(nights)
  const others = nights.length - alike.length
  const left =
    others === 0
      ? ''
      : ` ${others} more ${others === 1 ? 'is' : 'are'} not compared: another scenario, workload, machine or target, or an unhealthy generator.`
  if (alike.length < 2) return { markup: html`<p>There is no earlier night to compare with.${left}</p>`, charts: [] }
  const missing = nightsMissing(nights)
  const trends = found.toSorted((a, b) => rank(a) - rank(b))
  const charts = trends.map(chartOf)
  const figures = charts.map((chart, index) => figure(chart, numbersOf(chart, trends[index]?.points ?? [])))
  return {
    markup: html`<p>${sentence(trends, missing)} ${alike.length} nights are ${missing > 0 ? 'there so far' : 'compared'}.${left}</p>
${summary(trends, missing)}
<div class="small-multiples">${figures}</div>
<p class="soft">Tonight alone is held against the median of 14 nights, the last two and three nights against all since the last lasting change, from four weeks on; what differs by less than 5 % is left alone, and the more numbers are watched, the further one has to be away. Lasting changes are found by E-divisive with a permutation test.</p>`,
    charts,
  }
}

function rank({ direction, changes }: Trend): number {
  if (direction === 'worse') return 0
  if (direction === 'better') return 1
  return changes.length > 0 ? 2 : 3
}

function sentence(trends: readonly Trend[], missing: number): string {
  if (missing > 0)
    return `Nothing is said of better or worse yet: ${missing} more ${missing === 1 ? 'night has' : 'nights have'} to show what is usual.`
  const worse = trends.filter(({ direction }) => direction === 'worse').map(({ metric }) => nameOf(metric))
  if (worse.length === 0) return 'Nothing got worse.'
  return `Got worse: ${worse.join(', ')}.`
}

function summary(trends: readonly Trend[], missing: number): Html {
  const columns = [
    { title: 'Metric' },
    { title: 'Tonight', numeric: true },
    { title: 'Usual', numeric: true },
    { title: 'Difference', numeric: true },
    { title: 'Newest nights' },
    { title: 'Lasting changes' },
  ]
  return table(
    'Tonight against the median of the nights before',
    columns,
    trends.map((trend) => summaryRow(trend, missing)),
  )
}

function summaryRow(trend: Trend, missing: number): readonly Cell[] {
  const values = trend.points.map(({ value }) => value)
  const tonight = values.at(-1)
  const usual = values.length > 1 ? median(values.slice(0, -1)) : undefined
  return [
    nameOf(trend.metric),
    withUnit(trend.metric, tonight),
    withUnit(trend.metric, usual),
    tonight === undefined || usual === undefined ? '–' : difference(usual, tonight),
    missing > 0 ? badge('calm', 'too few nights') : newest(trend),
    trend.changes.length === 0
      ? 'none'
      : trend.changes
          .map((change) => `${nightAt(trend, change.at)}: ${difference(change.before, change.after)}`)
          .join('; '),
  ]
}

function newest({ direction, shift }: Trend): Html {
  if (shift === undefined) return badge('calm', 'as usual')
  const nights = shift.nights === 1 ? 'tonight' : `${shift.nights} nights`
  const words = `${direction}: ${nights}, ${difference(shift.before, shift.after)}`
  return badge(direction === 'worse' ? 'bad' : 'good', words)
}

function chartOf(trend: Trend, index: number): Chart {
  const { metric, points, changes, shift } = trend
  const lasting = changes.map((change: ChangePoint) => markOf(metric, change.at, change))
  const start = shift === undefined ? undefined : points.length - shift.nights
  const isNew = start !== undefined && !lasting.some(({ at }) => at === start)
  const marks = shift !== undefined && isNew ? [...lasting, markOf(metric, start, shift)] : lasting
  return {
    id: `night-${index}`,
    title: nameOf(metric),
    says:
      marks.length === 0
        ? 'No change.'
        : `Changed: ${marks.map(({ at, label }) => `${nightAt(trend, at)} ${label}`).join('; ')}.`,
    axis: 'nights',
    x: points.map((_, at) => at),
    names: points.map(({ night }) => night),
    unit: unitOf(metric),
    lines: [{ label: nameOf(metric), values: points.map(({ value }) => value) }],
    marks,
    short: true,
  }
}

function markOf(metric: string, at: number, { before, after }: Pick<ChangePoint, 'before' | 'after'>): Mark {
  return { at, label: difference(before, after), tone: isBetter(metric, before, after) ? 'good' : 'bad' }
}

function numbersOf(chart: Chart, points: Trend['points']): Html {
  if (points.length === 0) return nothing
  const columns = [{ title: 'Night' }, { title: 'Run' }, { title: chart.title, numeric: true }]
  return table(
    `${chart.title}, night by night`,
    columns,
    points.map(({ night, run, value }) => [printable(night), printable(run, 40), number(value)]),
  )
}

function nightAt({ points }: Trend, at: number): string {
  return printable(points[at]?.night ?? '')
}

function difference(before: number, after: number): string {
  if (before === 0) return after === 0 ? '0 %' : `from 0 to ${number(after)}`
  const share = (after / before - 1) * 100
  return `${share > 0 ? '+' : share < 0 ? '−' : ''}${number(Math.abs(share))} %`
}

function withUnit(metric: string, value: number | undefined): string {
  if (value === undefined) return '–'
  return metric.endsWith('_share') ? percent(value) : `${number(value)} ${unitOf(metric)}`
}
