import type { RequirementId } from '#spec/register'
import type { Condition } from '#trace/claim'
import { accepted, any } from '#trace/conditions'
import type { Context } from './context.ts'
import { acceptance, type Terms } from './expectation.ts'

/** Something that a create may carry. */
export interface Option<Row extends RequirementId> {
  readonly id: string
  /** Rows that say so; empty for what is sent to be echoed. */
  readonly rows: readonly Row[]
  /** A correct target may refuse it: it is left out before the others are suspected. */
  readonly mayBeRefused?: boolean
}

/** By id of the option: that it was taken, for claims about requests beside it. */
export type Taken = ReadonlyMap<string, Condition>

interface Bundle<Row extends RequirementId, Of extends Option<Row>> {
  readonly options: readonly Of[]
  /** Sends a create with these options. @returns whether it was accepted */
  readonly send: (options: readonly Of[], exchange: number) => Promise<boolean>
  /** The same with one option alone. */
  readonly sendAlone: (option: Of, exchange: number) => Promise<boolean>
  /** When it counts that several options were accepted at once: whose fault a refusal is shows later. */
  readonly together: (option: Of, exchange: number) => Terms
  /** When it counts that an option alone was accepted. */
  readonly alone: (option: Of, exchange: number, taken: Taken) => Terms
}

/**
 * Sends all options in one create, which holds all their rows when it is accepted. When it is refused, the fault is
 * looked for: first without what may be refused, then one by one; what is refused alone is broken.
 */
export async function sendBundle<Row extends RequirementId, Of extends Option<Row>>(
  c: Context<Row>,
  { options, send, sendAlone, together, alone }: Bundle<Row, Of>,
): Promise<Taken> {
  const numbered = options.map((option) => ({ option, single: c.exchange() }))
  const [whole, core] = [c.exchange(), c.exchange()]
  const taken: Taken = new Map(
    numbered.map(({ option, single }) => {
      const ways = [whole, single, ...(option.mayBeRefused === true ? [] : [core])]
      return [option.id, any(...ways.map(accepted))]
    }),
  )
  const sendAll = (chosen: readonly Of[], exchange: number) => {
    for (const option of chosen) c.expect(acceptance(option.rows, together(option, exchange)), exchange)
    return send(chosen, exchange)
  }
  if (await sendAll(options, whole)) return taken
  const firm = options.filter(({ mayBeRefused }) => mayBeRefused !== true)
  const isSplit = firm.length > 0 && firm.length < options.length
  const cleared = isSplit && (await sendAll(firm, core))
  for (const { option, single } of numbered) {
    if (cleared && option.mayBeRefused !== true) continue
    c.expect(acceptance(option.rows, alone(option, single, taken)), single)
    await sendAlone(option, single)
  }
  return taken
}
