import type { Behaviour } from '#target/behaviour/behaviour'
import { moveStep } from '#target/behaviour/responses'
import { isWire, type Wire, wireAt } from '#target/wire'
import { change, drop, put } from '../paths.ts'
import { addItem, runsOf } from '../runs.ts'
import { defectsOf } from '../table.ts'
import { memory, mute, onEvent, onItems, refuseEvent, twice } from '../tools.ts'

const ITEM_DONE = 'response.output_item.done'
const DELTA = 'response.output_text.delta'
const TEXT_DONE = 'response.output_text.done'
const isCall = (event: Wire): boolean => wireAt(event, 'item')['type'] === 'function_call'
const onCalls = (b: Behaviour, make: (item: Wire) => Wire): void =>
  onItems(b, (item) => (item['type'] === 'function_call' ? make(item) : item))

const itemDefects = defectsOf('control-channel', {
  'output-item-done.response-id': [
    'A finished item names no response.',
    (b) => onEvent(b, ITEM_DONE, drop('response_id')),
  ],
  'output-item-done.output-index-number': [
    'A finished item has its index as a string.',
    (b) => onEvent(b, ITEM_DONE, change('output_index', String)),
  ],
  'output-item-done.item-object': [
    'A finished item is told by its id.',
    (b) =>
      onEvent(
        b,
        ITEM_DONE,
        change('item', (item) => (isWire(item) ? item['id'] : item)),
      ),
  ],
  'output-item-done.status-in-set': [
    'A finished item is `finished`.',
    (b) =>
      onEvent(
        b,
        ITEM_DONE,
        change('item.status', (status) => (status === 'completed' ? 'finished' : status)),
      ),
  ],
  'output-item-done.for-every-introduced-item': [
    'Items that were not disturbed are never done.',
    (b) => mute(b, ITEM_DONE, (event) => !isCall(event) && wireAt(event, 'item')['status'] === 'completed'),
  ],
  'output-item-done.once': ['An item is done twice.', (b) => twice(b, ITEM_DONE)],
  'output-item-done.index-agrees': [
    'A finished item counts from one.',
    (b) =>
      onEvent(
        b,
        ITEM_DONE,
        change('output_index', (index) => Number(index) + 1),
      ),
  ],
  'output-item-done.index-distinct': [
    'All items of a response have the index 0.',
    (b) =>
      addItem(b, {
        when: ({ plan }) => plan.text !== undefined,
        item: ({ id }) => ({
          id: `item_second_${id}`,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [],
        }),
        index: 0,
      }),
  ],
  'output-item-done.text-agrees': [
    'A finished item has its text trimmed and lowered.',
    (b) =>
      onEvent(
        b,
        ITEM_DONE,
        change('item.content.*.text', (text) => (typeof text === 'string' ? `${text.trim().toLowerCase()} ` : text)),
      ),
  ],
  'output-item-done.streamed-text-is-assistant-message': [
    'A finished item is of the user.',
    (b) =>
      onEvent(
        b,
        ITEM_DONE,
        change('item.role', (role) => (role === undefined ? undefined : 'user')),
      ),
  ],
  'output-item-done.after-text': [
    'An item is done before the last of its text.',
    ({ responses }) => void (responses.order = moveStep(responses.order, ITEM_DONE, 'remaining-deltas')),
  ],
  'output-item-done.before-done': [
    'An item is done after its response.',
    (b) => {
      b.responses.order = [...b.responses.order.filter((step) => step !== ITEM_DONE), ITEM_DONE]
    },
  ],
  'output-item-done.on-cancelled': [
    'The item of a cancelled response is never done.',
    ({ responses }) => {
      const { cutOrder } = responses
      responses.cutOrder = (cause) => cutOrder(cause).filter((step) => cause !== 'cancel' || step !== ITEM_DONE)
    },
  ],
  'output-item-done.cut-not-completed': [
    'An item that was cut short is completed.',
    ({ responses }) => void (responses.itemStatus = () => 'completed'),
  ],
})

