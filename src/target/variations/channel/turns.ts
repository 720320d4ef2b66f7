import { append, around, remembering, set, several } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import type { ResponseKind } from '#target/responses/run'
import type { Session } from '#target/sessions/session'
import { type JsonObject, isWire, objectAt, objectsAt, textOf } from '#target/wire'
import { variationsOf } from '../table.ts'

/** What comes behind an item in the same response. */
type Second = (first: JsonObject) => JsonObject

/** The events that tell of a second item. */
function tell(event: JsonObject, item: JsonObject, previous: unknown, written: boolean): JsonObject[] {
  const id = textOf(event['event_id']) ?? ''
  const place = { response_id: event['response_id'], output_index: Number(event['output_index']) + 1 }
  const text = objectsAt(item, 'content')
    .map((part) => textOf(part['text']) ?? '')
    .join('')
  const named = { ...place, item_id: item['id'] }
  const spoken: JsonObject[] = [
    { event_id: `${id}_b`, type: 'response.output_text.delta', ...named, delta: text },
    { event_id: `${id}_c`, type: 'response.output_text.done', ...named, text },
  ]
  return [
    ...(written ? [{ event_id: `${id}_a`, type: 'conversation.item.created', previous_item_id: previous, item }] : []),
    ...(text === '' ? [] : spoken),
    { event_id: `${id}_d`, type: 'response.output_item.done', ...place, item },
  ]
}

/** Responses of a kind that end by themselves have one item more. */
const withSecond = (kind: ResponseKind, make: Second): Override =>
  remembering(() => {
    const seconds = new Map<unknown, JsonObject>()
    const onItemDone = (event: JsonObject, session: Session): JsonObject[] => {
      const run = session.response
      const first = objectAt(event, 'item')
      // Another one may have begun before this one's end.
      if (run?.id !== event['response_id']) return [event]
      if (run?.plan.kind !== kind || run.plan.truncated || first['status'] === 'incomplete') return [event]
      // What is said in video is rendered, which this service does once for each response.
      if (kind === 'tool_call' && run.plan.state.mode !== 'text_chat') return [event]
      const second = make(first)
      seconds.set(event['response_id'], second)
      const at = session.items.findIndex((one) => one['id'] === first['id'])
      const last = session.items.at(-1)?.['id'] ?? null
      if (at >= 0) session.items.push(second)
      return [event, ...tell(event, second, last, at >= 0)]
    }
    return append('outgoing', (event, session) => {
      if (event['type'] === 'response.output_item.done') return onItemDone(event, session)
      const { response } = event
      const second = event['type'] === 'response.done' && isWire(response) ? seconds.get(response['id']) : undefined
      if (second === undefined || !isWire(response)) return [event]
      return [{ ...event, response: { ...response, output: [...objectsAt(response, 'output'), second] } }]
    })
  })

const said =
  (text: string): Second =>
  (first) => ({
    id: `${String(first['id'])}_2`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'text', text }],
  })

/** What a response holds, where only its events are named. */
export const turnVariations = variationsOf({
  'replies-in-two-items §2.10: A reply has two messages ("array of conversation items").': withSecond(
    'reply',
    said('And one thing more.'),
  ),
  'calls-with-words §2.10: In text the model says a word beside a call ("array of conversation items").': withSecond(
    'tool_call',
    said('One moment, please.'),
  ),
  'calls-in-pairs §2.10: The model makes each call twice ("array of conversation items").': {
    // Both put a second item behind the call.
    contradicts: /^calls-with-words$/,
    override: withSecond('tool_call', (first) => ({
      ...first,
      id: `${String(first['id'])}_2`,
      call_id: `${String(first['call_id'])}_2`,
    })),
  },
  'deltas-cut-through-letters §6.2: A delta ends wherever seven code units are full, in the middle of an emoji too.':
    set('pace.split', (text) => text.match(/[\s\S]{1,7}/g) ?? []),
  'item-ids-counted §2.9: The items of a session are numbered from one, so that those of two sessions have the same ids.':
    remembering(() => {
      const counts = new WeakMap<Session, number>()
      return around('ids.item', () => (_random, session) => {
        const count = (counts.get(session) ?? 0) + 1
        counts.set(session, count)
        return `item_${count}`
      })
    }),
  'replies-one-word §3.4: A reply is a single word.': set('generation.reply', () => 'Yes.'),
  'replies-with-blanks §6.2: A reply begins and ends with blanks and empty lines.': around(
    'generation.reply',
    (reply) => (facts) => ` \n\n${reply(facts)}\n \n`,
  ),
  'render-tail-long §3.4: Rendering goes on for three seconds when the text is out.': set('pace.tailMs', () => 3000),
  'done-late §3.4: A response is done more than a second after its last output.': set('pace.doneMs', 1200),
  'tools-called-late §3.4: A call takes almost two seconds to be made.': several(set('pace.toolCallMs', 1800)),
})
