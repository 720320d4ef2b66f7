import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { accepted, answer, any, different, equals, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { fitted, merged, minimal } from '../bodies.ts'
import { closeIt, sendKeyed, type World, worldOf } from '../send.ts'

/** Something that a create may carry and a target must take. */
export interface Piece {
  readonly id: string
  /** Rows that say so. */
  readonly rows: readonly RequirementId[]
  /** Rows that rules judge by the answer, where it was taken. */
  readonly shows?: readonly RequirementId[]
  readonly part: JsonObject
  /** `unsupported output or live-input option for the model` (section 7): a 30004 is no fault, another code is one. */
  readonly soft?: boolean
}

/** By id of the piece: that it was taken, for claims about requests beside it. */
export type Taken = ReadonlyMap<string, Condition>

interface Numbered {
  readonly piece: Piece
  readonly single: number
}

export interface PackPlan {
  readonly pieces: readonly Piece[]
  readonly key: KeyName
  /** References that a session takes. */
  readonly most: number
}

/** What came of a pack. */
export interface Sent {
  readonly taken: Taken
  /** The session of the create that carried the most, still open. */
  readonly world: World | undefined
}

/**
 * Sends all pieces in one create, which holds all their rows when it is accepted. When it is refused, the fault is
 * looked for: first without the soft pieces, then one by one.
 */
export async function sendPack(context: Context, { pieces, key, most }: PackPlan): Promise<Sent> {
  const numbered = pieces.map((piece) => ({ piece, single: context.exchange() }))
  const [whole, core] = [context.exchange(), context.exchange()]
  let world: World | undefined
  const send = async (chosen: readonly Numbered[], exchange: number): Promise<boolean> => {
    for (const { piece } of chosen) {
      // Whose fault a refusal of all is shows later.
      const itself = { given: [accepted(exchange)], given_code: 'model_choice' } as const
      for (const row of piece.rows) context.claim(row, accepted(exchange), itself)
    }
    const body = chosen.reduce((so, { piece }) => merged(so, piece.part), minimal())
    const came = await sendKeyed(context, fitted(body, most), { exchange, key })
    world ??= worldOf(came, key)
    return came.ok
  }
  if (!(await send(numbered, whole))) {
    const firm = numbered.filter(({ piece }) => piece.soft !== true)
    const soft = numbered.filter(({ piece }) => piece.soft === true)
    const rest = soft.length > 0 && firm.length > 0 && (await send(firm, core)) ? soft : numbered
    for (const one of rest) await sendSingle(context, one, key)
  }
  return { taken: new Map(numbered.map((one) => [one.piece.id, takenBy(one, whole, core)])), world }
}

function takenBy({ piece, single }: Numbered, whole: number, core: number): Condition {
  const alone = [accepted(whole), accepted(single)]
  return piece.soft === true ? any(...alone) : any(...alone, accepted(core))
}

async function sendSingle(context: Context, { piece, single }: Numbered, key: KeyName): Promise<void> {
  const supported = different(answer(single, '/code'), value(30004))
  const options = piece.soft === true ? ({ given: [supported], given_code: 'model_choice' } as const) : {}
  for (const row of piece.rows) context.claim(row, accepted(single), options)
  const came = await sendKeyed(context, merged(minimal(), piece.part), { exchange: single, key })
  await closeIt(context, came, key)
  if (!came.ok && piece.soft === true) leaveOpen(context, piece.shows ?? [], accepted(single))
}

/** Rows that this target leaves nothing to see of, since it offers no such thing. */
export function leaveOpen(context: Context, rows: readonly RequirementId[], offered: Condition): void {
  for (const row of rows) context.claim(row, offered, { given: [offered], given_code: 'model_choice' })
}

/** A condition that never holds: for what a correct target may leave us no way to ask for. */
export const unsendable: Condition = equals(value('nothing that we can send'), value('what these sessions take'))
