import type { RequirementId } from '#spec/register'
import type { Claim, Condition } from '#trace/claim'
import { accepted, all, answer, any, different, rejected, value } from '#trace/conditions'

/** When a claim counts; without any of these always. */
export type Terms =
  | {
      /** Where one of these does not hold, something stood in the way: the row is not judged, and that blocks. */
      readonly given?: readonly Condition[]
      readonly onlyIf?: never
    }
  | {
      /** Where one of these does not hold, a correct target has left nothing to judge, and that does not block. */
      readonly onlyIf: readonly Condition[]
      readonly given?: never
    }

/** A condition for a row, as a claim is written. */
export interface Expected<Row extends RequirementId> {
  readonly row: Row
  readonly condition: Condition
  readonly terms: Terms
}

/** What rows ask of the answer to a call, by the number of its exchange. */
export type Expectation<Row extends RequirementId = RequirementId> = (exchange: number) => readonly Expected<Row>[]

/** One row, or several that say the same. */
export type Rows<Row extends RequirementId> = Row | readonly Row[]

/** Terms that may speak of the exchange itself. */
type TermsOf = Terms | ((exchange: number) => Terms)

/** That the answer holds what these rows say. */
export function outcome<const Row extends RequirementId>(
  rows: Rows<Row>,
  condition: (exchange: number) => Condition,
  terms: TermsOf = {},
): Expectation<Row> {
  return (exchange) =>
    listed(rows).map((row) => ({
      row,
      condition: condition(exchange),
      terms: typeof terms === 'function' ? terms(exchange) : terms,
    }))
}

/** That the call is accepted. */
export function acceptance<const Row extends RequirementId>(rows: Rows<Row>, terms: TermsOf = {}): Expectation<Row> {
  return outcome(rows, accepted, terms)
}

/** Something that must be rejected. */
export interface Refusal<Row extends RequirementId> {
  /** Rows that ask for a rejection, whatever its code. */
  readonly rows?: Rows<Row>
  /** Rows that ask for one of the codes. */
  readonly coded?: Rows<Row>
  readonly codes?: readonly number[]
}

/** `30004 invalid argument`: "unsupported model, output …" (section 7). */
export const unlessUnsupported = (exchange: number): Condition => different(answer(exchange, '/code'), value(30004))

/** The positive control: the same request in the same state but for the fault, accepted in this run. */
export type Control = number | Condition

/** That the call is rejected, which counts only if its positive control was accepted. */
export function rejection<const Row extends RequirementId>(
  { rows = [], coded = [], codes = [], control }: Refusal<Row> & { readonly control: Control },
  terms: TermsOf = {},
): Expectation<Row> {
  const plain = outcome(rows, (exchange) => rejected(exchange, control), terms)
  const withCode = outcome(coded, (exchange) => rejected(exchange, control, codes), terms)
  return (exchange) => [...plain(exchange), ...withCode(exchange)]
}

/** All rows that a table of refusals speaks about. */
export function rowsOfRefusals<Row extends RequirementId>(table: readonly Refusal<Row>[]): readonly Row[] {
  return table.flatMap(({ rows = [], coded = [] }) => [...listed(rows), ...listed(coded)])
}

/** What these rows ask for, or an acceptance that something in the same answer makes right. */
export function orAccepted<const Row extends RequirementId>(
  expectation: Expectation<Row>,
  rightly: (exchange: number) => Condition,
): Expectation<Row> {
  return (exchange) => {
    const otherwise = all(accepted(exchange), rightly(exchange))
    return expectation(exchange).map((one) => ({ ...one, condition: any(one.condition, otherwise) }))
  }
}

/** Several expectations of one answer. */
export function together<const Row extends RequirementId>(...several: readonly Expectation<Row>[]): Expectation<Row> {
  return (exchange) => several.flatMap((one) => one(exchange))
}

/** Whether a claim counts, as the trace has it. */
export type ClaimTerms = Pick<Claim, 'given' | 'given_code'>

/** Terms in the form of the trace. */
export function asWritten(terms: Terms | ClaimTerms): ClaimTerms {
  if (!('onlyIf' in terms) || terms.onlyIf === undefined) return terms
  return { given: terms.onlyIf, given_code: 'model_choice' }
}

function listed<Row extends RequirementId>(rows: Rows<Row>): readonly Row[] {
  return typeof rows === 'string' ? [rows] : rows
}
