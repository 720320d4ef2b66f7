import { emit } from '../channel/emit.ts'
import type { Service } from '../service.ts'
import type { Session } from '../sessions/session.ts'
import type { JsonObject } from '../wire.ts'
import type { ResponseRun } from './run.ts'

/** Writes the item of a response to the default conversation and announces it. */
export function announceItem(service: Service, session: Session, run: ResponseRun): void {
  const { conversation, responses } = service.behaviour
  const written = conversation.writes(run.plan)
  const item = run.output[0] ?? responses.item(run, 'in_progress', '')
  const previousItemId = conversation.announcedPrevious(session.items, session.items.length, undefined)
  if (written) session.items.push(conversation.kept(item, run.plan))
  if (!conversation.announces(run.plan, written)) return
  emit(service, session, 'conversation.item.created', { previousItemId, item })
}

/** The item as it ends; the conversation keeps it like that, unless it was deleted meanwhile. */
export function finishItem(service: Service, session: Session, run: ResponseRun, cut: boolean): JsonObject {
  const { responses, conversation } = service.behaviour
  const item = responses.item(run, responses.itemStatus(run, cut), responses.finalText(run.sent, run))
  run.output.push(item)
  const index = session.items.findIndex((stored) => stored['id'] === run.itemId)
  if (index >= 0) session.items[index] = conversation.kept(item, run.plan)
  return item
}
