import type { Pattern, Point } from '#trace/claim'
import type { Json } from '#trace/json'
import type { Resolved } from './conditions/operands.ts'

const longest = 300

/** A JSON value in words that fit a line. */
export function show(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

export function showResolved(resolved: Resolved): string {
  switch (resolved.found) {
    case 'value':
      return show(resolved.value)
    case 'absent':
      return 'nothing (absent)'
    case 'several':
      return `one of ${show(resolved.values)}`
    case 'nothing':
      return resolved.why
  }
}

export function showPattern(pattern: Pattern): string {
  const where = pattern.where === undefined ? '' : ` with ${show(pattern.where as Json)}`
  return `${pattern.type ?? 'an event'}${where}`
}

export function showPatterns(patterns: readonly Pattern[]): string {
  return patterns.map(showPattern).join(' or ')
}

export function showPoint(point: Point): string {
  const plus = point.plus_ms === undefined ? '' : ` + ${point.plus_ms} ms`
  if ('exchange' in point)
    return `${point.edge === 'answered' ? 'the answer to ' : ''}exchange ${point.exchange}${plus}`
  if ('frame' in point) return `frame ${point.frame}${plus}`
  if ('mark' in point) return `mark ${point.mark}${plus}`
  if ('event' in point) return `${showPattern(point.event.match)}${plus}`
  return `channel ${point.channel} ${point.edge}${plus}`
}
