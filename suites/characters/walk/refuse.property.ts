import { characterFaults, type Faulty } from '#arbitraries/rest/faults'
import type { KeyName } from '#spec/profile'
import { rejection, rowsOfRefusals } from '#scenario/author/expectation'
import { step } from '#scenario/author/step'
import { replace, send } from '../acts.ts'
import { faults } from '../save/refused-table.ts'

/** A character that was saved, by which key, and the save that was accepted: the positive control of a refusal. */
interface Ground {
  readonly id: string
  readonly key: KeyName
  readonly saved: number
}

/** Sends a body that has to be refused. */
export type Refuse = (does: 'create-refused' | 'replace-refused', faulty: Faulty, ground: Ground) => Promise<void>

const drawn = faults.filter(({ id }) => characterFaults.some((one) => one.id === id))

/** A mistake in a body that is drawn; with two of them the codes of either are right. */
export const refuseDrawn = step(
  rowsOfRefusals(drawn.flatMap(({ create, replace: again = {} }) => [create, again])),
  async (
    c,
    { body, faults: made, codes }: Faulty,
    { does, id, key, saved }: Ground & { does: Parameters<Refuse>[0] },
  ) => {
    const row = drawn.find((one) => one.id === made[0]?.id)
    const refusal = does === 'create-refused' ? row?.create : row?.replace
    if (refusal === undefined) return
    const { rows = [], coded = [] } = refusal
    const expect = rejection(codes.length === 0 ? { rows, control: saved } : { rows, coded, codes, control: saved })
    if (does === 'create-refused') await send(c, 'create-character', { body, key, expect })
    else await replace(c, id, body, { key, expect })
  },
)
