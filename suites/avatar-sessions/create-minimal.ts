import type { KeyName } from '../../src/law/profile.ts'
import type { RequirementId } from '../../src/law/register.ts'
import type { Context, OpenSession } from '../../src/scenario/context.ts'
import { accepted } from '../../src/trace/conditions.ts'
import type { JsonObject } from '../../src/trace/json.ts'
import { type Change, changed } from './change.ts'
import { tryCreate } from './create-send.ts'

/** What the minimal body leaves out or chooses, and a body that does otherwise. */
export interface Spare {
  readonly rows: readonly RequirementId[]
  /** Missing where the target offers no other choice. */
  readonly change?: Change
}

export interface MinimalPlan {
  readonly body: JsonObject
  /** The row that promises the minimal body itself. */
  readonly row: RequirementId
  readonly spares: readonly Spare[]
  readonly key: KeyName
  /** A correct target may refuse it, since the profile does not vouch for the image in it. */
  readonly soft: boolean
}

/** A minimal create that was accepted. */
export interface Minimal {
  readonly exchange: number
  readonly session: OpenSession
}

/**
 * Sends a minimal body. When it is refused, it is sent again with what it leaves out, one thing at a time: what a body
 * was accepted with and refused without is not optional here.
 *
 * @returns undefined where it was refused
 */
export async function sendMinimal(context: Context, plan: MinimalPlan): Promise<Minimal | undefined> {
  const { body, row, spares, key, soft } = plan
  const exchange = context.exchange()
  const itself = { given: [accepted(exchange)] }
  context.claim(row, accepted(exchange), soft ? { ...itself, given_code: 'model_choice' } : {})
  for (const one of spares.flatMap(({ rows }) => rows)) context.claim(one, accepted(exchange), itself)
  // It bears no mark of the run but this.
  const own = changed(body, { set: { '/avatars/0/avatar_id': context.id('ada') } })
  const session = await tryCreate(context, own, { exchange, key, unmarked: true })
  if (session !== undefined) return { exchange, session }
  for (const { rows, change } of spares) {
    if (change !== undefined) await tryWith(context, plan, { rows, change, exchange })
  }
  return undefined
}

async function tryWith(
  context: Context,
  { body, key }: MinimalPlan,
  { rows, change, exchange }: Required<Spare> & { readonly exchange: number },
): Promise<void> {
  const other = context.exchange()
  for (const row of rows) {
    context.claim(row, accepted(exchange), { given: [accepted(other)], given_code: 'model_choice' })
  }
  const session = await tryCreate(context, changed(body, change), { exchange: other, key })
  if (session !== undefined) await context.close(session)
}
