import { number, percent } from '#page/numbers'
import { nameOf, unitOf } from './metric-names.ts'
import type { Night } from './night.ts'
import { nightsMissing, type Trend, trendsOf } from './trend.ts'

/** What is worse or better tonight than in the nights before, one line for each operation, what is worse first. */
export interface NightChange {
  readonly direction: 'worse' | 'better'
  /** "create: p50 8.4 → 108 ms, p95 41.6 → 137 ms" */
  readonly text: string
}

/** By statistics; nothing for a night that says nothing, or that has too few before it. */
export function nightChanges(nights: readonly Night[]): readonly NightChange[] {
  if (nights.at(-1)?.verdict === 'invalid' || nightsMissing(nights) > 0) return []
  const moved = trendsOf(nights).filter(({ direction }) => direction !== 'same')
  const groups = Map.groupBy(moved, ({ metric, direction }) => `${direction} ${metric.replace(/\..*/, '')}`)
  const changes = [...groups.values()].map(changeOf)
  return changes.toSorted((a, b) => Number(b.direction === 'worse') - Number(a.direction === 'worse'))
}

function changeOf(trends: readonly Trend[]): NightChange {
  const direction = trends[0]?.direction === 'better' ? 'better' : 'worse'
  const operation = (trends[0]?.metric ?? '').replace(/\..*/, '')
  const parts = trends.map(({ metric, shift }) => {
    const { before = 0, after = 0, nights = 1 } = shift ?? {}
    const share = metric.endsWith('_share')
    const [from, to] = [before, after].map((value) => (share ? percent(value) : number(value)))
    const unit = unitOf(metric)
    const name = metric.includes('.') ? nameOf(metric).slice(operation.length + 1) : ''
    const since = nights > 1 ? ` (${nights} nights)` : ''
    return `${name} ${from} → ${to}${unit === '' ? '' : ` ${unit}`}${since}`.trim()
  })
  const what = trends[0]?.metric.includes('.') === true ? operation : nameOf(trends[0]?.metric ?? '')
  return { direction, text: `${what}: ${parts.join(', ')}` }
}
