import { append, around, remembering, set, several } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { type LifeStep, moveStep } from '#target/behaviour/responses'
import type { Variation } from '#target/deviation'
import { type JsonObject, objectAt } from '#target/wire'
import { variationsOf } from '../table.ts'

export const reorder = (step: LifeStep, before: LifeStep): Override =>
  around('responses.order', (order) => moveStep(order, step, before))

export const cutWith = (order: LifeStep[]): Override => set('responses.cutOrder', () => order)

/** What announces an item that the model has begun. */
const isBegun = (event: JsonObject): boolean =>
  event['type'] === 'conversation.item.created' && objectAt(event, 'item')['status'] === 'in_progress'

const announcedAfter = (ms: number): Override =>
  around('channel.delayMs', (delay) => (event) => delay(event) + (isBegun(event) ? ms : 0))

/** The same, and it is found from then on. */
const writtenAfter = (ms: number): Override =>
  remembering(() => {
    const hidden = new Map<unknown, number>()
    return [
      announcedAfter(ms),
      append('outgoing', (event) => {
        if (isBegun(event)) hidden.set(objectAt(event, 'item')['id'], Date.now() + ms - 10)
        return [event]
      }),
      around(
        'conversation.find',
        (find) => (items, id) => ((hidden.get(id) ?? 0) > Date.now() ? undefined : find(items, id)),
      ),
    ]
  })

/** How fast responses come, and in how many pieces. */
const paceVariations = variationsOf({
  'instant §3.4: A response comes all at once.': ({ pace, update }) => {
    Object.assign(pace, { startMs: 0, firstDeltaMs: 0, deltaMs: 0, toolCallMs: 0, doneMs: 0 })
    pace.tailMs = () => 0
    pace.audioMs = () => 0
    update.settleMs = 0
  },
  'slow §3.4: Everything takes its time.': ({ pace, http, channel, update, lifecycle }) => {
    http.answerMs = 100
    channel.reactionMs = 60
    Object.assign(pace, { startMs: 40, firstDeltaMs: 120, deltaMs: 60, toolCallMs: 150, doneMs: 80 })
    pace.tailMs = (text) => 400 + text.length / 10
    update.settleMs = 200
    lifecycle.cleanupMs = 500
  },
  'one-delta §6.2: Text comes in one delta.': set('pace.split', (text) => [text]),
  'delta-per-character §6.2: Text comes in a delta a character.': several(
    set('pace.split', (text) => Array.from(text)),
    set('pace.deltaMs', 0.5),
  ),
  'empty-first-delta §6.2: The first delta is empty and only introduces the item.': around(
    'pace.split',
    (split) => (text) => ['', ...split(text)],
  ),
  'replies-long §3.4: A reply has many sentences.': around(
    'generation.reply',
    (reply) => (facts) => Array.from({ length: 6 }, () => reply(facts)).join(' '),
  ),
  'replies-fail §2.10: Every third response that asks the model fails, without any output.': remembering(() => {
    let asked = 0
    return set('generation.fails', () => (asked += 1) % 3 === 0)
  }),
  'response-starts-late §3.4: A response is created after a second, and speaks after another.': ({ pace }) =>
    void Object.assign(pace, { startMs: 1_000, firstDeltaMs: 1_000 }),
})

/** Order and status where the spec leaves them open. */
const lifeVariations = variationsOf({
  'render-after-first-delta §3.4: Rendering starts after the first delta.': reorder(
    'response.render.started',
    'remaining-deltas',
  ),
  'render-after-text §3.4: Rendering starts when the whole text has come.': reorder(
    'response.render.started',
    'response.output_item.done',
  ),
  'render-first §3.4: Rendering starts before the item is announced.': reorder(
    'response.render.started',
    'conversation.item.created',
  ),
  'items-announced-late §6.2: An output item is announced when it is done.': several(
    reorder('conversation.item.created', 'response.render.stopped'),
    cutWith(['response.output_item.done', 'conversation.item.created', 'response.render.stopped', 'response.done']),
  ),
  'items-announced-after-response §6.2: An output item is announced six tenths of a second after it came up, when its response may be done (no time is promised).':
    announcedAfter(600),
  'items-announced-long-after-response §6.2: An output item is announced a second and a half after it came up, when the client may be making items of its own.':
    announcedAfter(1500),
  'items-written-after-response §4.4: An output item is announced, and found, half a second after it came up ("wait for `conversation.item.created`").':
    writtenAfter(500),
  'items-done-after-render §6.2: An item is done when its rendering has stopped.': several(
    reorder('response.output_item.done', 'response.done'),
    cutWith(['response.render.stopped', 'response.output_item.done', 'response.done']),
  ),
  'cut-text-done §6.2: A cut item still gets its text done, with what came of it.': around(
    'responses.cutOrder',
    (cutOrder) => (cause) => ['response.output_text.done', ...cutOrder(cause)],
  ),
  'cut-incomplete §3.4: A cut response ends incomplete, without details.': several(
    set('responses.cutStatus', () => 'incomplete'),
    set('responses.cutDetails', () => null),
  ),
  'render-cut-cancelled §3.4: A rendering that was cut stops as cancelled, whatever cut it.': set(
    'responses.renderStatus',
    (cause) => (cause === undefined ? 'completed' : 'cancelled'),
  ),
  'details-always §2.10: Every finished response has status details.': set('responses.finishedDetails', (run) => ({
    type: run.plan.truncated ? 'incomplete' : 'completed',
    reason: 'stop',
  })),
  'new-before-old-done §4.4: An interrupting response is created before the old one is done.': set(
    'scheduling.interruptOrder',
    ['start', 'cut'],
  ),
  'pending-before-done-in-text §4.4: In text mode a pending response starts after the last output of the active one, just before its end.':
    set('scheduling.pendingBeforeDone', (mode) => mode === 'text_chat'),
  'cancel-idle-ignored §4.4: A cancel without an active response is ignored.': set('scheduling.cancelIdle', 'ignore'),
  'cancel-clears-pending §4.4: A cancel clears the pending response too.': set('scheduling.cancelClearsPending', true),
  'cleared-told §6.2: An error names the pending request that an interrupting one has cleared (whether it is told is not said).':
    set('scheduling.tellsCleared', true),
  'cancels-late §4.4: A cancel takes six tenths of a second to show: until then the response goes on, and it may come to its end.':
    several(
      set('scheduling.cancelAfterMs', 600),
      // Replies that last about as long.
      around('generation.reply', (reply) => (facts) => `${reply(facts)} `.repeat(4).trimEnd()),
    ),
  'interrupts-late §4.4: An interrupted response goes on for six tenths of a second beside the new one, and it may come to its end.':
    set('scheduling.interruptAfterMs', 600),
  'truncation-completes §2.10: A reply that max_output_tokens cut short ends completed.': several(
    around('responses.finishedStatus', (status) => (run) => (run.plan.truncated ? 'completed' : status(run))),
    around('responses.finishedDetails', (details) => (run) => (run.plan.truncated ? null : details(run))),
    set('responses.itemStatus', (_run, cut) => (cut ? 'incomplete' : 'completed')),
  ),
})

export const responseVariations: readonly Variation[] = [...paceVariations, ...lifeVariations]
