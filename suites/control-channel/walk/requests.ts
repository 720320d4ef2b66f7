import type { Pattern } from '#trace/claim'
import { event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { speechTexts } from '../assets/additions.ts'
import { silentAudio } from '../assets/media.ts'
import { lookUp, userMessage } from '../bodies.ts'
import { makeItem } from '../items/items.ts'
import type { BusySession } from '../responses/busy.ts'
import { act } from '../scripts/visual.ts'
import type { Talk } from '../talk.ts'

/** Characters of a speech that is still rendered when its whole text has come. */
export const longText = 4_000

/** Milliseconds of an action beside which others are sent, apart from the grace. */
const actionMs = 1_000

/** An action that goes on for a while. */
export function action({ graceMs }: BusySession): JsonObject {
  return act({ prompt: 'Looks around slowly.', duration_ms: actionMs + 2 * graceMs })
}

/** A scripted sound. */
export const sound = silentAudio(0.3)

/** One that goes on for a while. */
export const lastingSound = ({ graceMs }: BusySession): JsonObject => silentAudio((actionMs + 2 * graceMs) / 1_000)

/** What is said and asked for to have the model call a function. @param words that make it do so */
export async function askForCall(talk: Talk, words: string): Promise<JsonObject> {
  await makeItem(talk, userMessage(words))
  return { tools: [lookUp] }
}

/** A reply that goes on for a while. */
export const longReply = { instructions: 'Tell a story of at least five hundred words.' }

/** Has a text registered, under an id that may be another one's. @returns the id */
export async function register(talk: Talk, text: string, id = talk.context.id('text')): Promise<string> {
  const event_id = talk.context.id('add')
  const frame = talk.send({ type: 'asset.add', event_id, ...speechTexts({ [id]: text }) })
  await talk.hearRefusal(event_id, frame, [event('asset.added')], 'walk')
  return id
}

/** What a response may not name, since there is none. */
export const unknownItem = ({ context }: Talk): JsonObject => ({
  input: [{ type: 'item_reference', id: context.id('nothing') }],
})

export const unknownAsset = ({ context }: Talk): JsonObject => ({
  script: { vocal: { type: 'speech_asset', speech_text_asset_id: context.id('nothing') } },
})

export const createdBy = (id: string): Pattern => event('response.created', { '/request_event_id': id })

export const naming = (id: string): Pattern => event('error', { '/error/event_id': id })

export const updateTo = ({ context }: Talk, active_avatar_id: string): JsonObject => ({
  type: 'session.update',
  event_id: context.id('update'),
  session: { active_avatar_id },
})

export const newAvatar = ({ context }: Talk): JsonObject => ({
  type: 'avatar.add',
  event_id: context.id('add'),
  avatars: [{ avatar_id: context.id('avatar') }],
})

export const newAsset = ({ context }: Talk): JsonObject => ({
  type: 'asset.add',
  event_id: context.id('add'),
  assets: { speech_text: [{ asset_id: context.id('text'), text: 'I was added meanwhile.' }] },
})
