import { set, around, several } from '#target/overrides/operators'
import { onEvent, splitEvent } from '#target/overrides/events'
import type { Override } from '#target/behaviour/behaviour'
import { moveStep } from '../behaviour/responses.ts'
import { TOOL_CALL_TEXT } from '../behaviour/generation.ts'
import type { Variation } from '../deviation.ts'
import type { ResponseRun } from '../responses/run.ts'
import { textOf, type JsonObject, objectAt, objectsAt, without } from '../wire.ts'

const isCut = ({ pieces }: ResponseRun): boolean => pieces.length > 0

/** A cut item gets its text done, and says of its text what this makes of it. */
const cutText = (text: (sent: string, run: ResponseRun) => string): Override =>
  several(
    around('responses.cutOrder', (cutOrder) => (cause) => ['response.output_text.done', ...cutOrder(cause)]),
    set('responses.finalText', (sent, run) => (isCut(run) ? text(sent, run) : sent)),
  )

/** The text is out long before the response is over. */
const runAhead: Override = ({ pace }) => {
  Object.assign(pace, { firstDeltaMs: 0, deltaMs: 0, doneMs: 700 })
}

const cutStates = ['cancelled', 'interrupted', 'incomplete']

/** What tells the end of a cut response. */
const endsCut = (event: JsonObject): boolean =>
  [event['status'], objectAt(event, 'response')['status'], objectAt(event, 'item')['status']].some((status) =>
    cutStates.includes(String(status)),
  ) && ['response.output_item.done', 'response.render.stopped', 'response.done'].includes(String(event['type']))

/** What a function that nobody offered is rightly warned about. */
const madeUp = [
  'control-channel.output-item-done.function-call-name-offered',
  'control-channel.response-create.tools-override',
  'control-channel.response-create.tools-empty-override',
  'control-channel.response-create.tools-this-response-only',
] as const

