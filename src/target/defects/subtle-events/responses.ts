import { splitText } from '#target/behaviour/pace'
import { isWire, textOf, type Wire, wireAt, wiresAt } from '#target/wire'
import { change, replace } from '../paths.ts'
import { runsOf } from '../runs.ts'
import { defectsOf } from '../table.ts'
import { memory, onEvent, onItems } from '../tools.ts'

/** Changes the output that the end of a response shows. */
const inOutput = (event: Wire, make: (item: Wire) => Wire): Wire =>
  change('response.output', () => wiresAt(wireAt(event, 'response'), 'output').map(make))(event)

const withText = (item: Wire, make: (text: string) => string): Wire =>
  change('content.*.text', (text) => (typeof text === 'string' ? make(text) : text))(item)

/** Pieces of a text by UTF-16 units, so that a pair of them may be torn. */
function tearText(text: string): string[] {
  const size = Math.max(1, Math.min(99, Math.ceil(text.length / 3)))
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
  return pieces.length === 0 ? splitText(text) : pieces
}

/** 6.2: deltas, items and ends of responses that are wrong only sometimes. */
export const subtleResponseEventDefects = defectsOf('control-channel', {
  'text-delta.item-of-one-response~last': [
    'The last of several deltas counts its item from one.',
    (b) => {
      const runOf = runsOf(b)
      onEvent(b, 'response.output_text.delta', (event) => {
        const run = runOf(event)
        const last = run !== undefined && run.pieces.length === 0 && run.sent !== event['delta']
        return last ? { ...event, output_index: run.outputIndex + 1 } : event
      })
    },
  ],
  'text-delta.concatenate-to-final-text~torn': [
    'A character of four bytes that falls between two deltas is lost.',
    (b) => {
      b.pace.split = tearText
      onEvent(
        b,
        'response.output_text.delta',
        change('delta', (delta) => textOf(delta)?.toWellFormed()),
      )
    },
  ],
  'text-delta.item-of-one-response~out-of-band': [
    'The final text of an out-of-band response names the response before it.',
    (b) => {
      const runOf = runsOf(b)
      const last = memory(() => ({ id: undefined as unknown }))
      b.outgoing.push((event, session) => {
        if (event['type'] === 'response.done') last(session).id = wireAt(event, 'response')['id']
        const strays = event['type'] === 'response.output_text.done' && runOf(event)?.plan.conversation === 'none'
        return [strays ? replace('response_id', last(session).id ?? event['response_id'])(event) : event]
      })
    },
  ],
  'response-done.item-text-agrees~cut': [
    'The end of a response that was cut short shows its text with a note behind it.',
    (b) => {
      const runOf = runsOf(b)
      onEvent(b, 'response.done', (event) => {
        const run = runOf(event)
        if (run?.status !== 'cancelled') return event
        return inOutput(event, (item) => withText(item, (text) => `${text} (cut off)`))
      })
    },
  ],
  'response-done.all-output-items~function-call': [
    'The end of a response shows a function call under its call id.',
    (b) =>
      onEvent(b, 'response.done', (event) =>
        inOutput(event, (item) => (item['type'] === 'function_call' ? { ...item, id: item['call_id'] } : item)),
      ),
  ],
  'output-item-done.text-agrees~line-breaks': [
    'A finished item has spaces in place of line breaks.',
    (b) =>
      onItems(b, (item) =>
        item['role'] === 'assistant' && item['status'] !== 'in_progress'
          ? withText(item, (text) => text.replaceAll(/\s*\n\s*/gu, ' '))
          : item,
      ),
  ],
  'output-item-done.function-call-arguments~several-tools': [
    'With several tools the arguments of a call come twice in one string.',
    ({ generation }) => {
      const { calls } = generation
      generation.calls = (userText, tools) => {
        const call = calls(userText, tools)
        return call === undefined || tools.length < 2
          ? call
          : { ...call, arguments: `${call.arguments}${call.arguments}` }
      }
    },
  ],
  'response.max-output-tokens-number-or-inf~asked': [
    'A maximum of `inf` that was asked for is shown as null.',
    ({ responses, outgoing }) => {
      const asked = memory(() => ({ inf: false, ids: new Set<unknown>() }))
      const { maxOutputTokens } = responses
      responses.maxOutputTokens = (response, defaults, session) => {
        asked(session).inf = response['max_output_tokens'] === 'inf'
        return maxOutputTokens(response, defaults, session)
      }
      outgoing.push((event, session) => {
        const { inf, ids } = asked(session)
        const { id } = wireAt(event, 'response')
        if (event['type'] === 'response.created' && inf) ids.add(id)
        return [isWire(event['response']) && ids.has(id) ? replace('response.max_output_tokens', null)(event) : event]
      })
    },
  ],
  'render-stopped.status-in-set~visual-only': [
    'The rendering of an action without words ends `stopped`.',
    (b) => {
      const runOf = runsOf(b)
      onEvent(b, 'response.render.stopped', (event) =>
        runOf(event)?.plan.kind === 'visual' ? { ...event, status: 'stopped' } : event,
      )
    },
  ],
  'response.status-details-object-or-null~incomplete': [
    'The details of an incomplete response are a string.',
    (b) =>
      onEvent(
        b,
        'response.done',
        change('response', (response) =>
          isWire(response) && response['status'] === 'incomplete'
            ? { ...response, status_details: 'max_output_tokens' }
            : response,
        ),
      ),
  ],
  'response.id-unique~reconnect': [
    'Responses are counted from one again after a reconnect.',
    ({ channel, outgoing }) => {
      const known = memory(() => ({ count: 0, names: new Map<unknown, string>() }))
      const { onConnect } = channel
      channel.onConnect = (session) => {
        onConnect(session)
        known(session).count = 0
      }
      outgoing.push((event, session) => {
        const { names } = known(session)
        const { id } = wireAt(event, 'response')
        if (event['type'] === 'response.created') names.set(id, `${session.id}_${(known(session).count += 1)}`)
        const named = (own: unknown): unknown => names.get(own) ?? own
        return [replace('response_id', named(event['response_id']))(replace('response.id', named(id))(event))]
      })
    },
  ],
})
