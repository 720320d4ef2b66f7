import type { KeyName } from '#spec/profile'
import type { Context, OpenSession } from '#scenario/author/context'
import { acceptance, outcome, unlessUnsupported } from '#scenario/author/expectation'
import { accepted, any } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { type Change, changed } from '../change.ts'
import type { CreateRow } from './rows.ts'
import { tryCreate } from './send.ts'

/** What the minimal body leaves out or chooses, and a body that does otherwise. */
export interface Spare {
  readonly rows: readonly CreateRow[]
  /** Missing where the target offers no other choice. */
  readonly change?: Change
  /** The choice of the minimal body is one that the service may lack: then this one makes it. */
  readonly optional?: boolean
}

export interface MinimalPlan {
  readonly body: JsonObject
  /** The row that promises the minimal body itself. */
  readonly row: CreateRow
  readonly spares: readonly Spare[]
  readonly key: KeyName
  /** A correct target may refuse it, since the profile does not vouch for the image in it. */
  readonly mayBeRefused: boolean
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
export async function sendMinimal(c: Context<CreateRow>, plan: MinimalPlan): Promise<Minimal | undefined> {
  const { body, row, spares, key, mayBeRefused } = plan
  const tries = spares.map((spare) => ({ ...spare, exchange: c.exchange() }))
  const others = tries.filter(({ optional }) => optional).map((one) => accepted(one.exchange))
  const isTakenSomehow = (exchange: number) => any(accepted(exchange), ...others)
  const expect = [
    outcome(row, isTakenSomehow, (exchange) => (mayBeRefused ? { onlyIf: [isTakenSomehow(exchange)] } : {})),
    acceptance(
      spares.flatMap(({ rows }) => rows),
      (exchange) => ({ given: [accepted(exchange)] }),
    ),
  ]
  const exchange = c.expect(expect)
  // It bears no mark of the run but this.
  const own = changed(body, { set: { '/avatars/0/avatar_id': c.id('ada') } })
  const session = await tryCreate(c, own, { exchange, key, unmarked: true })
  if (session !== undefined) return { body, exchange, session }
  for (const one of tries.toSorted((left, right) => Number(right.optional === true) - Number(left.optional === true))) {
    const found = await tryWith(c, plan, one, exchange)
    if (found !== undefined && one.optional) return found
    if (found !== undefined) await c.close(found.session)
  }
  return undefined
}

async function tryWith(
  c: Context<CreateRow>,
  { body, key }: MinimalPlan,
  { rows, change, optional, exchange: other }: Spare & { readonly exchange: number },
  exchange: number,
): Promise<Minimal | undefined> {
  if (change === undefined) return undefined
  const onlyIf = [accepted(other), ...(optional ? [unlessUnsupported(exchange)] : [])]
  c.expect(acceptance(rows, { onlyIf }), exchange)
  const whole = changed(body, change)
  const session = await tryCreate(c, whole, { exchange: other, key })
  return session === undefined ? undefined : { body: whole, exchange: other, session }
}