/** What responses put out, where the interface leaves it open. */
const outputVariations: readonly Variation[] = [
  {
    id: 'renders-for-nobody',
    section: '3.4',
    text: 'Nothing is rendered while nobody is in the room (rendering is "over RTC").',
    warns: ['control-channel.render.something-rendered'],
    override: set('responses.renders', () => false),
  },
  {
    id: 'cut-text-as-spoken',
    section: '6.2',
    text: 'The final text of a cut item is what was spoken of it, less than what was streamed.',
    override: cutText((sent) => sent.slice(0, Math.floor(sent.length / 2))),
  },
  {
    id: 'cut-text-as-generated',
    section: '6.2',
    text: 'The final text of a cut item is all that was generated, more than what was streamed.',
    override: cutText((sent, { plan }) => plan.text ?? sent),
  },
  {
    id: 'cut-item-trimmed-later',
    section: '6.2',
    text: 'A cut item is done with what was streamed, and in `response.done` with what was spoken of it.',
    override: onEvent('response.done', (event) => {
      const response = objectAt(event, 'response')
      if (response['status'] !== 'cancelled') return event
      const output = objectsAt(response, 'output').map((item) => ({
        ...item,
        ...(item['type'] === 'message' ? { content: objectsAt(item, 'content').map(halved) } : {}),
      }))
      return { ...event, response: { ...response, output } }
    }),
  },
  {
    id: 'calls-made-up',
    section: '2.5',
    text: 'The model calls functions that nobody offered (what is offered is told, not what a model does).',
    warns: madeUp,
    override: set('generation.calls', (userText) =>
      userText.includes(TOOL_CALL_TEXT) ? { name: 'read_minds', arguments: '{}' } : undefined,
    ),
  },
  {
    id: 'calls-made-up-without-tools',
    section: '2.5',
    text: 'Without tools the model makes a function up.',
    warns: madeUp,
    override: around(
      'generation.calls',
      (calls) => (userText, tools) =>
        tools.length === 0 && userText.includes(TOOL_CALL_TEXT)
          ? { name: 'read_minds', arguments: '{}' }
          : calls(userText, tools),
    ),
  },
  {
    id: 'text-runs-ahead',
    section: '3.4',
    text: 'The whole text of a response is out at once, and the response goes on for a while.',
    override: runAhead,
  },
  {
    id: 'text-runs-ahead-completed',
    contradicts: /^cuts-told-late$/,
    section: '3.4',
    text: 'The whole text of a response is out at once; cut after that it ends completed.',
    override: (behaviour) => {
      runAhead(behaviour)
      const { responses } = behaviour
      responses.itemStatus = ({ plan, pieces }, cut) =>
        plan.truncated || (cut && pieces.length > 0) ? 'incomplete' : 'completed'
      const { cutStatus, cutDetails } = responses
      const isWhole = ({ plan, pieces }: ResponseRun): boolean => plan.text !== undefined && pieces.length === 0
      responses.cutStatus = (cause, run) => (isWhole(run) ? 'completed' : cutStatus(cause, run))
      responses.cutDetails = (cause, run) => (isWhole(run) ? null : cutDetails(cause, run))
    },
  },
  {
    id: 'cuts-told-late',
    section: '4.4',
    text: 'The end of a cut response is told half a second later, beside the next one ("still emit terminal events").',
    override: set('channel.delayMs', (event) => (endsCut(event) ? 500 : 0)),
  },
  {
    id: 'tiny-replies-fail',
    section: '2.10',
    text: 'A reply that so few tokens cut short ends failed (one of five statuses).',
    override: several(
      around('responses.finishedStatus', (status) => (run) => (run.plan.truncated ? 'failed' : status(run))),
      around(
        'responses.finishedDetails',
        (details) => (run) => (run.plan.truncated ? { type: 'failed', reason: 'too_short' } : details(run)),
      ),
    ),
  },
  {
    id: 'tiny-replies-refused',
    section: '4.4',
    text: 'Fewer than sixteen tokens are refused (no bounds are given).',
    override: around('validations.responseCreate.tokens-not-valid.broken', (broken) => (input) => {
      const tokens = input.response['max_output_tokens']
      return broken(input) || (typeof tokens === 'number' && tokens < 16)
    }),
  },
  {
    id: 'resources-bare',
    section: '2.10',
    text: 'A response shows its status and, in the end, its output, and nothing else (no field is required).',
    warns: ['control-channel.response-created.id-known'],
    override: several(
      onEvent('response.created', (event) => ({
        ...event,
        response: { status: objectAt(event, 'response')['status'] },
      })),
      onEvent('response.done', (event) => {
        const { status, output } = objectAt(event, 'response')
        return { ...event, response: { status, output } }
      }),
    ),
  },
  {
    id: 'details-left-out',
    section: '2.10',
    text: 'A response shows neither details of its status nor a number of tokens (no field is required).',
    override: (behaviour) => {
      for (const type of ['response.created', 'response.done'])
        onEvent(type, (event) => {
          const { id, status, output } = objectAt(event, 'response')
          return { ...event, response: { id, status, output } }
        })(behaviour)
    },
  },
  {
    id: 'done-without-id',
    section: '2.10',
    text: '`response.done` has a response without id.',
    override: onEvent('response.done', (event) => ({
      ...event,
      response: without(objectAt(event, 'response'), 'id'),
    })),
  },
  {
    id: 'item-done-before-text-done',
    section: '6.2',
    text: 'An item is done before its final text is told.',
    override: around('responses.order', (order) =>
      moveStep(order, 'response.output_item.done', 'response.output_text.done'),
    ),
  },
]

const halved = (part: JsonObject): JsonObject => {
  const text = textOf(part['text']) ?? ''
  return { ...part, text: text.slice(0, Math.floor(text.length / 2)) }
}

export const openingText = 'Welcome! I am glad that you are here. What may I do for you today?'

/** An opening that is spoken, and its end. */
const open = (afterMs: number): Override =>
  several(
    set('extras.spokenOpening', { afterMs, text: openingText }),
    splitEvent('response.done', (event) => {
      const { status, output } = objectAt(event, 'response')
      const said = objectsAt(objectsAt({ output }, 'output')[0] ?? {}, 'content')[0]?.['text']
      if (!openingText.startsWith(textOf(said) ?? 'nothing')) return [event]
      const end = { type: 'session.bootstrap.opening.done', event_id: `${String(event['event_id'])}_opening`, status }
      return [event, end]
    }),
  )

/** "`session.bootstrap.opening.done`: terminal result of the opening" (6.2); when it begins is not said. */
const openingVariations: readonly Variation[] = [20, 200, 450, 1_200].map((afterMs) => ({
  id: `opening-spoken-after-${afterMs}-ms`,
  section: '6.2',
  text: `An opening is spoken ${afterMs} ms after the first connection, unless a response was asked for by then.`,
  contradicts: /^opening/,
  override: open(afterMs),
}))

export const responseOutputVariations: readonly Variation[] = [...outputVariations, ...openingVariations]
