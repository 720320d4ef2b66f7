import type { RequirementId } from '#spec/register'
import type { Context } from './context.ts'

/** Part of a scenario. It claims the rows that it declares and can claim no other: its context takes none. */
export interface Step<Row extends RequirementId, One = void, Two = void, Result = void> {
  (context: Context<Row>, one: One, two: Two): Promise<Result>
  readonly claims: readonly Row[]
}

/** A row, or a step whose rows are meant. */
export type Claimable = RequirementId | { readonly claims: readonly RequirementId[] }

/** The rows that these stand for. */
export type RowOf<One> = One extends RequirementId
  ? One
  : One extends { readonly claims: readonly (infer Row extends RequirementId)[] }
    ? Row
    : never

/** A step that may claim any row says nothing: its rows have to be named, so that the compiler knows them. */
export type Named<One> = RequirementId extends RowOf<One> ? 'rows that the compiler knows by name' : unknown

/**
 * @param claims all rows that the step claims, those of further steps in it by naming these
 * @param run gets what it needs to know in two values at most
 */
export function step<const One extends Claimable, In = void, More = void, Result = void>(
  claims: readonly One[] & Named<One>,
  run: (context: Context<RowOf<One>>, one: In, two: More) => Promise<Result>,
): Step<RowOf<One>, In, More, Result> {
  return Object.assign((context: Context<RowOf<One>>, one: In, two: More) => run(context, one, two), {
    claims: rowsOf(claims),
  })
}

/** Each row once. */
export function rowsOf<One extends Claimable>(claims: readonly One[]): readonly RowOf<One>[] {
  const rows = claims.flatMap((one): readonly RequirementId[] => (typeof one === 'string' ? [one] : one.claims))
  return [...new Set(rows)] as readonly RequirementId[] as readonly RowOf<One>[]
}
