import { printable } from '#text/printable'

const names: { readonly [metric: string]: string } = {
  iterations_per_s: 'Iterations a second',
  events_per_s: 'Events a second',
  knee_per_s: 'Knee, iterations a second',
  held_per_s: 'Highest rate that held',
  error_share: 'Errors for each iteration',
}

/** "create p95" for `create.p95_ms`. */
export function nameOf(metric: string): string {
  return names[metric] ?? printable(metric.replace(/_ms$/, '').replace('.', ' '))
}

export function unitOf(metric: string): string {
  if (metric.endsWith('_ms')) return 'ms'
  return metric.endsWith('_per_s') ? '/s' : ''
}
