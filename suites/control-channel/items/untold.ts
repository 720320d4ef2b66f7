import { type Ask, itemIdIn } from '../model/items.ts'
import type { ReceivedEvent } from '../model/sessions.ts'

/** Whether it is an item of ours whose confirmation was still on its way. */
export function isOnItsWay(asks: readonly Ask[], id: string, { line }: ReceivedEvent): boolean {
  return asks.some(
    ({ sent, answers }) => sent.line < line && answers.some((answer) => answer.line > line && itemIdIn(answer) === id),
  )
}
