import { failureOf } from '#judge/conditions/own-failure'
import { show } from '#judge/show'
import { textOfItem } from '../model/items.ts'
import { finalText, first, responsesOf } from '../model/responses.ts'
import type { Item, Response } from '../model/response.ts'
import { wasDeletedMeanwhile } from '../model/disturbance.ts'
import { interruptionOf } from '../model/interruption.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type ReceivedEvent, isDecided, objectAt, sessionsOf, textAt } from '../model/sessions.ts'
import { isAsker } from '../model/watch.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'output-item-done': [
    'for-every-introduced-item on-cancelled once index-agrees index-distinct',
    'streamed-text-is-assistant-message before-done cut-not-completed function-call-told',
  ],
  scheduling: 'interrupted-gets-item-done',
})

const interrupted = 'scheduling.interrupted-gets-item-done'

type Own = (typeof proves)[number]

/** `response.output_item.done`: once for each item, before the end, also where it was cut short (6.2). */
export const outputItems = ruleOf('output-items', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    for (const response of responsesOf(session)) {
      for (const item of response.items.values()) judgeItem(response, item, say)
      judgeIndexes(response, say)
      if (response.done.length > 0)
        say.open('output-item-done.on-cancelled', 'no response was cut short', ...response.done)
    }
  }
})

function judgeItem(response: Response, item: Item, say: Say<Own>): void {
  const [done] = response.done
  const [end, again] = item.item_done
  const [start] = item.texts
  if (end === undefined) {
    if (wasDeletedMeanwhile(response, item.id)) return
    if (start !== undefined && done !== undefined && isAsker(response) && !response.guessed && isDecided(done)) {
      const accident = failureOf(done.event)
      say.brokenUnless(accident, endRow(done), `response.output_item.done of ${item.id}`, 'none', start, done)
      const cut = interruptionOf(response)
      if (cut !== undefined)
        say.brokenUnless(accident, interrupted, `response.output_item.done of ${item.id}`, 'none', cut.sent, done)
    }
    return
  }
  if (start !== undefined && done !== undefined) {
    say.held(endRow(done), start, end)
    if (interruptionOf(response) !== undefined) say.held(interrupted, start, end)
  }
  if (again === undefined) say.held('output-item-done.once', end)
  else if (isDecided(again))
    say.broken('output-item-done.once', 'one response.output_item.done', 'another one', end, again)
  judgeBefore(end, done, say)
  if (start !== undefined) judgeStream(start, end, say)
  if (objectAt(end.event, 'item')['type'] === 'function_call') say.held('output-item-done.function-call-told', end)
  judgeCut(response, item, end, say)
}

/** What was cut short ends `cancelled` or `incomplete`. */
function endRow(done: ReceivedEvent): 'output-item-done.on-cancelled' | 'output-item-done.for-every-introduced-item' {
  const { status } = objectAt(done.event, 'response')
  return status === 'cancelled' || status === 'incomplete'
    ? 'output-item-done.on-cancelled'
    : 'output-item-done.for-every-introduced-item'
}

function judgeBefore(end: ReceivedEvent, done: ReceivedEvent | undefined, say: Say<Own>): void {
  if (done === undefined) return
  if (end.line < done.line) say.held('output-item-done.before-done', end, done)
  else if (isDecided(end)) say.broken('output-item-done.before-done', 'before response.done', 'after it', done, end)
}

/** "Incremental assistant text": what was streamed is a message of the assistant, at the place that its text named. */
function judgeStream(start: ReceivedEvent, end: ReceivedEvent, say: Say<Own>): void {
  const [place, wanted] = [end.event['output_index'], start.event['output_index']]
  if (typeof place === 'number' && typeof wanted === 'number') {
    say.judge(
      'output-item-done.index-agrees',
      place === wanted,
      () => show(wanted),
      () => show(place),
      start,
      end,
    )
  }
  const item = objectAt(end.event, 'item')
  const good = item['type'] === 'message' && item['role'] === 'assistant'
  const row = 'output-item-done.streamed-text-is-assistant-message'
  say.judge(
    row,
    good,
    'a message of the assistant',
    () => show([item['type'] ?? null, item['role'] ?? null]),
    start,
    end,
  )
}

/** A scripted text that did not come whole. */
function judgeCut(response: Response, item: Item, end: ReceivedEvent, say: Say<Own>): void {
  const whole = response.origin.request?.texts
  const finished = objectAt(end.event, 'item')
  const { status } = finished
  if (whole === undefined || status === undefined || response.items.size !== 1 || !isAsker(response)) return
  const shown = textOfItem(finished)
  const cut = whole.every((text) => text !== shown && text !== finalText(item) && text.startsWith(shown))
  if (cut)
    say.judge('output-item-done.cut-not-completed', status !== 'completed', 'not completed', () => show(status), end)
}

/** "`output_index`": the place of an item, and of no other. */
function judgeIndexes(response: Response, say: Say<Own>): void {
  if (response.guessed || response.items.size === 0) return
  const places = new Map<unknown, { readonly item: Item; readonly received: ReceivedEvent }>()
  for (const item of response.items.values()) {
    const received = item.texts[0] ?? item.item_done[0]
    const place = received?.event['output_index']
    if (received === undefined || typeof place !== 'number') continue
    const owner = places.get(place)
    if (owner === undefined) places.set(place, { item, received })
    else if (isDecided(received)) {
      const id = textAt(first(response).event, 'response_id') ?? response.id
      say.broken(
        'output-item-done.index-distinct',
        `a place of its own in ${show(id)}`,
        `${show(place)}, which ${owner.item.id} has`,
        owner.received,
        received,
      )
      return
    }
  }
  const [one] = places.values()
  if (one !== undefined) say.held('output-item-done.index-distinct', one.received)
}
