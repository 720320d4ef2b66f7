import type { Override } from '#target/behaviour/behaviour'
import type { LifeStep } from '#target/behaviour/responses'
import { change, inAscii, inSmallLetters, omit, put, replace } from '#target/overrides/changes'
import { again, withhold, onEvent, splitEvent, twice } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { append, around, remembering, set, several } from '#target/overrides/operators'
import type { ResponseRun } from '#target/responses/run'
import { isWire, textOf, type JsonObject, objectAt, objectsAt } from '#target/wire'
import { withText } from '../tools/items.ts'
import { addItem, runsOf } from '../tools/runs.ts'
import { defectsOf } from '../tools/table.ts'

const CREATED = 'response.created'

const DONE = 'response.done'

const both = (make: (event: JsonObject) => JsonObject): Override => several(onEvent(CREATED, make), onEvent(DONE, make))

const message = (id: string, text: string): JsonObject => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'text', text }],
})

/** Changes the output that the end of a response shows. */
const inOutput = (event: JsonObject, make: (item: JsonObject) => JsonObject): JsonObject =>
  change('response.output', () => objectsAt(objectAt(event, 'response'), 'output').map(make))(event)

export const responseDefects = defectsOf('control-channel.response', {
  'id-string: The id of a response is a number.': remembering(() => {
    let count = 0
    return [set('ids.response', () => String((count += 1))), both(change('response.id', Number))]
  }),
  'id-unique: Responses of a session share an id.': set('ids.response', () => 'resp_current'),
  'id-unique~reconnect: Responses are counted from one again after a reconnect.': remembering(() => {
    const known = memory(() => ({ count: 0, names: new Map<unknown, string>() }))
    return [
      around('channel.onConnect', (onConnect) => (session) => {
        onConnect(session)
        known(session).count = 0
      }),
      append('outgoing', (event, session) => {
        const { names } = known(session)
        const { id } = objectAt(event, 'response')
        if (event['type'] === 'response.created') names.set(id, `${session.id}_${(known(session).count += 1)}`)
        const named = (own: unknown): unknown => names.get(own) ?? own
        return [replace('response_id', named(event['response_id']))(replace('response.id', named(id))(event))]
      }),
    ]
  }),
  'status-in-set: A finished response is `succeeded`.': onEvent(
    DONE,
    change('response.status', (status) => (status === 'completed' ? 'succeeded' : status)),
  ),
  'status-details-object-or-null: A response that has begun has an empty string as details.': onEvent(
    CREATED,
    put('response.status_details', ''),
  ),
  'status-details-object-or-null~cut: Details of a cut response are a string.': onEvent(
    DONE,
    change('response.status_details', (details) => (isWire(details) ? String(details['reason']) : details)),
  ),
  'status-details-object-or-null~incomplete: The details of an incomplete response are a string.': onEvent(
    'response.done',
    change('response', (response) =>
      isWire(response) && response['status'] === 'incomplete'
        ? { ...response, status_details: 'max_output_tokens' }
        : response,
    ),
  ),
  'output-array: Without output it is null.': both(
    change('response.output', (output) => (Array.isArray(output) && output.length > 0 ? output : null)),
  ),
  'output-items-shape: Output holds ids.': onEvent(
    DONE,
    change('response.output.*', (item) => (isWire(item) ? item['id'] : item)),
  ),
  'max-output-tokens-number-or-inf: Without a maximum it is null.': both(
    change('response.max_output_tokens', (maximum) => (maximum === 'inf' ? null : maximum)),
  ),
  'max-output-tokens-number-or-inf~asked: A maximum of `inf` that was asked for is shown as null.': remembering(() => {
    const asked = memory(() => ({ inf: false, ids: new Set<unknown>() }))
    return [
      around('responses.maxOutputTokens', (maxOutputTokens) => (response, defaults, session) => {
        asked(session).inf = response['max_output_tokens'] === 'inf'
        return maxOutputTokens(response, defaults, session)
      }),
      append('outgoing', (event, session) => {
        const { inf, ids } = asked(session)
        const { id } = objectAt(event, 'response')
        if (event['type'] === 'response.created' && inf) ids.add(id)
        return [isWire(event['response']) && ids.has(id) ? replace('response.max_output_tokens', null)(event) : event]
      }),
    ]
  }),
  'no-raw-media~resource: The end of a response carries its audio beside its items.': onEvent(
    DONE,
    put('response.media', { audio: { format: 'wav', data: `UklGR${'A'.repeat(251)}` } }),
  ),
  'no-raw-media: A spoken item carries its audio.': onEvent(
    DONE,
    change('response.output.*.content', (content) =>
      Array.isArray(content) ? [...content, { type: 'input_audio', audio: `UklGR${'A'.repeat(251)}` }] : content,
    ),
  ),
})

