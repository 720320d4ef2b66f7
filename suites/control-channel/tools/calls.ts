import type { Condition, EventRef, Pattern } from '#trace/claim'
import { all, any, before, different, equals, event, inEvent, value } from '#trace/conditions'
import { type JsonObject, textAt } from '#trace/json'
import { matches } from '#trace/match'
import { userMessage } from '../bodies.ts'
import { makeItem } from '../items/items.ts'
import { type Asked, finish, quiet, start } from '../responses/responses.ts'
import type { Expect } from '../expectation.ts'
import type { Row } from '../rows.ts'
import type { Talk } from '../talk.ts'

/** A function tool. */
export const tool = (name: string): JsonObject => ({
  type: 'function',
  name,
  description: 'Does what is asked.',
  parameters: { type: 'object', properties: { topic: { type: 'string' } } },
})

const callDone = event('response.output_item.done', { '/item/type': 'function_call' })

const itemMade = event('conversation.item.created', { '/item/type': 'function_call' })

/** Other events that show a function call. */
const shown: readonly Pattern[] = [
  itemMade,
  ...[0, 1, 2].map((place) => event('response.done', { [`/response/output/${place}/type`]: 'function_call' })),
]

/** A request after words that make the model call a function, before it is sent. */
export interface Lured extends Asked {
  /** The function call, as it is told when it is done. */
  readonly call: EventRef
  readonly told: Condition
  /** One event or another shows that the model called a function in this response; it may choose otherwise. */
  readonly called: Condition
  /** No function is called until the end, or not this one. */
  none(name?: string): Condition
}

/** What came of it. */
export interface ToolCall extends Lured {
  readonly callId: string | undefined
  /** Id of the item of the call. */
  readonly callItem: string | undefined
}

/** Says the words that make the model call a function, and asks for a response. */
export async function lure<R extends Row>(
  talk: Talk<R>,
  words: string,
  response: JsonObject | undefined,
  expect?: Expect<R, Lured>,
): Promise<ToolCall> {
  await makeItem(talk, userMessage(words))
  let lured: Lured | undefined
  const started = await start(talk, response, (asked) => {
    lured = prepare(talk, asked)
    return expect?.(lured)
  })
  await finish(talk, started)
  await quiet(talk)
  const frames = talk.channel.frames.filter(({ frame }) => frame >= (started.start?.frame ?? Infinity))
  const done = frames.find(({ data }) => matches(data, callDone))
  const seen = frames.some(({ data }) => shown.some((one) => matches(data, one)))
  if (done === undefined && seen) await talk.channel.watch(talk.patience)
  const [callId, callItem] = [textAt(done?.data, '/item/call_id'), textAt(done?.data, '/item/id')]
  return { ...(lured ?? prepare(talk, started)), callId, callItem }
}

function prepare(talk: Talk, asked: Asked): Lured {
  const [from, until] = [{ event: asked.created }, { event: asked.done }]
  const told = talk.eventually(callDone, from)
  const output = inEvent(asked.done, '/response/output/**')
  const call = talk.event(callDone, from)
  // What comes behind the end belongs to another response.
  const ofThis = [call, talk.event(itemMade, from)].map((one) => before({ event: one }, until))
  return {
    ...asked,
    call,
    told,
    called: any(...ofThis, equals(output, value('function_call'))),
    none: (name) => {
      const where = name === undefined ? {} : { '/item/name': name }
      const other = event(callDone.type ?? '', { ...callDone.where, ...where })
      return all(talk.never(other, from, until), different(output, value(name ?? 'function_call')))
    },
  }
}

/** The call names this function. */
export const names = ({ call }: Lured, name: string): Condition => equals(inEvent(call, '/item/name'), value(name))