const callDefects = defectsOf('control-channel', {
  'output-item-done.function-call-told': [
    'A function call shows at the end of its response only.',
    (b) => mute(b, ITEM_DONE, isCall),
  ],
  'output-item-done.function-call-name': [
    'A finished call has no name.',
    (b) => onEvent(b, ITEM_DONE, (event) => (isCall(event) ? drop('item.name')(event) : event)),
  ],
  'output-item-done.function-call-arguments': [
    'Arguments are an object.',
    (b) => onEvent(b, ITEM_DONE, (event) => (isCall(event) ? put('item.arguments', {})(event) : event)),
  ],
  'output-item-done.function-call-arguments~broken': [
    'Arguments lack their last character.',
    (b) =>
      onCalls(
        b,
        change('arguments', (text) => String(text).slice(0, -1)),
      ),
  ],
  'output-item-done.function-call-call-id': ['A finished call has no call id.', (b) => onCalls(b, drop('call_id'))],
  'output-item-done.function-call-name-offered': [
    'A call names a function that nobody offered.',
    (b) => onCalls(b, put('name', 'open_window')),
  ],
  'output-item-done.function-call-result-accepted': [
    'The result of a call is refused.',
    ({ rules }) =>
      refuseEvent(rules.items, ({ items }) =>
        items.some(({ type, call_id: id }) => type === 'function_call_output' && String(id).startsWith('call_item')),
      ),
  ],
  'output-item-done.function-call-goes-on': [
    'After a result no response starts.',
    ({ rules }) =>
      refuseEvent(rules.responseCreate, ({ session }) => session.items.at(-1)?.['type'] === 'function_call_output'),
  ],
})

const deltaDefects = defectsOf('control-channel', {
  'text-delta.response-id': ['Deltas name no response.', (b) => onEvent(b, DELTA, drop('response_id'))],
  'text-delta.item-id': ['Deltas name no item.', (b) => onEvent(b, DELTA, drop('item_id'))],
  'text-delta.output-index-number': [
    'Deltas have their index as a string.',
    (b) => onEvent(b, DELTA, change('output_index', String)),
  ],
  'text-delta.delta-string': [
    'A delta is an object.',
    (b) =>
      onEvent(
        b,
        DELTA,
        change('delta', (text) => ({ text })),
      ),
  ],
  'text-delta.of-active-response': [
    'Deltas name the response before.',
    (b) => {
      const last = memory(() => ({ done: undefined as unknown }))
      onEvent(b, 'response.done', (event, session) => {
        last(session).done = wireAt(event, 'response')['id']
        return event
      })
      onEvent(b, DELTA, (event, session) => ({ ...event, response_id: last(session).done ?? event['response_id'] }))
    },
  ],
  'text-delta.of-active-response~unknown': [
    'Text names a response of its own.',
    (b) => {
      for (const type of [DELTA, TEXT_DONE])
        onEvent(
          b,
          type,
          change('response_id', (id) => `${String(id)}_text`),
        )
    },
  ],
  'text-delta.item-of-one-response': [
    'Deltas count up their index.',
    (b) => {
      let count = 0
      onEvent(b, DELTA, (event) => {
        count += 1
        return { ...event, output_index: count % 2 }
      })
    },
  ],
  'text-delta.concatenate-to-final-text': [
    'Deltas lose the space at their end.',
    (b) =>
      onEvent(
        b,
        DELTA,
        change('delta', (text) => String(text).replace(/.$/u, '')),
      ),
  ],
  'text-delta.cut-item-text': [
    'A cut item shows a note and not its text.',
    ({ responses }) => void (responses.finalText = (sent, run) => (run.pieces.length > 0 ? '(cut off)' : sent)),
  ],
  'text-delta.for-model-output': [
    'Replies come without deltas.',
    (b) => {
      const runOf = runsOf(b)
      mute(b, DELTA, (event) => runOf(event)?.plan.kind === 'reply')
    },
  ],
  'text-delta.for-spoken-media': [
    'In video text comes without deltas.',
    (b) => {
      const runOf = runsOf(b)
      mute(b, DELTA, (event) => runOf(event)?.plan.state.mode === 'video_avatar')
    },
  ],
})

const textDoneDefects = defectsOf('control-channel', {
  'text-done.response-id': ['A final text names no response.', (b) => onEvent(b, TEXT_DONE, drop('response_id'))],
  'text-done.item-id': ['A final text names no item.', (b) => onEvent(b, TEXT_DONE, drop('item_id'))],
  'text-done.output-index-number': [
    'A final text has its index as a string.',
    (b) => onEvent(b, TEXT_DONE, change('output_index', String)),
  ],
  'text-done.text-string': [
    'A final text is called `delta`.',
    (b) => onEvent(b, TEXT_DONE, ({ text, ...event }) => ({ ...event, delta: text })),
  ],
  'text-done.for-every-completed-stream': ['Text is never final.', (b) => mute(b, TEXT_DONE)],
  'text-done.once': ['Text is final twice.', (b) => twice(b, TEXT_DONE)],
  'text-done.no-delta-after': [
    'Text is final after its first delta.',
    ({ responses }) => {
      responses.order = moveStep(responses.order, TEXT_DONE, 'remaining-deltas')
      responses.finalText = (sent, run) =>
        run.pieces.length > 0 && run.status === 'in_progress' && !run.reached.has(TEXT_DONE)
          ? (run.plan.text ?? sent)
          : sent
    },
  ],
})

export const outputDefects = [...itemDefects, ...callDefects, ...deltaDefects, ...textDoneDefects]
