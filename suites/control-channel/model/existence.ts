import { readOnce } from '#judge/read-once'
import type { TraceIndex } from '#judge/trace-index'
import type { JsonObject } from '#trace/json'
import { type Ask, broughtBy, itemIdIn, itemsOf } from './items.ts'
import { responsesOf } from './responses.ts'
import type { Response } from './response.ts'
import { type ReceivedEvent, objectAt, objectsAt, type Session, sessionsOf, textAt } from './sessions.ts'

/** What a session showed of one item id. */
export interface Life {
  /** `conversation.item.created`, wherever it came first. */
  announced: ReceivedEvent | undefined
  /** The response that put it out. */
  response: Response | undefined
  /** `response.output_item.done`, wherever it came first. */
  finished: ReceivedEvent | undefined
  /** Creates of ours that gave the id. */
  readonly creates: Ask[]
  readonly deletes: Ask[]
  /** `conversation.item.deleted`. */
  readonly deleted: ReceivedEvent[]
  /** First line at which anybody named it. */
  named: number
}

export type Existence = 'exists' | 'gone' | 'never' | 'unclear'

/** Every item id that anybody named in a session, retrieves aside. */
export const livesOf = readOnce(readLives)

function readLives(session: Session): ReadonlyMap<string, Life> {
  const lives = new Map<string, Life>()
  const life = (id: string, line: number): Life => {
    const known = lives.get(id)
    if (known !== undefined) {
      if (line < known.named) known.named = line
      return known
    }
    const one = begin(line)
    lives.set(id, one)
    return one
  }
  for (const ask of itemsOf(session).asks) {
    if (ask.item === undefined || ask.kind === 'retrieve') continue
    if (ask.kind === 'create') life(ask.item, ask.sent.line).creates.push(ask)
    else life(ask.item, ask.sent.line).deletes.push(ask)
  }
  for (const received of session.received) {
    forEachId(received, (id) => {
      const one = life(id, received.line)
      if (received.type === 'conversation.item.created') one.announced ??= received
      if (received.type === 'conversation.item.deleted') one.deleted.push(received)
      if (received.type === 'response.output_item.done') one.finished ??= received
    })
  }
  for (const sent of session.sent) {
    if (sent.type !== 'response.create') continue
    for (const item of broughtBy(sent)) {
      const id = textAt(item, 'id')
      if (id !== undefined) life(id, sent.line)
    }
  }
  for (const response of responsesOf(session)) {
    for (const id of response.items.keys()) life(id, Number.POSITIVE_INFINITY).response ??= response
  }
  return lives
}

/** By item id the sessions that know it. */
const knowing = readOnce((trace: TraceIndex): ReadonlyMap<string, readonly Session[]> => {
  const sessions = new Map<string, Session[]>()
  for (const session of sessionsOf(trace)) {
    for (const id of livesOf(session).keys()) {
      const known = sessions.get(id)
      if (known === undefined) sessions.set(id, [session])
      else known.push(session)
    }
  }
  return sessions
})

/** Whether another session of the trace knows an item id. */
export function isOfAnother(trace: TraceIndex, session: Session, id: string): boolean {
  return (
    knowing(trace)
      .get(id)
      ?.some((one) => one !== session) === true
  )
}

function begin(line: number): Life {
  return {
    announced: undefined,
    response: undefined,
    finished: undefined,
    creates: [],
    deletes: [],
    deleted: [],
    named: line,
  }
}

/** Items that an event names, an answer to a retrieve aside; one that it names twice comes twice. */
function forEachId(received: ReceivedEvent, name: (id: string) => void): void {
  const { type, event } = received
  if (type === 'conversation.item.retrieved') return
  if (type === 'response.created' || type === 'response.done') {
    for (const item of objectsAt(objectAt(event, 'response'), 'output')) {
      const id = textAt(item, 'id')
      if (id !== undefined) name(id)
    }
    return
  }
  const inside = itemIdIn(received)
  if (inside !== undefined) name(inside)
  const beside = textAt(event, 'item_id')
  if (beside !== undefined) name(beside)
}

/** Whether an item was in the conversation when a retrieve or delete of it was sent, and until it was answered. */
export function existenceOf(session: Session, { sent, item, answers, refused }: Ask): Existence {
  const life = livesOf(session).get(item ?? '')
  const end = answers[0]?.line ?? refused?.line ?? Number.POSITIVE_INFINITY
  if (life === undefined || life.named > end) return 'never'
  if (wasRefused(life, sent.line)) return 'never'
  const lastDeleted = life.deleted.findLast(({ line }) => line < sent.line)
  const again = life.creates.some((ask) => ask.sent.line < end && settledAt(ask) > (life.deletes[0]?.sent.line ?? end))
  if (lastDeleted !== undefined) return again || wasStreaming(life, lastDeleted) ? 'unclear' : 'gone'
  const threatened = life.deletes.some((ask) => ask.sent !== sent && ask.sent.line < end)
  // It went with another one while it was asked for.
  const isGoing = life.deleted.some(({ line }) => line > sent.line && line < end)
  const { announced } = life
  if (isGoing || threatened || announced === undefined || announced.line > sent.line || isOutOfBand(life.response))
    return 'unclear'
  return isSettled(life, sent.line) ? 'exists' : 'unclear'
}

/** Up to here a create may have taken effect: of two connections, what was sent first may be handled last. */
const settledAt = ({ answers, refused }: Ask): number => (answers[0] ?? refused)?.line ?? Number.POSITIVE_INFINITY

/** Whether all that ever named it are creates that were refused before this line: an `error`, and no announcement. */
function wasRefused({ creates, announced, response, deleted }: Life, line: number): boolean {
  if (creates.length === 0 || announced !== undefined || response !== undefined || deleted.length > 0) return false
  return creates.every(({ refused, failed }) => !failed && refused !== undefined && refused.line < line)
}

/**
 * Whether a create gives an id that is taken already: that brings an `error`, or has no effect. The latter may be told by
 * the item that is there, so that what answers the create shows the older one, in its own place.
 */
export function isTaken(lives: ReadonlyMap<string, Life>, { sent, item }: Ask): boolean {
  const { announced, deletes = [], creates = [] } = lives.get(item ?? '') ?? {}
  const gone = deletes.findLast((ask) => ask.sent.line < sent.line)?.sent.line
  if (gone === undefined) return announced !== undefined && announced.line < sent.line
  // It may have been brought again since it was deleted.
  return creates.some((one) => one.sent.line > gone && (one.answers[0]?.line ?? Number.POSITIVE_INFINITY) < sent.line)
}

/** "Output not written to the default conversation" (4.4): that an item was created by generation (6.2) may be told all the same. */
export function isOutOfBand(response: Response | undefined): boolean {
  return response?.origin.request?.conversation === 'none'
}

/** What becomes of the items of a response that did not complete is not said. */
export function isSettled({ response }: Life, line: number): boolean {
  if (response === undefined) return true
  const [done] = response.done
  return done !== undefined && done.line < line && objectAt(done.event, 'response')['status'] === 'completed'
}

function wasStreaming({ response }: Life, deleted: ReceivedEvent): boolean {
  return response !== undefined && !(response.done[0] !== undefined && response.done[0].line < deleted.line)
}

/** The item of an event. */
export function itemOf({ event }: ReceivedEvent): JsonObject {
  return objectAt(event, 'item')
}
