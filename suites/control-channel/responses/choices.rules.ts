import { show } from '#judge/show'
import { seeAudience } from '../choices.rules.ts'
import { cutsOf } from '../model/disturbance.ts'
import { itemIdIn } from '../model/items.ts'
import { first, ownersOf, responsesOf } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import {
  type ReceivedEvent,
  type Connection,
  objectAt,
  objectsAt,
  type Session,
  sessionsOf,
  textAt,
} from '../model/sessions.ts'
import { isAsker } from '../model/watch.ts'

/** What the interface leaves open about responses, as this target does it. Never judged. */
export const responseChoices = ruleOf('response-choices', [], (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const responses = responsesOf(session)
    const next = new Map<Connection, Response>()
    for (const response of responses.toReversed()) {
      seeCreated(response, say)
      seeText(response, say)
      seeEnd(response, next.get(response.connection), say)
      next.set(response.connection, response)
    }
    if (session.connections.length > 1) {
      for (const same of Map.groupBy(responses, ({ id }) => id).values()) {
        const [one] = same
        const created = same.flatMap((each) => each.created)
        if (one !== undefined) seeAudience(one.connection, created, 'connections.response-audience', say)
      }
    }
    for (const received of session.received)
      if (received.type === 'conversation.item.created') seeItem(session, received, say)
  }
})

function seeCreated({ created, origin }: Response, say: Say): void {
  const [event] = created
  if (event === undefined) return
  const named = textAt(event.event, 'request_event_id') !== undefined
  if (origin.request?.sent.id !== undefined) {
    say.saw('response-created.request-event-id-present', named ? 'present' : 'absent', event)
  }
  const early = objectsAt(objectAt(event.event, 'response'), 'output').length > 0
  say.saw('response-created.output-at-start', early ? 'items' : 'none', event)
}

function seeText(response: Response, say: Say): void {
  const { items, started, origin } = response
  for (const item of items.values()) {
    const [delta] = item.deltas
    if (delta === undefined || item.text_done.length === 0) continue
    say.saw('text-delta.granularity', item.deltas.length === 1 ? 'one delta' : 'several deltas', delta)
    if (started[0] !== undefined)
      say.saw('render.before-text', started[0].line < delta.line ? 'before' : 'after', started[0], delta)
  }
  const [done] = response.done
  const kind = origin.request?.kind
  if (done !== undefined && (kind === 'audio' || kind === 'visual')) {
    say.saw('script.audio-item', items.size > 0 ? 'an item' : 'none', done)
  }
  if (kind === 'speech_asset' && origin.request?.texts === undefined && items.size > 0) {
    say.saw('script.ssml-text', 'text is streamed', first(response))
  }
}

function seeEnd(response: Response, next: Response | undefined, say: Say): void {
  const [done] = response.done
  if (done === undefined || !isAsker(response)) return
  const resource = objectAt(done.event, 'response')
  const [cut] = cutsOf(response)
  if (cut !== undefined) {
    say.saw('scheduling.cut-status', show(resource['status']), cut, done)
    const [stopped] = response.stopped
    if (stopped !== undefined) say.saw('render-stopped.cut-status', show(stopped.event['status']), stopped)
    for (const item of response.items.values()) {
      if (resource['status'] !== 'completed')
        say.saw('text-done.on-cut-item', item.text_done.length > 0 ? 'it does' : 'it does not', done)
    }
    if (next !== undefined) seeOrder(next, done, say)
  } else if (response.origin.request?.kind === 'model') {
    const items = objectsAt(resource, 'output').length
    say.saw('response-create.turn-of-model', `${show(resource['status'])} with ${items} item(s)`, done)
  }
}

/** @param next the response that came next */
function seeOrder(next: Response, done: ReceivedEvent, say: Say): void {
  if (next.origin.request?.policy !== 'interrupt') return
  const early = first(next).line < done.line
  say.saw('scheduling.interrupt-order', early ? 'after it' : 'before it', first(next), done)
}

function seeItem(session: Session, received: ReceivedEvent, say: Say): void {
  const owner = ownersOf(session, itemIdIn(received) ?? '').find(({ connection }) => connection === received.connection)
  if (owner === undefined) return
  const before = owner.events.findLast(({ line }) => line < received.line)
  say.saw('item-created.order-in-response', before === undefined ? 'before all' : `after ${before.type}`, received)
}
