import { faultsOf } from '#arbitraries/channel/faults'
import type { Context } from '#scenario/author/context'
import { event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { silence } from '../assets/media.ts'
import { prose } from '../bodies.ts'
import { created } from '../items/items.ts'
import type { Talk } from '../talk.ts'

/** What the model is told before all else; here it stands at the root. */
export const systemMessage: JsonObject = {
  type: 'message',
  role: 'system',
  content: [{ type: 'input_text', text: 'Answer in one short sentence.' }],
}

/** A call of a function and what came of it: short, longer than a store may cut, empty, and JSON that somebody wrote by hand. */
export const callsWithOutput = [
  { arguments: '{"word":"door"}', output: 'A door.' },
  { arguments: JSON.stringify({ word: prose(1_100) }), output: prose(1_100) },
  { arguments: '{ "word": "door" }', output: '{ "word" : "door",  "height_m": 2.10 }' },
  { arguments: '{}', output: '' },
] as const

/** A message of the user with an image and a sound. */
export function withMedia({ profile }: Context): JsonObject {
  const image_url = profile.media?.image_url
  const image = image_url === undefined ? [] : [{ type: 'input_image', image_url, detail: 'low' }]
  const sound = { type: 'input_audio', audio: silence(0.1), transcript: 'Hm.' }
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look and listen.' }, ...image, sound] }
}

/** One fault among those that the schema tells; nothing is made of it. @returns the id that the item would have */
export async function sendFaultyItem(talk: Talk, item: JsonObject): Promise<string> {
  const [event_id, id] = [talk.context.id('faulty'), talk.context.id('item')]
  const faults = faultsOf('common/conversation-item.request', { ...item, id })
  const { value } = faults[talk.context.random(Math.max(1, faults.length))] ?? { value: {} }
  const frame = talk.send({ type: 'conversation.item.create', event_id, item: value })
  await talk.hearRefusal(event_id, frame, [event(created)], 'walk')
  return id
}
