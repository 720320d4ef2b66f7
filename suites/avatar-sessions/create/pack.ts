import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { accepted, answer, any, different, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { type Change, changed } from '../change.ts'
import { type Release, type Sending, tryCreate } from './send.ts'

/** Something that a create may carry and a target must take. */
export interface Piece {
  readonly id: string
  /** Rows that say so; empty for what is sent to be echoed. */
  readonly rows: readonly RequirementId[]
  readonly change: Change
  /** A correct target may refuse it: set apart before the other pieces are suspected. */
  readonly soft?: boolean
  /** Something that a model or a provider may lack: soft, and a refusal of it alone by 30004 is the target's choice. */
  readonly optional?: boolean
  /** Pieces of the pack of which one must be taken, or a refusal of this one says nothing. */
  readonly given?: readonly string[]
}

export interface PackPlan {
  readonly base: JsonObject
  readonly pieces: readonly Piece[]
  readonly key: KeyName
  /** For the search after a refusal, which may cost more requests than the key has left; default `key`. */
  readonly search?: KeyName
  /** Of a session that may stay open beside the first try. */
  readonly release?: Release
}

/** What came of a pack. */
export interface Pack {
  /** By id of the piece: that it was taken, for claims about requests beside it. */
  readonly taken: ReadonlyMap<string, Condition>
  /** The body with the piece alone, for requests that differ from it by one fault. */
  readonly bodies: ReadonlyMap<string, JsonObject>
  /** Ids of the pieces that a correct target may refuse. */
  readonly soft: ReadonlySet<string>
}

interface Numbered {
  readonly piece: Piece
  readonly single: number
}

/**
 * Sends all pieces in one create, which holds all their rows when it is accepted. When it is refused, the fault is
 * looked for: first without the soft pieces, then one by one; what is refused alone is broken.
 */
export async function sendPack(context: Context, plan: PackPlan): Promise<Pack> {
  const { base, pieces, key, release } = plan
  const numbered = pieces.map((piece) => ({ piece, single: context.exchange() }))
  const firm = numbered.filter(({ piece }) => !isSoft(piece))
  const soft = numbered.filter(({ piece }) => isSoft(piece))
  const [whole, core] = [context.exchange(), context.exchange()]
  const taken = new Map(numbered.map((one) => [one.piece.id, takenBy(one, whole, core)]))
  const send = async (chosen: readonly Numbered[], exchange: number): Promise<boolean> => {
    for (const { piece } of chosen) claimHeld(context, piece, exchange)
    return closing(context, changed(base, ...chosen.map(({ piece }) => piece.change)), { exchange, key, release })
  }
  if (!(await send(numbered, whole))) {
    const rest = soft.length > 0 && firm.length > 0 && (await send(firm, core)) ? soft : numbered
    for (const one of rest) await sendSingle(context, plan, one, taken)
  }
  const bodies = new Map(pieces.map(({ id, change }) => [id, changed(base, change)]))
  return { taken, bodies, soft: new Set(soft.map(({ piece }) => piece.id)) }
}

function takenBy({ piece, single }: Numbered, whole: number, core: number): Condition {
  const alone = [accepted(whole), accepted(single)]
  return isSoft(piece) ? any(...alone) : any(...alone, accepted(core))
}

const isSoft = ({ soft, optional }: Piece): boolean => soft === true || optional === true

/** `30004 invalid argument`: "unsupported model, output …" (section 7). */
export const unlessUnsupported = (exchange: number): Condition => different(answer(exchange, '/code'), value(30004))

/** Holds where the create is accepted; whose fault a refusal is shows later. */
function claimHeld(context: Context, piece: Piece, exchange: number): void {
  const { rows } = piece
  const options = isSoft(piece) ? ({ given_code: 'model_choice' } as const) : {}
  for (const row of rows) context.claim(row, accepted(exchange), { given: [accepted(exchange)], ...options })
}

async function sendSingle(
  context: Context,
  { base, key, search = key }: PackPlan,
  { piece, single }: Numbered,
  taken: ReadonlyMap<string, Condition>,
): Promise<void> {
  const given = (piece.given ?? []).map((id) => taken.get(id)).filter((condition) => condition !== undefined)
  const needed = [
    ...(given.length === 0 ? [] : [any(...given)]),
    ...(piece.optional ? [unlessUnsupported(single)] : []),
  ]
  const options = needed.length === 0 ? {} : ({ given: needed, given_code: 'model_choice' } as const)
  for (const row of piece.rows) context.claim(row, accepted(single), options)
  await closing(context, changed(base, piece.change), { exchange: single, key: search })
}

async function closing(context: Context, body: JsonObject, sending: Sending): Promise<boolean> {
  const session = await tryCreate(context, body, sending)
  if (session === undefined) return false
  await context.close(session)
  return true
}
