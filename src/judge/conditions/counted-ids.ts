/** Something that a workspace made, in the order of the trace. */
export interface Made {
  readonly workspace: string
  /** Which things are counted together, such as `file_id`. */
  readonly kind: string
  readonly id: string
  /** Of the answer that told the id, and of the request. */
  readonly line: number
  readonly sent: number
}

/** A number that is longer is no count. */
const mostDigits = 9
/** Others may use a workspace beside us, but not make so many things between two of ours. */
const mostBetween = 1_000

/** An id that ends in a number of its own, as counts do. */
function countOf(id: string): { readonly prefix: string; readonly number: number } | undefined {
  const [, prefix = '', digits = ''] = /^(.*[^A-Za-z0-9])?(\d+)$/su.exec(id) ?? []
  return digits === '' || digits.length > mostDigits ? undefined : { prefix, number: Number(digits) }
}

/**
 * Whether a workspace may have a thing of this id from before: its ids of this kind end in counts of its own, and at this line
 * its count had come as far.
 */
export function isCountedBefore(all: readonly Made[], asked: Omit<Made, 'sent'>): boolean {
  const wanted = countOf(asked.id)
  if (wanted === undefined || !areCountedApart(all)) return false
  return all.some(({ workspace, kind, id, line }) => {
    const given = countOf(id)
    if (workspace !== asked.workspace || kind !== asked.kind || line >= asked.line) return false
    return given !== undefined && given.prefix === wanted.prefix && given.number >= wanted.number
  })
}

/** In each workspace numbers rise step by step, and over all workspaces they do not: no count of all things does so. */
function areCountedApart(all: readonly Made[]): boolean {
  const kinds = Map.groupBy(all, ({ kind, id }) => JSON.stringify([kind, countOf(id)?.prefix]))
  const numbers = [...kinds.values()].map((made) => made.toSorted((one, other) => one.line - other.line))
  const own = numbers.flatMap((made) => [...Map.groupBy(made, ({ workspace }) => workspace).values()])
  return own.some((made) => made.length > 1) && own.every(isOneCount) && !numbers.every(isOneCount)
}

/**
 * Whether these numbers, in the order of their answers, may be those of one count: it goes step by step, and what was asked
 * for when an answer was there has a higher number. Of requests that ran side by side either may have been counted first.
 */
function isOneCount(made: readonly Made[]): boolean {
  const numbers = made.map(({ id }) => countOf(id)?.number ?? Number.NaN)
  const isStepwise = numbers.every((number, place) => {
    const step = place === 0 ? 1 : Math.abs(number - (numbers[place - 1] ?? 0))
    return step > 0 && step < mostBetween
  })
  if (!isStepwise) return false
  let [answered, highest] = [0, Number.NEGATIVE_INFINITY]
  return made
    .map(({ sent }, place) => ({ sent, number: numbers[place] ?? Number.NaN }))
    .toSorted((one, other) => one.sent - other.sent)
    .every(({ sent, number }) => {
      for (; (made[answered]?.line ?? Number.POSITIVE_INFINITY) < sent; answered += 1)
        highest = Math.max(highest, numbers[answered] ?? highest)
      return number > highest
    })
}