export const responseCreatedDefects = defectsOf('control-channel.response-created', {
  'response-object: A new response is told by its id.': onEvent(CREATED, ({ response, ...event }) => ({
    ...event,
    response: objectAt({ response }, 'response')['id'],
  })),
  'status-in-progress: A new response is completed already.': onEvent(CREATED, put('response.status', 'completed')),
  'id-known: A new response has no id.': onEvent(CREATED, omit('response.id')),
  'request-event-id-names-request: A new response names itself as its request.': onEvent(
    CREATED,
    change('request_event_id', (id) => (id === undefined ? undefined : `req_${textOf(id) ?? ''}`)),
  ),
  'request-event-id-names-request~ascii: A new response names its request without the letters beyond ASCII.': onEvent(
    CREATED,
    change('request_event_id', inAscii),
  ),
  'request-event-id-names-request~case: A new response names its request in small letters.': onEvent(
    CREATED,
    change('request_event_id', inSmallLetters),
  ),
  'request-event-id-names-request~carried: What was asked for without an id names the request before it.': remembering(
    () => {
      const last = memory(() => ({ id: undefined as string | undefined }))
      return around('scheduling.submitted', (submitted) => (asked, session) => {
        const plan = submitted(asked, session)
        last(session).id = plan.requestEventId ?? last(session).id
        return { ...plan, requestEventId: last(session).id }
      })
    },
  ),
  'request-event-id-names-request~pending: A pending response names the request of the response before it.':
    remembering(() => {
      const last: { run: ResponseRun | undefined } = { run: undefined }
      return [
        around('scheduling.runsPending', (runsPending) => (done) => {
          last.run = done
          return runsPending(done)
        }),
        set('scheduling.pendingPlan', (submitted) => ({ ...submitted, requestEventId: last.run?.plan.requestEventId })),
      ]
    }),
  'precedes-output: Rendering or text begins before its response.': around('responses.order', (order): LifeStep[] => [
    'response.render.started',
    'first-delta',
    ...order.filter((step) => step !== 'first-delta' && step !== 'response.render.started'),
  ]),
})

