import { append, around, drop, remembering, set, several } from '#target/overrides/operators'
import { onEvent, splitEvent } from '#target/overrides/events'
import { moveStep } from '#target/behaviour/responses'
import type { ResponsePlan } from '#target/responses/run'
import { type JsonObject, isWire, objectAt, objectsAt, textOf } from '#target/wire'
import { everyNth, everyNthOf } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

const isOfResponse = (event: JsonObject): boolean =>
  String(event['type']).startsWith('response.') || objectAt(event, 'item')['role'] === 'assistant'

/** Text of so few tokens that thinking takes all of them. */
const TINY = 16

const isTiny = ({ plan }: { plan: ResponsePlan }): boolean =>
  plan.truncated && plan.maxOutputTokens !== 'inf' && plan.maxOutputTokens < TINY

const words = Array.from({ length: 400 }, (_, place) => `word${place}`).join(' ')

const WORD = 'Let me see.'

/** A word before a call, as the item in front of it. */
function wordBefore(event: JsonObject): JsonObject[] {
  const id = textOf(event['event_id']) ?? ''
  const call = objectAt(event, 'item')
  const item = {
    id: `${String(call['id'])}_word`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'text', text: WORD }],
  }
  const place = { response_id: event['response_id'], output_index: event['output_index'] }
  const text = { ...place, item_id: item.id }
  return [
    { event_id: `${id}_a`, type: 'response.output_text.delta', ...text, delta: WORD },
    { event_id: `${id}_b`, type: 'response.output_text.done', ...text, text: WORD },
    { event_id: `${id}_c`, type: 'response.output_item.done', ...place, item },
    { ...event, output_index: Number(event['output_index']) + 1 },
  ]
}

