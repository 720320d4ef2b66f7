import type { Scenario } from '#scenario/author/scenario'
import { typicalOf } from '#scenario/plan/plan'
import { standardBehaviour } from '#target/behaviour/behaviour'
import { validationsOf } from '#target/validations'
import type { Job, JobResult } from './job.ts'
import type { Refusals } from './refusals.ts'
import unseenFile from './unseen-validations.json' with { type: 'json' }

/** What became of the validations of the reference target, each switched off alone. */
export interface ValidationProof {
  readonly validations: number
  readonly switched_off: number
  readonly caught: number
  /** Of these only together with the same validation of a start, to which a save may leave it. */
  readonly late: number
  /** Switched off without a requirement turning red, and not listed. */
  readonly missed: readonly string[]
  /** Nothing that a run sends is refused for them alone, and they are not listed. */
  readonly untried: readonly string[]
  /** Listed as what nothing turns red, and caught. */
  readonly needless: readonly string[]
  /** Listed, by their reason. */
  readonly unseen: Readonly<Record<string, number>>
}

/** Validations that nothing turns red, by the reason. */
export type Unseen = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** The committed list: reason, table, names. */
export const unseenValidations: Unseen = unseenFile

export interface ValidationWishes {
  readonly scenarios: readonly Scenario[]
  readonly seed: number
  readonly wanted: ReadonlySet<string>
}

/** Each of them once, as the reference target names it. */
export function idsOf(unseen: Unseen): readonly string[] {
  return Object.values(unseen).flatMap((tables) =>
    Object.entries(tables).flatMap(([table, names]) => names.map((name) => `${table}/${name}`)),
  )
}

/** Those whose id contains one of the parts; all of them where none is named. */
export function validationsNamed(only: readonly string[]): ReadonlySet<string> {
  if (only.length === 0) return known
  const parts = only.filter((part) => part.includes('/'))
  return new Set([...known].filter((id) => parts.some((part) => id.includes(part))))
}

/** How many of the scenarios that a validation refuses something of show what it means to be without it. */
const enough = 3

/** A target without the validation beside each of the cheapest scenarios that were refused for it, while nothing shows it. */
export function validationJobs({ alone }: Refusals, { scenarios, seed, wanted }: ValidationWishes): Job[] {
  const asked = [...alone].filter(([id]) => wanted.has(id))
  return asked.map(([id, refused]): Job => {
    const sending = scenarios.filter((one) => refused.includes(one.id))
    const inOrder = sending.toSorted((left, right) => costOf(left) - costOf(right))
    const ways = [[id], ...lateOf(id)].flatMap((waived) =>
      inOrder.slice(0, enough).map((one) => ({ tier: 'standard', only: [one.id], waived }) as const),
    )
    const [first = { tier: 'standard', only: [...refused], waived: [id] }, ...wider] = ways
    // What nothing is known to show needs no more than one look.
    const more = isListed(id) ? [] : wider
    const waits = inOrder[0]?.price.waits ?? 0
    return { id, kind: 'validation', defects: [], variations: [], ...first, wider: more, seed, waits }
  })
}

/** What a save of a character takes may still be refused when a session is started from it, so both are switched off. */
function lateOf(id: string): readonly (readonly string[])[] {
  const start = id.replace(/^(?:character|replacement)\//, 'start/')
  return start !== id && known.has(start) ? [[id, start]] : []
}

const known: ReadonlySet<string> = new Set(validationsOf(standardBehaviour()).keys())

const costOf = ({ price }: Scenario): number => typicalOf(price) + 20 * (price.waits ?? 0)

const listed: ReadonlySet<string> = new Set(idsOf(unseenValidations))

export function isListed(id: string): boolean {
  return listed.has(id)
}

/** A requirement that the scenarios of the run are meant to show came out red. */
export function isCaught({ red, only = [], errors }: JobResult, scenarios: readonly Scenario[]): boolean {
  const shown = new Set<string>(scenarios.filter(({ id }) => only.includes(id)).flatMap(({ proves }) => proves))
  return errors.length === 0 && red.some((id) => shown.has(id))
}

export function validationProof(
  refusals: Refusals,
  results: readonly JobResult[],
  { scenarios, wanted }: ValidationWishes,
): ValidationProof {
  const caught = results.filter((result) => isCaught(result, scenarios))
  const ids = new Set(caught.map(({ id }) => id))
  const open = [...wanted].filter((id) => !ids.has(id) && !isListed(id))
  const reasons = Object.entries(unseenValidations).map(([reason, tables]) => {
    return [reason, idsOf({ [reason]: tables }).filter((id) => wanted.has(id)).length] as const
  })
  return {
    validations: wanted.size,
    switched_off: results.length,
    caught: caught.length,
    late: caught.filter(({ waived = [] }) => waived.length > 1).length,
    missed: open.filter((id) => refusals.alone.has(id)),
    untried: open.filter((id) => !refusals.alone.has(id)),
    needless: [...listed].filter((id) => ids.has(id)),
    unseen: Object.fromEntries(reasons),
  }
}

export function validationsHold({ missed, untried, needless }: ValidationProof): boolean {
  return [missed, untried, needless].every((list) => list.length === 0)
}
