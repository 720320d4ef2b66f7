import type { Condition, Operand } from '#trace/claim'
import { absent, different, value } from '#trace/conditions'
import type { AnyContext } from '#scenario/author/context'
import { fullId, type Row } from './rows.ts'

/** When a claim counts; without any of these always. */
export interface Terms {
  readonly given?: readonly Condition[]
  /** Where a correct target may well leave `given` unmet: then that does not block. */
  readonly choice?: boolean
}

/** A condition that must hold, and when it counts. */
export interface Counted {
  readonly condition: Condition
  readonly terms: Terms
}

export type Expected = Condition | Counted

/** What is expected, by the row that asks for it. */
export type Expectations<R extends Row> = { readonly [row in R]?: Expected | readonly Expected[] | undefined }

/** Says, before an event is sent, what is expected of it. */
export type Expect<R extends Row, About> = (about: About) => Expectations<R> | undefined

type Conditions = Condition | readonly Condition[]

/** Counts where all of these hold; where one does not, something stood in the way, and that blocks. */
export const given = (conditions: Conditions, condition: Condition): Counted => ({
  condition,
  terms: { given: [conditions].flat() },
})

/** Counts where all of these hold; where one does not, a correct target left nothing to judge. */
export const onlyIf = (conditions: Conditions, condition: Condition): Counted => ({
  condition,
  terms: { given: [conditions].flat(), choice: true },
})

/** An optional text says something: one that is empty says as little as one that is missing. */
export const isTold = (text: Operand): readonly Condition[] => [different(text, absent), different(text, value(''))]

/** The same for several rows, or for one that is told only here. */
export function forRows<R extends Row>(
  rows: R | readonly R[],
  expected: Expected | readonly Expected[],
): Expectations<R> {
  return Object.fromEntries(([rows].flat() as readonly R[]).map((row) => [row, expected])) as Expectations<R>
}

/** Writes the claims. */
export function claimAll(context: Pick<AnyContext, 'claim'>, expectations: Expectations<Row> | undefined): void {
  for (const [row, expected] of Object.entries(expectations ?? {}) as [Row, Expectations<Row>[Row]][]) {
    for (const one of expected === undefined ? [] : [expected].flat()) {
      const { condition, terms } = 'condition' in one ? one : { condition: one, terms: {} }
      claim(context, row, condition, terms)
    }
  }
}

export function claim(context: Pick<AnyContext, 'claim'>, row: Row, condition: Condition, terms: Terms = {}): void {
  const { given: conditions = [], choice = false } = terms
  const options = { given: conditions, ...(choice ? { given_code: 'model_choice' as const } : {}) }
  context.claim(fullId(row), condition, conditions.length === 0 ? {} : options)
}
