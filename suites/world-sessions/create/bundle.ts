import type { Exchange } from '#client/types'
import { type Option, sendBundle, type Taken } from '#scenario/author/bundle'
import type { Context } from '#scenario/author/context'
import { world as minimal } from '#scenario/author/bodies'
import { unlessUnsupported } from '#scenario/author/expectation'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Condition } from '#trace/claim'
import { accepted, equals, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { fitted, merged } from '../bodies.ts'
import { closeIt, sendKeyed, type World, worldOf } from '../send.ts'

/**
 * Something that a create may carry and a target must take. What may be refused is an `unsupported output or live-input
 * option for the model` (section 7): a 30004 is no fault, another code is one.
 */
export interface WorldOption<Row extends RequirementId> extends Option<Row> {
  /** Rows that rules judge by the answer, where it was taken. */
  readonly shows?: readonly Row[]
  readonly part: JsonObject
}

export interface WorldBundlePlan<Row extends RequirementId> {
  readonly options: readonly WorldOption<Row>[]
  readonly key: KeyName
  /** References that a session takes. */
  readonly most: number
}

/** What came of a bundle. */
export interface WorldBundle {
  readonly taken: Taken
  /** The session of the create that carried the most, still open. */
  readonly world: World | undefined
}

export async function sendWorldBundle<Row extends RequirementId>(
  c: Context<Row>,
  { options, key, most }: WorldBundlePlan<Row>,
): Promise<WorldBundle> {
  let world: World | undefined
  const create = (body: JsonObject, exchange: number): Promise<Exchange> => sendKeyed(c, body, { exchange, key })
  const taken = await sendBundle(c, {
    options: options,
    send: async (chosen, exchange) => {
      const body = chosen.reduce((so, { part }) => merged(so, part), minimal())
      const received = await create(fitted(body, most), exchange)
      world ??= worldOf(received, key)
      return received.ok
    },
    sendAlone: async ({ part, mayBeRefused, shows = [] }, exchange) => {
      const received = await create(merged(minimal(), part), exchange)
      await closeIt(c, received, key)
      if (!received.ok && mayBeRefused === true) leaveOpen(c, shows, accepted(exchange))
      return received.ok
    },
    together: (_, exchange) => ({ onlyIf: [accepted(exchange)] }),
    alone: ({ mayBeRefused }, exchange) => (mayBeRefused === true ? { onlyIf: [unlessUnsupported(exchange)] } : {}),
  })
  return { taken, world }
}

/** Rows that this target leaves nothing to see of, since it offers no such thing. */
export function leaveOpen<Row extends RequirementId>(c: Context<Row>, rows: readonly Row[], offered: Condition): void {
  for (const row of rows) c.claim(row, offered, { onlyIf: [offered] })
}

/** A condition that never holds: for what a correct target may leave us no way to ask for. */
export const unsendable: Condition = equals(value('nothing that we can send'), value('what these sessions take'))
