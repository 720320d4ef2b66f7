import type { Response } from './response.ts'
import { objectAt, objectsAt, type ReceivedEvent } from './sessions.ts'

/**
 * The response that an event without an id ends or goes on with: the one whose items it lists, else the oldest that is not
 * done. A connection that was opened later shows a response without its start.
 */
export function lastUntied(responses: readonly Response[], received: ReceivedEvent): Response | undefined {
  if (received.type === 'response.created') return undefined
  const open = responses.filter(
    ({ created, id, done }) => done.length === 0 && (created.length > 0 || id !== undefined),
  )
  const listed = open.filter(({ items }) => listsOne(received, items))
  if (listed.length === 1) return listed[0]
  // Where only one is open there is nothing to guess.
  if (open.length > 1) for (const one of open) one.guessed = true
  return open[0]
}

function listsOne({ event }: ReceivedEvent, items: Response['items']): boolean {
  return objectsAt(objectAt(event, 'response'), 'output').some(({ id }) => typeof id === 'string' && items.has(id))
}

/** A response that was created without an id, when its id shows for the first time. */
export function adopt(responses: readonly Response[], received: ReceivedEvent, id: string): Response | undefined {
  if (received.type === 'response.created') return undefined
  const place = responses.findIndex((one) => one.id === undefined && one.done.length === 0)
  const nameless = responses[place]
  if (nameless === undefined) return undefined
  if (responses.filter(({ done }) => done.length === 0).length > 1) nameless.guessed = true
  ;(nameless as { id: string | undefined }).id = id
  return nameless
}
