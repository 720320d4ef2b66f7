/** Which part of the load one k6 process has, as k6 writes it: `1/4:1/2` of `0,1/4,1/2,3/4,1`. */
export interface Segment {
  readonly own: string
  readonly all: string
}

/** Cuts the load into equal parts; undefined for one process, which has all of it. */
export function segmentsOf(processes: number): readonly (Segment | undefined)[] {
  if (processes === 1) return [undefined]
  const edges = Array.from({ length: processes + 1 }, (_, place) => edge(place, processes))
  const all = edges.join(',')
  return edges.slice(1).map((end, place) => ({ own: `${edges[place]}:${end}`, all }))
}

function edge(place: number, processes: number): string {
  if (place === 0) return '0'
  return place === processes ? '1' : `${place}/${processes}`
}

/** All of the load, as a part says it. */
export const WHOLE = '0:1'

/**
 * Whether segments are all of one load: each there once, without a gap. k6 itself notices nothing when one is missing.
 *
 * @param own what the parts say that they had
 * @returns what is wrong, in words
 */
export function segmentTrouble(own: readonly string[]): string | undefined {
  const ranges = own.map(rangeOf).toSorted((left, right) => left.from - right.from)
  let reached = 0
  for (const { from, to, text } of ranges) {
    if (!(to > from)) return `${JSON.stringify(text)} is no segment`
    if (from > reached + slack) return `the segment from ${fraction(reached)} to ${fraction(from)} is missing`
    if (from < reached - slack) return `the segment ${text} is there twice, or overlaps another`
    reached = to
  }
  return reached < 1 - slack ? `the segment from ${fraction(reached)} to 1 is missing` : undefined
}

/** Fractions are compared as numbers: 1/3 and 2/6 are one place. */
const slack = 1e-9

function rangeOf(text: string): { readonly from: number; readonly to: number; readonly text: string } {
  const [from = '', to = ''] = text.includes(':') ? text.split(':') : ['0', text]
  return { from: numberOf(from), to: numberOf(to), text }
}

function numberOf(text: string): number {
  const [, over, under = '1'] = /^(\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(text) ?? []
  return over === undefined ? Number.NaN : Number(over) / Number(under)
}

function fraction(number: number): string {
  for (let under = 1; under <= 1_000; under += 1) {
    const over = Math.round(number * under)
    if (Math.abs(over / under - number) < slack) return under === 1 ? String(over) : `${over}/${under}`
  }
  return number.toPrecision(3)
}
