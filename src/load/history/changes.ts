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

/** By statistics; nothing for a night that says nothing, or that has too few before it. @param trends of these nights */
export function nightChanges(nights: readonly Night[], trends = trendsOf(nights)): readonly NightChange[] {
  if (nightsMissing(nights) > 0) return []
  const moved = trends.filter(({ direction }) => direction !== 'same')
  const groups = Map.groupBy(moved, ({ metric, direction }) => `${direction} ${splitOf(metric).what}`)
  const changes = [...groups.values()].map(changeOf)
  return changes.toSorted((a, b) => Number(b.direction === 'worse') - Number(a.direction === 'worse'))
}

function changeOf(trends: readonly Trend[]): NightChange {
  const { metric: first = '', direction } = trends[0] ?? {}
  const parts = trends.map(({ metric, shift }) => {
    const { before = 0, after = 0, nights = 1 } = shift ?? {}
    const share = metric.endsWith('_share')
    const [from, to] = [before, after].map((value) => (share ? percent(value) : number(value)))
    const unit = unitOf(metric)
    const since = nights > 1 ? ` (${nights} nights)` : ''
    return `${splitOf(metric).part} ${from} → ${to}${unit === '' ? '' : ` ${unit}`}${since}`.trim()
  })
  return { direction: direction === 'better' ? 'better' : 'worse', text: `${splitOf(first).what}: ${parts.join(', ')}` }
}

/** "create" and "p95" for `create.p95_ms`; what is of no operation has no parts: "Events a second". */
function splitOf(metric: string): { readonly what: string; readonly part: string } {
  const [operation = '', ...rest] = metric.split('.')
  if (rest.length === 0) return { what: nameOf(metric), part: '' }
  return { what: operation, part: nameOf(metric).slice(operation.length + 1) }
}