export const responseDoneDefects = defectsOf('control-channel.response-done', {
  'response-object: The end of a response stands beside its type.': onEvent(DONE, ({ response, ...event }) => ({
    ...event,
    response: [response],
  })),
  'always~asker-left: A connection that ends takes the active response with it, and nobody else hears of its end.': set(
    'channel.takesAlong',
    'active',
  ),
  'always: A response that was not disturbed falls silent.': withhold(
    DONE,
    (event) => objectAt(event, 'response')['status'] === 'completed',
  ),
  'always~at-once: What is interrupted before its first text falls silent.': (behaviour) => {
    const runOf = runsOf(behaviour)
    withhold(DONE, (event) => {
      const run = runOf(event)
      return run?.status === 'cancelled' && run.plan.text !== undefined && !run.reached.has('first-delta')
    })(behaviour)
  },
  'always~cancelled-action: A cancelled action falls silent.': (behaviour) => {
    const runOf = runsOf(behaviour)
    withhold(DONE, (event) => {
      const run = runOf(event)
      return (
        run?.plan.kind === 'visual' &&
        objectAt(event, 'response')['status'] === 'cancelled' &&
        run.reached.has('response.render.started')
      )
    })(behaviour)
  },
  'once: A response ends twice.': twice(DONE),
  'status-final: A finished response is still in progress.': onEvent(DONE, put('response.status', 'in_progress')),
  'names-created-response: The end of a response has another id.': onEvent(
    DONE,
    change('response.id', (id) => `${String(id)}_final`),
  ),
  'names-created-response~stray: A response ends that never began.': splitEvent(DONE, (event) => [
    event,
    {
      ...again(event),
      response: {
        ...objectAt(event, 'response'),
        id: `${textOf(objectAt(event, 'response')['id']) ?? ''}_audio`,
        output: [],
      },
    },
  ]),
  'last-event: A response is followed by an empty delta.': splitEvent(DONE, (event) => {
    const response = objectAt(event, 'response')
    const [item] = objectsAt(response, 'output')
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
  'all-output-items: The end of a response shows no output.': onEvent(DONE, put('response.output', [])),
  'all-output-items~function-call: The end of a response shows a function call under its call id.': onEvent(
    'response.done',
    (event) => inOutput(event, (item) => (item['type'] === 'function_call' ? { ...item, id: item['call_id'] } : item)),
  ),
  'all-output-items~other-call: The end of a response shows a function call with another call_id.': onEvent(
    DONE,
    (event) =>
      inOutput(event, (item) =>
        item['type'] === 'function_call' ? { ...item, call_id: `${String(item['call_id'])}_0` } : item,
      ),
  ),
  'all-output-items~other-arguments: The end of a response shows a function call with empty arguments.': onEvent(
    DONE,
    (event) => inOutput(event, (item) => (item['type'] === 'function_call' ? { ...item, arguments: '{}' } : item)),
  ),
  'all-output-items~role: The end of a response shows what the assistant said as said by the user.': onEvent(
    DONE,
    (event) => inOutput(event, (item) => (item['role'] === 'assistant' ? { ...item, role: 'user' } : item)),
  ),
  'all-output-items~interrupted: The end of a response that was cut short shows no output.': around(
    'responses.resource',
    (resource) => (run) => (run.status === 'cancelled' ? { ...resource(run), output: [] } : resource(run)),
  ),
  'output-items-finished: The end of a response shows a message that was never done.': onEvent(DONE, (event) => {
    const response = objectAt(event, 'response')
    const extra = message(`item_extra_${textOf(response['id']) ?? ''}`, 'By the way.')
    return { ...event, response: { ...response, output: [...objectsAt(response, 'output'), extra] } }
  }),
  'output-item-once: The end of a response shows its items twice.': onEvent(
    DONE,
    change('response.output', (output) => (Array.isArray(output) ? [...output, ...output] : output)),
  ),
  'item-text-agrees: The end of a response shows its text in capitals.': onEvent(
    DONE,
    change('response.output.*.content.*.text', (text) => (typeof text === 'string' ? text.toUpperCase() : text)),
  ),
  'item-text-agrees~cut: The end of a response that was cut short shows its text with a note behind it.': (b) => {
    const runOf = runsOf(b)
    onEvent('response.done', (event) => {
      const run = runOf(event)
      if (run?.status !== 'cancelled') return event
      return inOutput(event, (item) => withText(item, (text) => `${text} (cut off)`))
    })(b)
  },
  'items-in-order: The end of a response shows its items backwards.': [
    addItem({
      when: ({ plan }) => plan.text !== undefined,
      item: ({ id }) => message(`item_second_${id}`, ''),
      index: 1,
    }),
    onEvent(
      DONE,
      change('response.output', (output) => (Array.isArray(output) ? output.toReversed() : output)),
    ),
  ],
  'completed-text-whole~beyond-one-call: What a voice does not take at once, 4,096 characters, is not spoken.': around(
    'pace.split',
    (split) => (text) => split(text.slice(0, 4_096)),
  ),
  'completed-text-whole: A long text ends early, and completed.': around('pace.split', (split) => (text) => {
    const pieces = split(text)
    return pieces.length > 3 ? pieces.slice(0, -1) : pieces
  }),
  'final-statuses-told: A response that was cut short ends completed.': set('responses.cutStatus', () => 'completed'),
  'final-statuses-told~visual: An interrupted visual-only script ends completed.': around(
    'responses.resource',
    (resource) => (run) => {
      const shown = resource(run)
      return run.plan.kind === 'visual' && objectAt(shown, 'status_details')['reason'] === 'client_interrupt'
        ? { ...shown, status: 'completed', status_details: null }
        : shown
    },
  ),
})
