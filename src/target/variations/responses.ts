import { set, around, remembering, several } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { type LifeStep, moveStep } from '../behaviour/responses.ts'
import type { Variation } from '../deviation.ts'

export const reorder = (step: LifeStep, before: LifeStep): Override =>
  around('responses.order', (order) => moveStep(order, step, before))

export const cutWith = (order: LifeStep[]): Override => set('responses.cutOrder', () => order)

/** How fast responses come, and in how many pieces. */
const paceVariations: readonly Variation[] = [
  {
    id: 'instant',
    section: '3.4',
    text: 'A response comes all at once.',
    override: ({ pace, update }) => {
      Object.assign(pace, { startMs: 0, firstDeltaMs: 0, deltaMs: 0, toolCallMs: 0, doneMs: 0 })
      pace.tailMs = () => 0
      pace.audioMs = () => 0
      update.settleMs = 0
    },
  },
  {
    id: 'slow',
    section: '3.4',
    text: 'Everything takes its time.',
    override: ({ pace, http, channel, update, lifecycle }) => {
      http.answerMs = 100
      channel.reactionMs = 60
      Object.assign(pace, { startMs: 40, firstDeltaMs: 120, deltaMs: 60, toolCallMs: 150, doneMs: 80 })
      pace.tailMs = (text) => 400 + text.length / 10
      update.settleMs = 200
      lifecycle.cleanupMs = 500
    },
  },
  {
    id: 'one-delta',
    section: '6.2',
    text: 'Text comes in one delta.',
    override: set('pace.split', (text) => [text]),
  },
  {
    id: 'delta-per-character',
    section: '6.2',
    text: 'Text comes in a delta a character.',
    override: several(
      set('pace.split', (text) => Array.from(text)),
      set('pace.deltaMs', 0.5),
    ),
  },
  {
    id: 'empty-first-delta',
    section: '6.2',
    text: 'The first delta is empty and only introduces the item.',
    override: around('pace.split', (split) => (text) => ['', ...split(text)]),
  },
  {
    id: 'replies-long',
    section: '3.4',
    text: 'A reply has many sentences.',
    override: around('generation.reply', (reply) => (facts) => Array.from({ length: 6 }, () => reply(facts)).join(' ')),
  },
  {
    id: 'replies-fail',
    section: '2.10',
    text: 'Every third response that asks the model fails, without any output.',
    override: remembering(() => {
      let asked = 0
      return set('generation.fails', () => (asked += 1) % 3 === 0)
    }),
  },
  {
    id: 'response-starts-late',
    section: '3.4',
    text: 'A response is created after a second, and speaks after another.',
    override: ({ pace }) => void Object.assign(pace, { startMs: 1_000, firstDeltaMs: 1_000 }),
  },
]

/** Order and status where the spec leaves them open. */
const lifeVariations: readonly Variation[] = [
  {
    id: 'render-after-first-delta',
    section: '3.4',
    text: 'Rendering starts after the first delta.',
    override: reorder('response.render.started', 'remaining-deltas'),
  },
  {
    id: 'render-after-text',
    section: '3.4',
    text: 'Rendering starts when the whole text has come.',
    override: reorder('response.render.started', 'response.output_item.done'),
  },
  {
    id: 'render-first',
    section: '3.4',
    text: 'Rendering starts before the item is announced.',
    override: reorder('response.render.started', 'conversation.item.created'),
  },
  {
    id: 'items-announced-late',
    section: '6.2',
    text: 'An output item is announced when it is done.',
    override: several(
      reorder('conversation.item.created', 'response.render.stopped'),
      cutWith(['response.output_item.done', 'conversation.item.created', 'response.render.stopped', 'response.done']),
    ),
  },
  {
    id: 'items-done-after-render',
    section: '6.2',
    text: 'An item is done when its rendering has stopped.',
    override: several(
      reorder('response.output_item.done', 'response.done'),
      cutWith(['response.render.stopped', 'response.output_item.done', 'response.done']),
    ),
  },
  {
    id: 'cut-text-done',
    section: '6.2',
    text: 'A cut item still gets its text done, with what came of it.',
    override: around('responses.cutOrder', (cutOrder) => (cause) => ['response.output_text.done', ...cutOrder(cause)]),
  },
  {
    id: 'cut-incomplete',
    section: '3.4',
    text: 'A cut response ends incomplete, without details.',
    override: several(
      set('responses.cutStatus', () => 'incomplete'),
      set('responses.cutDetails', () => null),
    ),
  },
  {
    id: 'render-cut-cancelled',
    section: '3.4',
    text: 'A rendering that was cut stops as cancelled, whatever cut it.',
    override: set('responses.renderStatus', (cause) => (cause === undefined ? 'completed' : 'cancelled')),
  },
  {
    id: 'details-always',
    section: '2.10',
    text: 'Every finished response has status details.',
    override: set('responses.finishedDetails', (run) => ({
      type: run.plan.truncated ? 'incomplete' : 'completed',
      reason: 'stop',
    })),
  },
  {
    id: 'new-before-old-done',
    section: '4.4',
    text: 'An interrupting response is created before the old one is done.',
    override: set('scheduling.interruptOrder', ['start', 'cut']),
  },
  {
    id: 'pending-before-done-in-text',
    section: '4.4',
    text: 'In text mode a pending response starts after the last output of the active one, just before its end.',
    override: set('scheduling.pendingBeforeDone', (mode) => mode === 'text_chat'),
  },
  {
    id: 'cancel-idle-ignored',
    section: '4.4',
    text: 'A cancel without an active response is ignored.',
    override: set('scheduling.cancelIdle', 'ignore'),
  },
  {
    id: 'cancel-clears-pending',
    section: '4.4',
    text: 'A cancel clears the pending response too.',
    override: set('scheduling.cancelClearsPending', true),
  },
  {
    id: 'truncation-completes',
    section: '2.10',
    text: 'A reply that max_output_tokens cut short ends completed.',
    override: several(
      around('responses.finishedStatus', (status) => (run) => (run.plan.truncated ? 'completed' : status(run))),
      around('responses.finishedDetails', (details) => (run) => (run.plan.truncated ? null : details(run))),
      set('responses.itemStatus', (_run, cut) => (cut ? 'incomplete' : 'completed')),
    ),
  },
]

export const responseVariations: readonly Variation[] = [...paceVariations, ...lifeVariations]
