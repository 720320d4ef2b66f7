import { isOutOfBand, livesOf } from '../model/existence.ts'
import { type Ask, itemIdIn, itemsOf } from '../model/items.ts'
import { first } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { objectAt, type ReceivedEvent, type Session } from '../model/sessions.ts'
import { isKnown } from '../model/watch.ts'
import { bringsItems } from './alone.ts'

/**
 * Whether it may be an item that nobody was told of yet: one of a response's input, one of ours that is on its way or over
 * which the service failed, or one that a response puts out which we asked for.
 */
export function isUntold(session: Session, asks: readonly Ask[], id: string, { line }: ReceivedEvent): boolean {
  const isOnItsWay = ({ sent, answers }: Ask): boolean =>
    sent.line < line && answers.some((answer) => answer.line > line && itemIdIn(answer) === id)
  const isUnknown = ({ kind, sent, item, answers, refused, failed }: Ask): boolean =>
    kind === 'create' &&
    sent.line < line &&
    answers.length === 0 &&
    (failed || refused === undefined) &&
    (item ?? id) === id
  const { response } = livesOf(session).get(id) ?? {}
  const isOutput = response?.origin.candidates.some(({ sent }) => sent.line < line) === true
  return isOutput || bringsItems(session, line) || asks.some((ask) => isOnItsWay(ask) || isUnknown(ask))
}

/** Output that surely is out of band, which nobody announced and whose id no item of a client has: it is none of the conversation. */
export function isOutside(session: Session, id: string): boolean {
  const { response, announced, creates, named } = livesOf(session).get(id) ?? {}
  if (response === undefined || !isOutOfBand(response) || !isKnown(response)) return false
  if (announced !== undefined || creates?.length !== 0) return false
  return named === undefined || named >= first(response).line
}

/** Whether a deleted item may be back: a create of ours names its id again, and its confirmation is on its way. */
export function isPutAnew(asks: readonly Ask[], id: string, gone: ReceivedEvent, { line }: ReceivedEvent): boolean {
  return asks.some(
    ({ kind, item, sent, refused }) =>
      kind === 'create' &&
      item === id &&
      gone.line < sent.line &&
      sent.line < line &&
      (refused === undefined || refused.line > line),
  )
}

/** The line at which an event of ours was answered, in either way. */
export function endOf({ answers, refused }: Ask): number {
  return answers[0]?.line ?? refused?.line ?? Number.POSITIVE_INFINITY
}

/** Creates and deletes of ours, each with the latest end of those before it. */
export function changesOf(
  session: Session,
): ReadonlyMap<Ask, { readonly latest: number; readonly next: Ask | undefined }> {
  const asks = itemsOf(session).asks.filter(({ kind }) => kind !== 'retrieve')
  let latest = 0
  return new Map(
    asks.map((ask, place) => {
      const before = latest
      latest = Math.max(latest, endOf(ask))
      return [ask, { latest: before, next: asks[place + 1] }]
    }),
  )
}

/** What becomes of the items of a response that did not complete is not said. */
export function unsettledBy({ event }: ReceivedEvent, response: Response | undefined): readonly string[] {
  if (response === undefined || objectAt(event, 'response')['status'] === 'completed') return []
  return [...response.items.keys()]
}
