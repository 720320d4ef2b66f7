import type { RestCall } from '#client/types'
import type { Context } from '#scenario/author/context'
import { type Control, type Refusal, rejection } from '#scenario/author/expectation'
import type { KeyName } from '#spec/profile'
import type { Condition } from '#trace/claim'
import type { JsonObject } from '#trace/json'
import { type Change, changed } from '../change.ts'
import type { CreateRow } from './rows.ts'
import { expectRefusal } from './send.ts'

/** A fault that a create must not get through with; without `codes` rows with a code ask for 30004. */
export interface Faulty extends Refusal<CreateRow> {
  readonly rows: readonly CreateRow[]
  /** The option that the body carries without fault; the base alone where missing. */
  readonly on?: string
  /** What puts the fault in: the only difference, or what hides no second fault. */
  readonly change: Change
  /** The option of a video create on which it is tried where there is one: what holds in either mode is tried in both. */
  readonly inVideo?: string
}

/** What a fault is put into, and that it was taken without the fault. */
export interface Ground {
  readonly body: JsonObject
  readonly control: Condition
  /** A correct target may refuse the body without the fault as well: then nothing is told. */
  readonly mayBeRefused?: boolean
}

/** One refusal, judged beside its positive control on the same key. */
export async function sendRefusal(
  c: Context<CreateRow>,
  { rows, coded = [], codes = [30004], change }: Faulty,
  { body, control, mayBeRefused }: Ground,
  key: KeyName,
): Promise<void> {
  const terms = mayBeRefused === true ? { onlyIf: [control] } : {}
  const exchange = c.expect(rejection({ rows, coded, codes, control }, terms))
  const faulty = { ...changed(body, change), idempotency_key: c.id('create') }
  await expectRefusal(c, () => c.attempt(faulty, { exchange, key }), key)
}

/** A body that cannot be read as the object that it nearly is. Its avatar alone tells what comes of it. */
export async function sendUnreadable(
  c: Context<CreateRow>,
  { row, control, key }: { readonly row: CreateRow; readonly control: Control; readonly key: KeyName },
  write: (known_by: string) => Pick<RestCall, 'body' | 'text'>,
): Promise<void> {
  const exchange = c.expect(rejection({ rows: row, control }))
  const known_by = c.id('unreadable')
  const call = { ...write(known_by), exchange, key, recall: { known_by } }
  await expectRefusal(c, () => c.call('create-avatar-session', call), key)
}
