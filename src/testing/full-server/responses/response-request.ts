import { readTool } from '../shapes/conversation-shape.ts'
import { readItem, textOf } from '../shapes/item-shape.ts'
import type { Items } from '../avatar-sessions/items.ts'
import { type JsonObject, isBag, type Reader } from '../reader.ts'
import { argumentsFor, type Plan, type AcceptedResponse } from './accepted-response.ts'
import { type Library, readScript } from './script.ts'
import { TRIGGERS } from '../choices.ts'

export const policies = ['interrupt', 'reject_if_busy', 'after_current_response'] as const
export type Policy = (typeof policies)[number]

/** What a response is made of beside what the client event says. */
export interface Surroundings extends Library {
  readonly items: Items
  readonly conversation: JsonObject
  /** Whether the model likes to say something before the point. */
  readonly chatty: boolean
}

const modelOnly = ['input', 'instructions', 'tools', 'max_output_tokens'] as const

export function readResponse(
  response: Reader,
  asked: string | undefined,
  around: Surroundings,
): AcceptedResponse & { policy: Policy } {
  const writes = response.choice('conversation', ['auto', 'none']) !== 'none'
  const policy = response.choice('scheduling_policy', policies) ?? 'interrupt'
  const common = { asked, writes, policy, video: around.mode === 'video_avatar' }
  const script = response.child('script')
  if (script === undefined) return { ...common, ...readGeneration(response, around) }
  const wrong = modelOnly.find((name) => response.has(name))
  if (wrong !== undefined) throw response.bad(wrong, 'is invalid with a script')
  const plan = readScript(script, around)
  return { ...common, maxOutput: 'inf', plan: () => plan }
}

function readGeneration(response: Reader, around: Surroundings): Pick<AcceptedResponse, 'plan' | 'maxOutput'> {
  response.string('instructions')
  const own = response.bag['max_output_tokens']
  const limit = own === 'inf' ? Infinity : (response.whole('max_output_tokens', 1) ?? defaultLimit(around.conversation))
  for (const tool of response.children('tools')) readTool(tool)
  const tools = response.has('tools') ? response.list('tools') : around.conversation['tools']
  const input = response.has('input') ? readInput(response, around.items) : undefined
  const plan = () => think(input ?? around.items.all().map((item) => item.body), tools, limit, around.chatty)
  return { plan, maxOutput: limit === Infinity ? 'inf' : limit }
}

function defaultLimit(conversation: JsonObject): number {
  const defaults = conversation['response_defaults']
  const limit = isBag(defaults) ? defaults['max_output_tokens'] : undefined
  return typeof limit === 'number' ? limit : Infinity
}

function readInput(response: Reader, items: Items): readonly JsonObject[] {
  return response.children('input').map((one) => {
    if (one.bag['type'] !== 'item_reference') return readItem(one)
    const item = items.find(one.words('id'))
    if (item === undefined) throw one.bad('id', 'names no item')
    return item.body
  })
}

/** The model of this service: it calls the first tool upon the trigger, and is polite otherwise. */
function think(context: readonly JsonObject[], tools: unknown, limit: number, chatty: boolean): Plan {
  const last = context.at(-1)
  const [tool]: readonly unknown[] = Array.isArray(tools) ? tools : []
  const said = last?.['role'] === 'user' ? textOf(last) : ''
  if (isBag(tool) && said.includes(TRIGGERS.tool_call_text)) {
    const call = { name: String(tool['name']), arguments: argumentsFor(tool['parameters']) }
    return chatty ? { kind: 'text', parts: ['I will look it up.'], limit, visual_ms: 0, call } : { kind: 'call', call }
  }
  const heard = said === '' ? 'nothing new' : `${said.split(/\s+/).length} words`
  const text = `Thank you, I have heard ${heard} of you, and I know ${context.length} things that were said.\nShall we go on, my friend, or would you like a cup of tea first?`
  return { kind: 'text', parts: chatty ? ['One moment, please. ', text] : [text], limit, visual_ms: 0 }
}
