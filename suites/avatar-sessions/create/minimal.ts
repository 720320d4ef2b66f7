import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import { accepted, any } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { type Change, changed } from '../change.ts'
import { unlessUnsupported } from './pack.ts'
import { tryCreate } from './send.ts'

/** What the minimal body leaves out or chooses, and a body that does otherwise. */
export interface Spare {
  readonly rows: readonly RequirementId[]
  /** Missing where the target offers no other choice. */
  readonly change?: Change
  /** The choice of the minimal body is one that the service may lack: then this one makes it. */
  readonly optional?: boolean
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
  readonly body: JsonObject
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
  const tries = spares.map((spare) => ({ ...spare, exchange: context.exchange() }))
  const others = tries.filter(({ optional }) => optional).map((one) => accepted(one.exchange))
  const itself = { given: [accepted(exchange)] }
  const minimal = any(accepted(exchange), ...others)
  context.claim(row, minimal, soft ? { given: [minimal], given_code: 'model_choice' } : {})
  for (const one of spares.flatMap(({ rows }) => rows)) context.claim(one, accepted(exchange), itself)
  // It bears no mark of the run but this.
  const own = changed(body, { set: { '/avatars/0/avatar_id': context.id('ada') } })
  const session = await tryCreate(context, own, { exchange, key, unmarked: true })
  if (session !== undefined) return { body, exchange, session }
  for (const one of tries.toSorted((left, right) => Number(right.optional === true) - Number(left.optional === true))) {
    const found = await tryWith(context, plan, one, exchange)
    if (found !== undefined && one.optional) return found
    if (found !== undefined) await context.close(found.session)
  }
  return undefined
}

async function tryWith(
  context: Context,
  { body, key }: MinimalPlan,
  { rows, change, optional, exchange: other }: Spare & { readonly exchange: number },
  exchange: number,
): Promise<Minimal | undefined> {
  if (change === undefined) return undefined
  const given = [accepted(other), ...(optional ? [unlessUnsupported(exchange)] : [])]
  for (const row of rows) context.claim(row, accepted(exchange), { given, given_code: 'model_choice' })
  const whole = changed(body, change)
  const session = await tryCreate(context, whole, { exchange: other, key })
  return session === undefined ? undefined : { body: whole, exchange: other, session }
}