/** What models say, and in which pieces and order it is told. */
export const streamVariations = variationsOf({
  'responses-told-late §6.2: What a response does is told a third of a second late, and everything else at once (no time is promised).':
    around('channel.delayMs', (delay) => (event) => delay(event) + (isOfResponse(event) ? 300 : 0)),
  'items-announced-first §6.2: An output item is announced before its response.': around('responses.order', (order) =>
    moveStep(order, 'conversation.item.created', 'response.created'),
  ),
  'render-stops-before-text-done §6.2: Rendering stops before the final text is told.': around(
    'responses.order',
    (order) => moveStep(order, 'response.render.stopped', 'response.output_text.done'),
  ),
  'replies-of-nothing §2.10: Every fifth reply of the model completes without any item.': remembering(() => {
    const isChosen = everyNthOf(5, 0)
    const empty = new WeakSet<object>()
    return [
      around('generation.fails', (fails) => (facts) => fails(facts) || isChosen(facts)),
      around('responses.finishedStatus', (status) => (run) => {
        const { plan } = run
        const isEmpty = plan.kind === 'reply' && plan.text === undefined
        if (isEmpty) empty.add(run)
        return isEmpty ? 'completed' : status(run)
      }),
    ]
  }),
  'calls-whenever-offered §2.5: Whatever it is asked, the model calls a function whenever one is offered (when it does is not said).':
    set('generation.calls', (_userText, tools) => {
      const name = textOf(tools[0]?.['name'])
      if (name === undefined) return undefined
      const wanted = Object.keys(objectAt(objectAt(tools[0], 'parameters'), 'properties'))
      return { name, arguments: JSON.stringify(Object.fromEntries(wanted.map((key) => [key, 'value']))) }
    }),
  'words-before-calls §2.10: Out of band the model says a word before a call ("array of conversation items").':
    remembering(() => {
      const spoken = new Set<unknown>()
      return append('outgoing', (event, session) => {
        const { plan } = session.response ?? {}
        const { response } = event
        if (event['type'] === 'response.output_item.done') {
          const speaks = plan?.kind === 'tool_call' && plan.conversation === 'none' && plan.state.mode === 'text_chat'
          if (!speaks) return [event]
          spoken.add(event['response_id'])
          return wordBefore(event)
        }
        if (event['type'] !== 'response.done' || !isWire(response) || !spoken.has(response['id'])) return [event]
        const output = objectsAt(response, 'output').flatMap((item) =>
          item['type'] === 'function_call' ? [wordBefore({ item })[2]?.['item'], item] : [item],
        )
        return [{ ...event, response: { ...response, output } }]
      })
    }),
  'deltas-empty-at-times §6.2: Between deltas with text there are empty ones.': splitEvent(
    'response.output_text.delta',
    (event) => [event, { ...event, event_id: `${String(event['event_id'])}_e`, delta: '' }],
  ),
  'items-named-after-responses §2.9: The item of a response has the id of its response.': remembering(() => {
    let last: string | undefined
    return [
      around('ids.response', (id) => (random) => {
        last = id(random)
        return last
      }),
      around('ids.item', (id) => (random, session) => {
        const named = last ?? id(random, session)
        last = undefined
        return named
      }),
    ]
  }),
  'call-ids-counted §2.9: Calls are numbered from one in each response, so that those of two have the same `call_id`.':
    append('outgoing', (event) => {
      const named = (item: JsonObject): JsonObject =>
        item['type'] === 'function_call' && String(item['call_id']).startsWith('call_item_')
          ? { ...item, call_id: 'call_1' }
          : item
      if (isWire(event['item'])) return [{ ...event, item: named(event['item']) }]
      if (!isWire(event['response'])) return [event]
      const output = objectsAt(event['response'], 'output').map(named)
      return [{ ...event, response: { ...event['response'], output } }]
    }),
  'replies-of-400-deltas §6.2: A reply has four hundred words, each in a delta of its own.': several(
    set('generation.reply', () => words),
    around(
      'pace.split',
      (split) => (text) => (text.startsWith('word0 ') ? (text.match(/\S+ ?/gu) ?? []) : split(text)),
    ),
    around('pace.deltaMs', () => 4),
  ),
  'tokens-of-two-letters §4.4: A token is two letters, so that a text is cut within a word (what a token is is not said).':
    set('generation.truncate', (text, maximum) =>
      maximum === 'inf'
        ? text
        : Array.from(text)
            .slice(0, maximum * 2)
            .join(''),
    ),
  'tiny-replies-empty §4.4: Of fewer than sixteen tokens nothing is left to say when the model has thought: the response is incomplete, and without text.':
    several(
      around(
        'generation.truncate',
        (truncate) => (text, maximum) => (maximum !== 'inf' && maximum < TINY ? '' : truncate(text, maximum)),
      ),
      around('responses.finishedStatus', (status) => (run) => (isTiny(run) ? 'incomplete' : status(run))),
    ),
  'cut-short-items-completed §2.9: The item of a response that its tokens cut short is completed.': around(
    'responses.itemStatus',
    (itemStatus) => (run, cut) => (cut ? itemStatus(run, cut) : 'completed'),
  ),
  'updates-at-once §3.5: An update is completed when it is acknowledged.': set('update.settleMs', 0),
  'audio-checked-late §4.4: Scripted audio that is not what it is said to be starts, and fails (nothing is said of a rejection).':
    several(
      drop('validations.responseCreate', 'audio-bytes-mismatch'),
      remembering(() => {
        let mismatches = false
        const lost = new WeakSet<object>()
        return [
          around('validations.responseCreate.audio-bytes-mismatch.broken', () => ({ response }) => {
            const vocal = objectAt(objectAt(response, 'script'), 'vocal')
            const head = Buffer.from(textOf(vocal['audio']) ?? '', 'base64').toString('latin1', 0, 12)
            const isWav = head.startsWith('RIFF') && head.endsWith('WAVE')
            mismatches = textOf(vocal['audio']) !== undefined && isWav !== (vocal['mime_type'] === 'audio/wav')
            return false
          }),
          around('scheduling.submitted', (submitted) => (plan, session) => {
            const made = submitted(plan, session)
            if (!mismatches) return made
            const state = { ...made.state }
            lost.add(state)
            return { ...made, state }
          }),
          around('responses.renders', (renders) => (plan) => !lost.has(plan.state) && renders(plan)),
          around('responses.finishedStatus', (status) => (run) => (lost.has(run.plan.state) ? 'failed' : status(run))),
        ]
      }),
    ),
  'model-pauses §3.4: After every twentieth delta the model says nothing for two seconds and a half (no time is promised).':
    ({ pace }) => {
      const pauses = everyNth(20, 0)
      let { deltaMs } = pace
      Object.defineProperty(pace, 'deltaMs', {
        get: () => (pauses() ? 2500 : deltaMs),
        // Another variation beside this one may set its own.
        set: (ms: number) => {
          deltaMs = ms
        },
      })
    },
  'details-told-as-text §2.10: Details of a status hold texts that the spec does not know, whatever the status.':
    onEvent('response.done', (event) => ({
      ...event,
      response: { ...objectAt(event, 'response'), status_details: { type: 'none', error: null, note: '' } },
    })),
})
