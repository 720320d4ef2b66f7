import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { rejected } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { type Change, changed } from '../change.ts'
import { expectRefusal } from './send.ts'

/** `30004 invalid argument` (section 7). */
const invalidArgument = [30004]

/** A fault that a create must not get through with. */
export interface Refusal {
  /** Rows that ask for a rejection, whatever its code. */
  readonly rows: readonly RequirementId[]
  /** Rows that ask for 30004, or for one of `codes`. */
  readonly code?: readonly RequirementId[]
  readonly codes?: readonly number[]
  /** The piece that the body carries without fault; the base alone where missing. */
  readonly on?: string
  /** What puts the fault in: the only difference, or what hides no second fault. */
  readonly change: Change
  /** The piece of a video create on which it is tried where there is one: what holds in either mode is tried in both. */
  readonly inVideo?: string
}

/** What a fault is put into, and that it was taken without the fault. */
export interface Ground {
  readonly body: JsonObject
  readonly twin: Condition
  /** Whether a correct target may refuse the twin, so that its refusal is no obstacle. */
  readonly soft?: boolean
}

/** One refusal, judged beside its twin on the same key. */
export async function sendRefusal(
  context: Context,
  refusal: Refusal,
  { body, twin, soft }: Ground,
  key: KeyName,
): Promise<void> {
  const exchange = context.exchange()
  claimRefusal(context, refusal, { exchange, twin, soft: soft === true })
  const faulty = { ...changed(body, refusal.change), idempotency_key: context.id('create') }
  await expectRefusal(context, () => context.attempt(faulty, { exchange, key }), key)
}

export function claimRefusal(
  context: Context,
  { rows, code = [], codes = invalidArgument }: Pick<Refusal, 'rows' | 'code' | 'codes'>,
  { exchange, twin, soft }: { readonly exchange: number; readonly twin: Condition; readonly soft: boolean },
): void {
  const options = soft ? ({ given: [twin], given_code: 'model_choice' } as const) : {}
  for (const row of rows) context.claim(row, rejected(exchange, twin), options)
  for (const row of code) context.claim(row, rejected(exchange, twin, codes), options)
}
