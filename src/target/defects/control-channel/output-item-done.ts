import { type LifeStep, moveStep } from '#target/behaviour/responses'
import { change, omit, put } from '#target/overrides/changes'
import { withhold, onCalls, onEvent, onItems, twice } from '#target/overrides/events'
import { around, set } from '#target/overrides/operators'
import { isWire, type JsonObject, objectAt } from '#target/wire'
import { withText } from '../tools/items.ts'
import { greeting } from '../tools/openings.ts'
import { refuseEvent } from '../tools/refusals.ts'
import { addItem, runsOf } from '../tools/runs.ts'
import { defectsOf } from '../tools/table.ts'

const ITEM_DONE = 'response.output_item.done'

const isCall = (event: JsonObject): boolean => objectAt(event, 'item')['type'] === 'function_call'

export const outputItemDoneDefects = defectsOf('control-channel.output-item-done', {
  'response-id: A finished item names no response.': onEvent(ITEM_DONE, omit('response_id')),
  'output-index-number: A finished item has its index as a string.': onEvent(ITEM_DONE, change('output_index', String)),
  'item-object: A finished item is told by its id.': onEvent(
    ITEM_DONE,
    change('item', (item) => (isWire(item) ? item['id'] : item)),
  ),
  'status-in-set: A finished item is `finished`.': onEvent(
    ITEM_DONE,
    change('item.status', (status) => (status === 'completed' ? 'finished' : status)),
  ),
  'for-every-introduced-item: Items that were not disturbed are never done.': withhold(
    ITEM_DONE,
    (event) => !isCall(event) && objectAt(event, 'item')['status'] === 'completed',
  ),
  'for-every-introduced-item~opening: The item of an opening is never done.': greeting((isOpening) =>
    withhold(ITEM_DONE, isOpening),
  ),
  'once: An item is done twice.': twice(ITEM_DONE),
  'index-agrees: A finished item counts from one.': onEvent(
    ITEM_DONE,
    change('output_index', (index) => Number(index) + 1),
  ),
  'index-distinct: All items of a response have the index 0.': addItem({
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
  'text-agrees: A finished item has its text trimmed and lowered.': onEvent(
    ITEM_DONE,
    change('item.content.*.text', (text) => (typeof text === 'string' ? `${text.trim().toLowerCase()} ` : text)),
  ),
  'text-agrees~line-breaks: A finished item has spaces in place of line breaks.': onItems((item) =>
    item['role'] === 'assistant' && item['status'] !== 'in_progress'
      ? withText(item, (text) => text.replaceAll(/\s*\n\s*/gu, ' '))
      : item,
  ),
  'streamed-text-is-assistant-message: A finished item is of the user.': onEvent(
    ITEM_DONE,
    change('item.role', (role) => (role === undefined ? undefined : 'user')),
  ),
  'after-text: An item is done before the last of its text.': around('responses.order', (order) =>
    moveStep(order, ITEM_DONE, 'remaining-deltas'),
  ),
  'before-done: An item is done after its response.': around('responses.order', (order): LifeStep[] => [
    ...order.filter((step) => step !== ITEM_DONE),
    ITEM_DONE,
  ]),
  'on-cancelled: The item of a cancelled response is never done.': around(
    'responses.cutOrder',
    (cutOrder) => (cause) => cutOrder(cause).filter((step) => cause !== 'cancel' || step !== ITEM_DONE),
  ),
  'on-cancelled~reply: The item of a reply that was cancelled is never done.': (behaviour) => {
    const runOf = runsOf(behaviour)
    const isCutReply = (event: JsonObject): boolean =>
      objectAt(event, 'item')['status'] === 'incomplete' && runOf(event)?.plan.kind === 'reply'
    withhold(ITEM_DONE, (event) => isCutReply(event) && runOf(event)?.plan.truncated === false)(behaviour)
  },
  'cut-not-completed: An item that was cut short is completed.': set('responses.itemStatus', () => 'completed'),
  'function-call-told: A function call shows at the end of its response only.': withhold(ITEM_DONE, isCall),
  'function-call-name: A finished call has no name.': onEvent(ITEM_DONE, (event) =>
    isCall(event) ? omit('item.name')(event) : event,
  ),
  'function-call-arguments: Arguments are an object.': onEvent(ITEM_DONE, (event) =>
    isCall(event) ? put('item.arguments', {})(event) : event,
  ),
  'function-call-arguments~broken: Arguments lack their last character.': onCalls(
    change('arguments', (text) => String(text).slice(0, -1)),
  ),
  'function-call-arguments~several-tools: With several tools the arguments of a call come twice in one string.': around(
    'generation.calls',
    (calls) => (userText, tools) => {
      const call = calls(userText, tools)
      return call === undefined || tools.length < 2
        ? call
        : { ...call, arguments: `${call.arguments}${call.arguments}` }
    },
  ),
  'function-call-call-id: A finished call has no call id.': onCalls(omit('call_id')),
  'function-call-name-offered: A call names a function that nobody offered.': onCalls(put('name', 'open_window')),
  'function-call-result-accepted: The result of a call is refused.': refuseEvent('validations.items', ({ items }) =>
    items.some(({ type, call_id: id }) => type === 'function_call_output' && String(id).startsWith('call_item')),
  ),
  'function-call-goes-on: After a result no response starts.': refuseEvent(
    'validations.responseCreate',
    ({ session }) => session.items.at(-1)?.['type'] === 'function_call_output',
  ),
})
