import { type Option, sendBundle, type Taken } from '#scenario/author/bundle'
import type { Context } from '#scenario/author/context'
import type { KeyName } from '#spec/profile'
import type { Condition } from '#trace/claim'
import { accepted, answer, any, different, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { type Change, changed } from '../change.ts'
import type { Faulty, Ground } from './refusal.ts'
import type { CreateRow } from './rows.ts'
import { isTaken, type Release } from './send.ts'

/** Something that a create may carry and a target must take. */
export interface Piece extends Option<CreateRow> {
  readonly change: Change
  /** Something that a model or a provider may lack: it may be refused, by 30004 also where it is sent alone. */
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
  readonly taken: Taken
  /** The body with the piece alone, for requests that differ from it by one fault. */
  readonly bodies: ReadonlyMap<string, JsonObject>
  /** Ids of the pieces that a correct target may refuse. */
  readonly mayBeRefused: ReadonlySet<string>
}

export async function sendPack(c: Context<CreateRow>, plan: PackPlan): Promise<Pack> {
  const { base, key, search = key, release } = plan
  const options = plan.pieces.map((piece) => ({ ...piece, mayBeRefused: mayBeRefused(piece) }))
  const taken = await sendBundle<CreateRow, Piece>(c, {
    options,
    send: (chosen, exchange) =>
      isTaken(c, changed(base, ...chosen.map(({ change }) => change)), { exchange, key, release }),
    sendAlone: ({ change }, exchange) => isTaken(c, changed(base, change), { exchange, key: search }),
    together: (piece, exchange) =>
      mayBeRefused(piece) ? { onlyIf: [accepted(exchange)] } : { given: [accepted(exchange)] },
    alone: ({ given = [], optional }, exchange, all) => {
      const needed = given.map((id) => all.get(id)).filter((condition) => condition !== undefined)
      const premises = [
        ...(needed.length === 0 ? [] : [any(...needed)]),
        ...(optional ? [unlessUnsupported(exchange)] : []),
      ]
      return premises.length === 0 ? {} : { onlyIf: premises }
    },
  })
  return {
    taken,
    bodies: new Map(options.map(({ id, change }) => [id, changed(base, change)])),
    mayBeRefused: new Set(options.filter(mayBeRefused).map(({ id }) => id)),
  }
}

/** The body with the piece that a fault is put into. Undefined where no pack has it, or it stands on none. */
export function groundOf({ on = '' }: Pick<Faulty, 'on'>, packs: readonly Pack[]): Ground | undefined {
  const pack = packs.find(({ taken }) => taken.has(on))
  const [control, body] = [pack?.taken.get(on), pack?.bodies.get(on)]
  if (control === undefined || body === undefined) return undefined
  return { control, body, mayBeRefused: pack?.mayBeRefused.has(on) === true }
}

const mayBeRefused = (piece: Piece): boolean => piece.mayBeRefused === true || piece.optional === true

/** `30004 invalid argument`: "unsupported model, output …" (section 7). */
export const unlessUnsupported = (exchange: number): Condition => different(answer(exchange, '/code'), value(30004))
