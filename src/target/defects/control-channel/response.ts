import type { Behaviour } from '#target/behaviour/behaviour'
import { isWire, textOf, type Wire, wireAt, wiresAt } from '#target/wire'
import { change, drop, put } from '../paths.ts'
import { addItem } from '../runs.ts'
import { defectsOf } from '../table.ts'
import { again, mute, onEvent, splitEvent, twice } from '../tools.ts'

const CREATED = 'response.created'
const DONE = 'response.done'
const both = (b: Behaviour, make: (event: Wire) => Wire): void => {
  onEvent(b, CREATED, make)
  onEvent(b, DONE, make)
}
const message = (id: string, text: string): Wire => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'text', text }],
})

const resourceDefects = defectsOf('control-channel', {
  'response.id-string': [
    'The id of a response is a number.',
    (b) => {
      let count = 0
      b.ids.response = () => String((count += 1))
      both(b, change('response.id', Number))
    },
  ],
  'response.id-unique': [
    'Responses of a session share an id.',
    ({ ids }) => void (ids.response = () => 'resp_current'),
  ],
  'response.status-in-set': [
    'A finished response is `succeeded`.',
    (b) =>
      onEvent(
        b,
        DONE,
        change('response.status', (status) => (status === 'completed' ? 'succeeded' : status)),
      ),
  ],
  'response.status-details-object-or-null~cut': [
    'Details of a cut response are a string.',
    (b) =>
      onEvent(
        b,
        DONE,
        change('response.status_details', (details) => (isWire(details) ? String(details['reason']) : details)),
      ),
  ],
  'response.status-details-object-or-null': [
    'A response that has begun has an empty string as details.',
    (b) => onEvent(b, CREATED, put('response.status_details', '')),
  ],
  'response.output-array': [
    'Without output it is null.',
    (b) =>
      both(
        b,
        change('response.output', (output) => (Array.isArray(output) && output.length > 0 ? output : null)),
      ),
  ],
  'response.output-items-shape': [
    'Output holds ids.',
    (b) =>
      onEvent(
        b,
        DONE,
        change('response.output.*', (item) => (isWire(item) ? item['id'] : item)),
      ),
  ],
  'response.max-output-tokens-number-or-inf': [
    'Without a maximum it is null.',
    (b) =>
      both(
        b,
        change('response.max_output_tokens', (maximum) => (maximum === 'inf' ? null : maximum)),
      ),
  ],
  'response.no-raw-media': [
    'A spoken item carries its audio.',
    (b) =>
      onEvent(
        b,
        DONE,
        change('response.output.*.content', (content) =>
          Array.isArray(content) ? [...content, { type: 'input_audio', audio: `UklGR${'A'.repeat(251)}` }] : content,
        ),
      ),
  ],
})

const createdDefects = defectsOf('control-channel', {
  'response-created.response-object': [
    'A new response is told by its id.',
    (b) =>
      onEvent(b, CREATED, ({ response, ...event }) => ({ ...event, response: wireAt({ response }, 'response')['id'] })),
  ],
  'response-created.status-in-progress': [
    'A new response is completed already.',
    (b) => onEvent(b, CREATED, put('response.status', 'completed')),
  ],
  'response-created.id-known': ['A new response has no id.', (b) => onEvent(b, CREATED, drop('response.id'))],
  'response-created.request-event-id-names-request': [
    'A new response names itself as its request.',
    (b) =>
      onEvent(
        b,
        CREATED,
        change('request_event_id', (id) => (id === undefined ? undefined : `req_${textOf(id) ?? ''}`)),
      ),
  ],
  'response-created.precedes-output': [
    'Rendering or text begins before its response.',
    (b) => {
      b.responses.order = [
        'response.render.started',
        'first-delta',
        ...b.responses.order.filter((step) => step !== 'first-delta' && step !== 'response.render.started'),
      ]
    },
  ],
})

const doneDefects = defectsOf('control-channel', {
  'response-done.response-object': [
    'The end of a response stands beside its type.',
    (b) => onEvent(b, DONE, ({ response, ...event }) => ({ ...event, response: [response] })),
  ],
  'response-done.always': [
    'A response that was not disturbed falls silent.',
    (b) => mute(b, DONE, (event) => wireAt(event, 'response')['status'] === 'completed'),
  ],
  'response-done.once': ['A response ends twice.', (b) => twice(b, DONE)],
  'response-done.status-final': [
    'A finished response is still in progress.',
    (b) => onEvent(b, DONE, put('response.status', 'in_progress')),
  ],
  'response-done.names-created-response': [
    'The end of a response has another id.',
    (b) =>
      onEvent(
        b,
        DONE,
        change('response.id', (id) => `${String(id)}_final`),
      ),
  ],
  'response-done.names-created-response~stray': [
    'A response ends that never began.',
    (b) =>
      splitEvent(b, DONE, (event) => [
        event,
        {
          ...again(event),
          response: {
            ...wireAt(event, 'response'),
            id: `${textOf(wireAt(event, 'response')['id']) ?? ''}_audio`,
            output: [],
          },
        },
      ]),
  ],
  'response-done.last-event': [
    'A response is followed by an empty delta.',
    (b) =>
      splitEvent(b, DONE, (event) => {
        const response = wireAt(event, 'response')
        const [item] = wiresAt(response, 'output')
        const delta = {
          type: 'response.output_text.delta',
          event_id: `${String(event['event_id'])}_rest`,
          response_id: response['id'],
          item_id: item?.['id'],
          output_index: 0,
          delta: '',
        }
        return item === undefined ? [event] : [event, delta]
      }),
  ],
  'response-done.all-output-items': [
    'The end of a response shows no output.',
    (b) => onEvent(b, DONE, put('response.output', [])),
  ],
  'response-done.output-items-finished': [
    'The end of a response shows a message that was never done.',
    (b) =>
      onEvent(b, DONE, (event) => {
        const response = wireAt(event, 'response')
        const extra = message(`item_extra_${textOf(response['id']) ?? ''}`, 'By the way.')
        return { ...event, response: { ...response, output: [...wiresAt(response, 'output'), extra] } }
      }),
  ],
  'response-done.output-item-once': [
    'The end of a response shows its items twice.',
    (b) =>
      onEvent(
        b,
        DONE,
        change('response.output', (output) => (Array.isArray(output) ? [...output, ...output] : output)),
      ),
  ],
  'response-done.item-text-agrees': [
    'The end of a response shows its text in capitals.',
    (b) =>
      onEvent(
        b,
        DONE,
        change('response.output.*.content.*.text', (text) => (typeof text === 'string' ? text.toUpperCase() : text)),
      ),
  ],
  'response-done.items-in-order': [
    'The end of a response shows its items backwards.',
    (b) => {
      addItem(b, {
        when: ({ plan }) => plan.text !== undefined,
        item: ({ id }) => message(`item_second_${id}`, ''),
        index: 1,
      })
      onEvent(
        b,
        DONE,
        change('response.output', (output) => (Array.isArray(output) ? output.toReversed() : output)),
      )
    },
  ],
  'response-done.completed-text-whole': [
    'A long text ends early, and completed.',
    ({ pace }) => {
      const { split } = pace
      pace.split = (text) => {
        const pieces = split(text)
        return pieces.length > 3 ? pieces.slice(0, -1) : pieces
      }
    },
  ],
  'response-done.final-statuses-told': [
    'A response that was cut short ends completed.',
    ({ responses }) => void (responses.cutStatus = () => 'completed'),
  ],
})

export const responseDefects = [...resourceDefects, ...createdDefects, ...doneDefects]
