import type { Condition, Pattern, Point } from '#trace/claim'
import { all, any, event } from '#trace/conditions'
import { at as pick, type JsonObject } from '#trace/json'
import type { Expect, Terms } from './expectation.ts'
import { quiet } from './responses/responses.ts'
import { type Row, type Rows, rows } from './rows.ts'
import type { Talk } from './talk.ts'

/** A faulty event that is about to be sent. */
export interface Refusal {
  readonly at: Point
  readonly id: string
  /** An `error` names it, or comes before anything else is sent. */
  readonly rejected: Condition
  /** The same, and beside a confirmation only where the `error` names it: without a name it may be a late one about another. */
  readonly owned: Condition
  /** Either an `error` or what would confirm it came. */
  readonly answered: Condition
  /** What would confirm it does not come before something else is sent. */
  readonly unconfirmed: Condition
}

export interface Refused<R extends Row> extends Terms {
  /** Rows that ask for the rejection. */
  readonly rejected?: Rows<R>
  /** What is as good as an `error`, once the event has passed here. */
  readonly spared?: (at: Point) => Condition
  /** A script or an input may be looked at when its response runs: then that response fails. */
  readonly late?: boolean
  /** What else is expected. */
  readonly expect?: Expect<R, Refusal>
}

/** Client events, and what would confirm each had it no fault. */
const confirmations = {
  'session.update': 'session.updated',
  'asset.add': 'asset.added',
  'avatar.add': 'avatar.added',
  'conversation.item.create': 'conversation.item.created',
  'conversation.item.retrieve': 'conversation.item.retrieved',
  'conversation.item.delete': 'conversation.item.deleted',
  'response.create': 'response.created',
} as const

/** What the model wrote may be announced at any time: it confirms nothing of ours. */
function confirmationOf(type: keyof typeof confirmations, message: JsonObject): Pattern {
  const isOurs = type === 'conversation.item.create' && pick(message, '/item/role') !== 'assistant'
  return event(confirmations[type], isOurs ? { '/item/role': { $not: 'assistant' } } : {})
}

/** What every refusal is asked for. */
export const refusing = { rows: rows({ error: 'event-id-names-cause' }) }

/** Sends a faulty event and waits for an answer of either kind, so that a target that takes it keeps nobody waiting. */
export async function refuse<R extends Row>(
  talk: Talk<R>,
  type: keyof typeof confirmations,
  message: JsonObject,
  { rejected: asked = [], spared, late = false, expect, ...terms }: Refused<R> = {},
): Promise<Refusal> {
  const confirmation = confirmationOf(type, message)
  const refusal = prepare(talk, confirmation)
  const { at, id, rejected } = refusal
  talk.claimCause(at, id)
  const excuses = [...(spared === undefined ? [] : [spared(at)]), ...(late ? [failsLate(talk, at)] : [])]
  talk.claim(asked, excuses.length === 0 ? rejected : any(rejected, ...excuses), terms)
  talk.expect(expect?.(refusal))
  const frame = talk.send({ type, ...message, event_id: id })
  const reply = await talk.hearRefusal(id, frame, [confirmation], 'refusal')
  // What was acknowledged may fail yet; a newer update would hide that.
  if (reply?.type === 'session.updated') await talk.hear(event('session.update.done'), reply.frame, 'refusal')
  return refusal
}

/** Asks for a response that must be refused; one that starts all the same is heard to its end. */
export async function refuseResponse<R extends Row>(
  talk: Talk<R>,
  response: JsonObject,
  options: Refused<R> = {},
): Promise<Refusal> {
  const refusal = await refuse(talk, 'response.create', { response }, options)
  await quiet(talk)
  return refusal
}

function failsLate(talk: Talk, at: Point): Condition {
  const ended = event('response.done', { '/response/status': { $in: ['completed', 'incomplete'] } })
  return all(talk.inTime(event('response.created'), at), talk.never(ended, at, talk.after(1)))
}

function prepare(talk: Talk, confirmation: Pattern): Refusal {
  const at = talk.coming
  const id = talk.context.id('faulty')
  const unconfirmed = talk.never(confirmation, at, talk.after(1))
  const instead = [confirmation]
  const refused = talk.inTime(event('error'), at, undefined, { instead })
  const named = talk.eventually(event('error', { '/error/event_id': id }), at, { instead })
  const rejected = all(any(unconfirmed, refused), any(named, refused))
  return {
    at,
    id,
    rejected,
    owned: all(rejected, any(named, unconfirmed)),
    answered: talk.inTime(
      { where: { ...confirmation.where, '/type': { $in: ['error', confirmation.type ?? ''] } } },
      at,
    ),
    unconfirmed,
  }
}
