import type { Condition, Point } from '#trace/claim'
import { all, any, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import type { Row } from './rows.ts'
import type { ClaimOptions, Talk } from './talk.ts'

/** A faulty event that is about to be sent. */
export interface Refusal {
  readonly at: Point
  readonly id: string
  /** An `error` names it, or comes before anything else is sent. */
  readonly rejected: Condition
  /** Either an `error` or what would confirm it came. */
  readonly answered: Condition
  /** What would confirm it does not come before something else is sent. */
  readonly unconfirmed: Condition
}

export interface Faulty extends ClaimOptions {
  readonly rows: readonly Row[]
  /** Without an `event_id`. */
  readonly message: JsonObject
  /** Type of the event that would confirm it, had it no fault. */
  readonly confirmation: string
  /** What is as good as an `error`, once the event has passed here. */
  readonly spared?: (at: Point) => Condition
  /** Further claims. */
  readonly write?: (refusal: Refusal) => void
}

/** Sends a faulty event and waits for an answer of either kind, so that a target that takes it keeps nobody waiting. */
export async function refuse(talk: Talk, faulty: Faulty): Promise<Refusal> {
  const { rows, message, confirmation, write } = faulty
  const refusal = prepare(talk, confirmation)
  const { at, id, rejected } = refusal
  talk.claimCause(at, id)
  talk.claim(rows, faulty.spared === undefined ? rejected : any(rejected, faulty.spared(at)), faulty)
  write?.(refusal)
  const frame = talk.send({ ...message, event_id: refusal.id })
  const reply = await talk.hearRefusal(refusal.id, frame, [event(confirmation)], 'refusal')
  // What was acknowledged may fail yet; a newer update would hide that.
  if (reply?.type === 'session.updated') await talk.hear(event('session.update.done'), reply.frame, 'refusal')
  return refusal
}

/** A script or an input may be looked at when its response runs: then that response fails. */
export const failsLate =
  (talk: Talk) =>
  (at: Point): Condition =>
    all(
      talk.inTime(event('response.created'), at),
      talk.never(
        event('response.done', { '/response/status': { $in: ['completed', 'incomplete'] } }),
        at,
        talk.after(1),
      ),
    )

function prepare(talk: Talk, confirmation: string): Refusal {
  const at = talk.coming
  const id = talk.context.id('faulty')
  const unconfirmed = talk.never(event(confirmation), at, talk.after(1))
  const instead = [event(confirmation)]
  const refused = talk.inTime(event('error'), at, undefined, { instead })
  const named = talk.eventually(event('error', { '/error/event_id': id }), at, { instead })
  return {
    at,
    id,
    rejected: all(any(unconfirmed, refused), any(named, refused)),
    answered: talk.inTime({ where: { '/type': { $in: ['error', confirmation] } } }, at),
    unconfirmed,
  }
}
