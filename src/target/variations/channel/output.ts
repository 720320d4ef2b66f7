import { set, around, remembering, several } from '#target/overrides/operators'
import { onEvent, splitEvent } from '#target/overrides/events'
import type { Override } from '#target/behaviour/behaviour'
import { moveStep } from '#target/behaviour/responses'
import { TOOL_CALL_TEXT } from '#target/behaviour/generation'
import type { Variation } from '#target/deviation'
import type { ResponseRun } from '#target/responses/run'
import { textOf, type JsonObject, objectAt, objectsAt, without } from '#target/wire'
import { variationsOf } from '../table.ts'

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
const outputVariations = variationsOf({
  'renders-for-nobody §3.4: Nothing is rendered while nobody is in the room (rendering is "over RTC").': {
    warns: ['control-channel.render.something-rendered'],
    override: set('responses.renders', () => false),
  },
  'renders-in-one-workspace §3.4: Nothing is rendered while nobody is in the room on the deployment of one workspace; another one has a deployment of its own.':
    remembering(() => {
      const elsewhere = new WeakSet<object>()
      return [
        around('scheduling.submitted', (submitted) => (plan, session) => {
          const made = submitted(plan, session)
          if (session.account.workspace === 'first') elsewhere.add(made.state)
          return made
        }),
        around('responses.renders', (renders) => (plan) => renders(plan) && !elsewhere.has(plan.state)),
      ]
    }),
  'cut-text-as-spoken §6.2: The final text of a cut item is what was spoken of it, less than what was streamed.':
    cutText((sent) => sent.slice(0, Math.floor(sent.length / 2))),
  'cut-text-as-generated §6.2: The final text of a cut item is all that was generated, more than what was streamed.':
    cutText((sent, { plan }) => plan.text ?? sent),
  'cut-item-trimmed-later §6.2: A cut item is done with what was streamed, and in `response.done` with what was spoken of it.':
    onEvent('response.done', (event) => {
      const response = objectAt(event, 'response')
      if (response['status'] !== 'cancelled') return event
      const output = objectsAt(response, 'output').map((item) => ({
        ...item,
        ...(item['type'] === 'message' ? { content: objectsAt(item, 'content').map(halved) } : {}),
      }))
      return { ...event, response: { ...response, output } }
    }),
  'calls-made-up §2.5: The model calls functions that nobody offered (what is offered is told, not what a model does).':
    {
      warns: madeUp,
      override: set('generation.calls', (userText) =>
        userText.includes(TOOL_CALL_TEXT) ? { name: 'read_minds', arguments: '{}' } : undefined,
      ),
    },
  'calls-nothing §2.5: The model calls no function, whatever it is told (what a model does is not told).': set(
    'generation.calls',
    () => undefined,
  ),
  'calls-made-up-without-tools §2.5: Without tools the model makes a function up.': {
    warns: madeUp,
    override: around(
      'generation.calls',
      (calls) => (userText, tools) =>
        tools.length === 0 && userText.includes(TOOL_CALL_TEXT)
          ? { name: 'read_minds', arguments: '{}' }
          : calls(userText, tools),
    ),
  },
  'text-runs-ahead §3.4: The whole text of a response is out at once, and the response goes on for a while.': runAhead,
  'text-runs-ahead-completed §3.4: The whole text of a response is out at once; cut after that it ends completed.': {
    contradicts: /^cuts-told-late$/,
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
  'cuts-told-late §4.4: The end of a cut response is told half a second later, beside the next one ("still emit terminal events").':
    remembering(() => {
      // What came to its end by itself, be it for its tokens, is told at once: in video what waits starts behind that.
      const whole = new Set<unknown>()
      return [
        around('responses.itemStatus', (status) => (run, cut) => {
          if (!cut) whole.add(run.id)
          return status(run, cut)
        }),
        set('channel.delayMs', (event) => {
          const id = event['response_id'] ?? objectAt(event, 'response')['id']
          return endsCut(event) && !whole.has(id) ? 500 : 0
        }),
      ]
    }),
  'tiny-replies-fail §2.10: A reply that so few tokens cut short ends failed (one of five statuses).': several(
    around('responses.finishedStatus', (status) => (run) => (run.plan.truncated ? 'failed' : status(run))),
    around(
      'responses.finishedDetails',
      (details) => (run) => (run.plan.truncated ? { type: 'failed', reason: 'too_short' } : details(run)),
    ),
  ),
  'tiny-replies-refused §4.4: Fewer than sixteen tokens are refused (no bounds are given).': around(
    'validations.responseCreate.tokens-not-valid.broken',
    (broken) => (input) => {
      const tokens = input.response['max_output_tokens']
      return broken(input) || (typeof tokens === 'number' && tokens < 16)
    },
  ),
  'resources-bare §2.10: A response shows its status and, in the end, its output, and nothing else (no field is required).':
    {
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
  'details-left-out §2.10: A response shows neither details of its status nor a number of tokens (no field is required).':
    (behaviour) => {
      for (const type of ['response.created', 'response.done'])
        onEvent(type, (event) => {
          const { id, status, output } = objectAt(event, 'response')
          return { ...event, response: { id, status, output } }
        })(behaviour)
    },
  'done-without-id §2.10: `response.done` has a response without id.': onEvent('response.done', (event) => ({
    ...event,
    response: without(objectAt(event, 'response'), 'id'),
  })),
  'item-done-before-text-done §6.2: An item is done before its final text is told.': around(
    'responses.order',
    (order) => moveStep(order, 'response.output_item.done', 'response.output_text.done'),
  ),
})

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
