import { splitEvent } from '#target/overrides/events'
import { around, remembering, several } from '#target/overrides/operators'
import type { Override } from '../../behaviour/behaviour.ts'
import { EventRefusal } from '../../refusal.ts'
import { type JsonObject, textOf } from '../../wire.ts'
import { everyNth } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

const timedOut = (): EventRefusal => new EventRefusal('timed out', { type: 'server_error', code: 'timeout' })

/** A confirmation behind an `error` over the same event: a step failed, and was tried again. */
function triedAgain(type: string, cause: 'event_id' | 'request_event_id', times: number): Override {
  return remembering(() => {
    const isDue = everyNth(times, 0)
    return splitEvent(type, (event) => {
      const event_id = textOf(event[cause])
      // One that the service made names no event of the client.
      if (event_id === undefined || event_id.startsWith('event_') || !isDue()) return [event]
      const error = { type: 'server_error', code: 'provider_error', message: 'a step failed', event_id }
      return [{ type: 'error', event_id: `${event_id}_failure`, error }, event]
    })
  })
}

/** What the output of a function goes with. */
const isOutputOf = (call: JsonObject, item: JsonObject): boolean =>
  call['type'] === 'function_call' &&
  item['type'] === 'function_call_output' &&
  item['call_id'] !== undefined &&
  item['call_id'] === call['call_id']

/** What a service does that fails by itself (6.2), and what it does to items beside the one that is deleted. */
export const ownFailureVariations = variationsOf({
  'updates-fail-when-done §6.2: Every ninth update is in effect when a step of the server fails: nothing says that it is undone.':
    remembering(() => {
      const isDue = everyNth(9, 0)
      return around('update.absorb', (absorb) => (session, event) => {
        absorb(session, event)
        if (isDue()) throw timedOut()
      })
    }),
  'items-fail-when-done §6.2: Every eleventh item stands at the end of the conversation when a step of the server fails: nothing says that it is undone.':
    remembering(() => {
      const isDue = everyNth(11, 0)
      return around('conversation.stores', (stores) => (item, items) => {
        if (!isDue()) return stores(item, items)
        items.push(item)
        throw timedOut()
      })
    }),
  'deletes-fail-when-done §6.2: Every seventh item is deleted when a step of the server fails: nothing says that it is undone.':
    remembering(() => {
      const isDue = everyNth(7, 0)
      return around('conversation.remove', (remove) => (items, id) => {
        remove(items, id)
        if (isDue()) throw timedOut()
      })
    }),
  'steps-tried-again §6.2: At times an error tells that a step of the server failed over an update or a response, which is then done all the same.':
    several(triedAgain('session.updated', 'event_id', 9), triedAgain('response.created', 'request_event_id', 13)),
  'outputs-go-with-calls §6.2: Who deletes a function call deletes its output, and is told so by an event of its own.':
    remembering(() => {
      const others: unknown[] = []
      return [
        around('conversation.remove', (remove) => (items, id) => {
          const call = items.find((item) => item['id'] === id)
          remove(items, id)
          for (const item of call === undefined ? [] : items.filter((one) => isOutputOf(call, one))) {
            remove(items, item['id'])
            others.push(item['id'])
          }
        }),
        splitEvent('conversation.item.deleted', (event) => [
          event,
          ...others.splice(0).map((item_id) => ({ ...event, event_id: `${String(event['event_id'])}_too`, item_id })),
        ]),
      ]
    }),
})
