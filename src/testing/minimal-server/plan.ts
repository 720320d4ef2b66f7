import type { GivenItem } from './conversation-shape.ts'
import { type Conversation, textOf } from './conversation.ts'
import { Fault } from './reading.ts'
import type { ResponseRequest } from './response-request.ts'

/** What a response will say. Everything but the default context is settled when it is asked for (4.4, snapshot). */
export interface Plan {
  keeps: boolean
  max_output_tokens: number | 'inf'
  text: () => string
}

/** What a plan is made from, at the moment of the request. */
export interface Situation {
  active_avatar_id: string
  default_max_tokens: number | 'inf'
  conversation: Conversation
  speechText: (assetId: string) => string | undefined
}

function scripted(request: ResponseRequest, now: Situation): string {
  const vocal = request.script?.vocal
  if (vocal?.type === 'speech') return vocal.text
  const text = vocal?.type === 'speech_asset' ? now.speechText(vocal.speech_text_asset_id) : undefined
  if (text === undefined) throw new Fault('response.script.vocal', 'names no speech text')
  return text
}

function resolveInput(request: ResponseRequest, conversation: Conversation): GivenItem[] | undefined {
  return request.input?.map((each, index) => {
    if (each.type !== 'item_reference') return each
    const found = conversation.find(each.id)
    if (found === undefined) throw new Fault(`response.input[${index}].id`, 'names no item')
    return { ...found }
  })
}

function reply(avatar: string, context: readonly GivenItem[]): string {
  const heard = context.findLast((item) => item.type === 'message' && item.role === 'user')
  const text = heard === undefined ? '' : textOf(heard)
  if (text === '') return `This is ${avatar}. Nothing has been said yet, so there is little to answer.`
  return `This is ${avatar}. You have said, if I heard you well: ${text} Is there more?`
}

/** Plans a response. Throws a `Fault` when the request refers to something that does not exist. */
export function planResponse(request: ResponseRequest, now: Situation): Plan {
  const keeps = request.conversation !== 'none'
  if (request.script !== undefined) {
    const text = scripted(request, now)
    return { keeps, max_output_tokens: 'inf', text: () => text }
  }
  const input = resolveInput(request, now.conversation)
  const avatar = now.active_avatar_id
  return {
    keeps,
    max_output_tokens: request.max_output_tokens ?? now.default_max_tokens,
    text: () => reply(avatar, input ?? now.conversation.items),
  }
}
