import type { Channel, Frame } from '#client/types'
import type { EventRef, Pattern, Point } from '#trace/claim'
import { event } from '#trace/conditions'
import { textAt } from '#trace/json'
import { retrieved } from '../items/items.ts'
import type { Talk } from '../talk.ts'

/** Frames of the pings that a connection sent, by the item that they ask for. */
const sent = new WeakMap<Channel, Map<string, number[]>>()

const pongTo = (known: string): Pattern => event(retrieved, { '/item/id': known })

/** Reply to a ping that is about to be sent at this place. What answers earlier ones may be late, and then comes before it. */
export function pongAfter(talk: Talk, known: string, place: Point): EventRef {
  let pong = talk.event(pongTo(known), place)
  for (let late = unanswered(talk, known); late > 0; late -= 1) pong = talk.event(pongTo(known), { event: pong })
  return pong
}

/** Asks for a known item, whose retrieval tells that what was sent before was read. @returns the reply */
export async function ping(talk: Talk, known: string): Promise<Frame | undefined> {
  const late = unanswered(talk, known)
  const message = { type: 'conversation.item.retrieve', event_id: talk.context.id('ping'), item_id: known }
  let after = talk.send(message)
  note(talk, known, after)
  let pong: Frame | undefined
  for (let left = late; left >= 0; left -= 1) {
    pong = await talk.hear(pongTo(known), after)
    if (pong === undefined) return undefined
    after = pong.frame
  }
  return pong
}

function note({ channel }: Talk, known: string, frame: number): void {
  const pings = sent.get(channel) ?? new Map<string, number[]>()
  pings.set(known, [...(pings.get(known) ?? []), frame])
  sent.set(channel, pings)
}

/** How many pings have no reply so far. */
function unanswered({ channel }: Talk, known: string): number {
  const pongs = channel.frames
    .filter(({ type, data }) => type === retrieved && textAt(data, '/item/id') === known)
    .map(({ frame }) => frame)
  let left = 0
  for (const one of sent.get(channel)?.get(known) ?? []) {
    const place = pongs.findIndex((frame) => frame > one)
    if (place === -1) left += 1
    else pongs.splice(0, place + 1)
  }
  return left
}
