import { livesOf } from '../model/existence.ts'
import { type Ask, itemIdIn } from '../model/items.ts'
import type { ReceivedEvent, Session } from '../model/sessions.ts'
import { bringsItems } from './alone.ts'

/**
 * Whether it may be an item that nobody was told of yet: one of a response's input, one of ours that is on its way, or one
 * that a response puts out which we asked for.
 */
export function isUntold(session: Session, asks: readonly Ask[], id: string, { line }: ReceivedEvent): boolean {
  const isOnItsWay = ({ sent, answers }: Ask): boolean =>
    sent.line < line && answers.some((answer) => answer.line > line && itemIdIn(answer) === id)
  const { response } = livesOf(session).get(id) ?? {}
  const isOutput = response?.origin.candidates.some(({ sent }) => sent.line < line) === true
  return isOutput || bringsItems(session, line) || asks.some(isOnItsWay)
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
