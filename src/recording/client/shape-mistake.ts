import { placeOf } from '#judge/shape-rule'
import type { ShapeError } from '#spec/shape-error'
import { printable } from '#text/printable'

/** How a client's payload is not of its shape, in words. @param whole what it is called */
export function shapeMistake(error: ShapeError, whole: string): string {
  const place = printable(placeOf(error), 120)
  if (error.keyword === 'required') return `${place} is missing`
  if (error.property !== undefined) return `${place} has no business there`
  const where = place === '' ? whole : place
  return `${where}: expected ${printable(error.expected, 120)}, sent ${printable(error.got, 80)}`
}
