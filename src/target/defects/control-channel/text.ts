import { splitText } from '#target/behaviour/pace'
import { moveStep } from '#target/behaviour/responses'
import { change, omit, replace } from '#target/overrides/changes'
import { withhold, onEvent, twice } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { around, remembering, set } from '#target/overrides/operators'
import { textOf, objectAt } from '#target/wire'
import { isInVideo } from '../tools/modes.ts'
import { greeting } from '../tools/openings.ts'
import { runsOf } from '../tools/runs.ts'
import { defectsOf } from '../tools/table.ts'

const DELTA = 'response.output_text.delta'

const TEXT_DONE = 'response.output_text.done'

/** Pieces of a text by UTF-16 units, so that a pair of them may be torn. */
function tearText(text: string): string[] {
  const size = Math.max(1, Math.min(99, Math.ceil(text.length / 3)))
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
  return pieces.length === 0 ? splitText(text) : pieces
}

export const textDeltaDefects = defectsOf('control-channel.text-delta', {
  'response-id: Deltas name no response.': onEvent(DELTA, omit('response_id')),
  'item-id: Deltas name no item.': onEvent(DELTA, omit('item_id')),
  'output-index-number: Deltas have their index as a string.': onEvent(DELTA, change('output_index', String)),
  'delta-string: A delta is an object.': onEvent(
    DELTA,
    change('delta', (text) => ({ text })),
  ),
  'of-active-response: Deltas name the response before.': remembering(() => {
    const last = memory(() => ({ done: undefined as unknown }))
    return [
      onEvent('response.done', (event, session) => {
        last(session).done = objectAt(event, 'response')['id']
        return event
      }),
      onEvent(DELTA, (event, session) => ({ ...event, response_id: last(session).done ?? event['response_id'] })),
    ]
  }),
  'of-active-response~unknown: Text names a response of its own.': [DELTA, TEXT_DONE].map((type) =>
    onEvent(
      type,
      change('response_id', (id) => `${String(id)}_text`),
    ),
  ),
  'item-of-one-response: Deltas count up their index.': remembering(() => {
    let count = 0
    return onEvent(DELTA, (event) => {
      count += 1
      return { ...event, output_index: count % 2 }
    })
  }),
  'item-of-one-response~last: The last of several deltas counts its item from one.': (b) => {
    const runOf = runsOf(b)
    onEvent('response.output_text.delta', (event) => {
      const run = runOf(event)
      const last = run !== undefined && run.pieces.length === 0 && run.sent !== event['delta']
      return last ? { ...event, output_index: run.outputIndex + 1 } : event
    })(b)
  },
  'item-of-one-response~out-of-band: The final text of an out-of-band response names the response before it.': (b) => {
    const runOf = runsOf(b)
    const last = memory(() => ({ id: undefined as unknown }))
    b.outgoing.push((event, session) => {
      if (event['type'] === 'response.done') last(session).id = objectAt(event, 'response')['id']
      const strays = event['type'] === 'response.output_text.done' && runOf(event)?.plan.conversation === 'none'
      return [strays ? replace('response_id', last(session).id ?? event['response_id'])(event) : event]
    })
  },
  'concatenate-to-final-text: Deltas lose the space at their end.': onEvent(
    DELTA,
    change('delta', (text) => String(text).replace(/.$/u, '')),
  ),
  'concatenate-to-final-text~torn: A character of four bytes that falls between two deltas is lost.': [
    set('pace.split', tearText),
    onEvent(
      'response.output_text.delta',
      change('delta', (delta) => textOf(delta)?.toWellFormed()),
    ),
  ],
  'concatenate-to-final-text~opening: The final text of an opening lacks its last sentence.': greeting((isOpening) =>
    onEvent(TEXT_DONE, (event) => (isOpening(event) ? { ...event, text: 'Good day!' } : event)),
  ),
  'cut-item-text: A cut item shows a note and not its text.': set('responses.finalText', (sent, run) =>
    run.pieces.length > 0 ? '(cut off)' : sent,
  ),
  'for-model-output: Replies come without deltas.': (b) => {
    const runOf = runsOf(b)
    withhold(DELTA, (event) => runOf(event)?.plan.kind === 'reply')(b)
  },
  'for-spoken-media: In video text comes without deltas.': (b) => {
    const runOf = runsOf(b)
    withhold(DELTA, (event) => isInVideo(runOf(event)?.plan))(b)
  },
  'for-spoken-media~opening: The text of an opening comes without deltas.': greeting((isOpening) =>
    withhold(DELTA, isOpening),
  ),
})

export const textDoneDefects = defectsOf('control-channel.text-done', {
  'response-id: A final text names no response.': onEvent(TEXT_DONE, omit('response_id')),
  'item-id: A final text names no item.': onEvent(TEXT_DONE, omit('item_id')),
  'output-index-number: A final text has its index as a string.': onEvent(TEXT_DONE, change('output_index', String)),
  'text-string: A final text is called `delta`.': onEvent(TEXT_DONE, ({ text, ...event }) => ({
    ...event,
    delta: text,
  })),
  'for-every-completed-stream: Text is never final.': withhold(TEXT_DONE),
  'for-every-completed-stream~opening: The text of an opening is never final.': greeting((isOpening) =>
    withhold(TEXT_DONE, isOpening),
  ),
  'once: Text is final twice.': twice(TEXT_DONE),
  'no-delta-after: Text is final after its first delta.': [
    around('responses.order', (order) => moveStep(order, TEXT_DONE, 'remaining-deltas')),
    set('responses.finalText', (sent, run) =>
      run.pieces.length > 0 && run.status === 'in_progress' && !run.reached.has(TEXT_DONE)
        ? (run.plan.text ?? sent)
        : sent,
    ),
  ],
})
