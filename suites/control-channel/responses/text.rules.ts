import { show } from '#judge/show'
import type { JsonObject } from '#trace/json'
import { sameContent, textOfItem } from '../model/items.ts'
import { agreesIfCut, mayBeCut } from '../model/cut.ts'
import { responsesOf } from '../model/responses.ts'
import type { Item, Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type ReceivedEvent, isDecided, objectAt, objectsAt, sessionsOf, textAt } from '../model/sessions.ts'
import { timelineOf } from '../model/timeline.ts'
import { isAsker } from '../model/watch.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'text-delta': 'item-of-one-response concatenate-to-final-text cut-item-text for-model-output for-spoken-media',
  'text-done': 'for-every-completed-stream once no-delta-after',
  'output-item-done': 'after-text text-agrees',
  'response-done': 'item-text-agrees all-output-items',
  'script-speech': 'text-streamed',
})

type Own = (typeof proves)[number]

/** Deltas, the final text and the finished item of one stream agree (6.2). */
export const text = ruleOf('text', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    for (const response of responsesOf(session)) {
      for (const item of response.items.values()) judgeItem(response, item, say)
      const [done] = response.done
      if (done === undefined || !isDecided(done)) continue
      say.open('text-delta.cut-item-text', 'no item was finished without its final text', done)
      judgeFinalItems(response, done, say)
      if (isAsker(response) && !response.guessed) judgeStreamed(response, done, say)
    }
    judgePlaces(responsesOf(session), say)
  }
})

function judgeItem(response: Response, item: Item, say: Say<Own>): void {
  const [final, again] = item.text_done
  const [end] = item.item_done
  if (final !== undefined) {
    if (again === undefined) say.held('text-done.once', final)
    else if (isDecided(again)) say.broken('text-done.once', 'one final text', 'another one', final, again)
    judgeOrder('text-done.no-delta-after', final, item.deltas, say)
    if (isAsker(response)) judgeJoined(response, item, final, say)
  }
  if (end === undefined) return
  // Whether the final text comes before its item is not said; that is no streaming.
  judgeOrder('output-item-done.after-text', end, item.deltas, say)
  judgeFinished(response, item, end, say)
}

/** No text of an item streams after its end. */
function judgeOrder(
  row: 'text-done.no-delta-after' | 'output-item-done.after-text',
  end: ReceivedEvent,
  events: readonly ReceivedEvent[],
  say: Say<Own>,
): void {
  const late = events.find(({ line }) => line > end.line)
  if (late === undefined) say.held(row, end)
  else if (isDecided(late)) say.broken(row, `no text of the item after ${end.type}`, show(late.type), end, late)
}

function judgeJoined(response: Response, item: Item, final: ReceivedEvent, say: Say<Own>): void {
  const wanted = textAt(final.event, 'text')
  if (wanted === undefined || !isDecided(final) || item.deltas.length === 0) return
  const joined = item.deltas.filter(({ line }) => line < final.line).map(({ event }) => textAt(event, 'delta') ?? '')
  const streamed = joined.join('')
  if (mayBeCut(response)) say.saw('text-done.on-cut-item-text', extent(streamed, wanted), final)
  const good = streamed === wanted || agreesIfCut(response, streamed, wanted)
  if (!good && mayBeJoinedLate(response) && wanted.endsWith(streamed)) return
  say.judge(
    'text-delta.concatenate-to-final-text',
    good,
    () => show(streamed),
    () => show(wanted),
    ...item.deltas.slice(0, 3),
    final,
  )
}

/** Whoever connects in the midst of an opening may be told that it is there, and then the rest of it. */
function mayBeJoinedLate(response: Response): boolean {
  return response.origin.unasked && responsesOf(response.connection.session)[0] === response
}

/** Of a cut item: what was spoken of it, what was streamed, or all that was generated. */
function extent(streamed: string, told: string): string {
  if (streamed === told) return 'what was streamed'
  return told.length < streamed.length ? 'less than was streamed' : 'more than was streamed'
}

/** The finished item holds the final text; a cut one the beginning of what the deltas brought, or more of the same. */
function judgeFinished(response: Response, item: Item, end: ReceivedEvent, say: Say<Own>): void {
  const finished = objectAt(end.event, 'item')
  const shown = textOfItem(finished)
  if (finished['type'] !== 'message' || !isDecided(end)) return
  const [final] = item.text_done
  const wanted = final === undefined ? undefined : textAt(final.event, 'text')
  if (final !== undefined && wanted !== undefined) {
    const good = shown === wanted || agreesIfCut(response, wanted, shown)
    say.judge(
      'output-item-done.text-agrees',
      good,
      () => show(wanted),
      () => show(shown),
      final,
      end,
    )
  } else if (item.deltas.length > 0 && isAsker(response)) {
    const good = item.joined.startsWith(shown.trimEnd()) || agreesIfCut(response, item.joined, shown)
    say.judge(
      'text-delta.cut-item-text',
      good,
      () => `the start of ${show(item.joined)}`,
      () => show(shown),
      end,
    )
  }
}

/** "`response.done` … all output items", as `response.output_item.done` showed them. */
function judgeFinalItems(response: Response, done: ReceivedEvent, say: Say<Own>): void {
  const { items } = response
  for (const item of objectsAt(objectAt(done.event, 'response'), 'output')) {
    const end = items.get(textAt(item, 'id') ?? '')?.item_done[0]
    if (end === undefined) continue
    const finished = objectAt(end.event, 'item')
    judgeKind(finished, item, [end, done], say)
    // A call that was cut short may be told with less of it.
    if (finished['type'] === 'function_call' && finished['status'] !== 'incomplete') {
      const good = sameContent(finished, item)
      say.judge(
        'response-done.all-output-items',
        good,
        () => show(finished),
        () => show(item),
        end,
        done,
      )
    }
    if (finished['type'] !== 'message' || item['type'] !== 'message') continue
    const [wanted, shown] = [textOfItem(finished), textOfItem(item)]
    const good = shown === wanted || agreesIfCut(response, wanted, shown)
    say.judge(
      'response-done.item-text-agrees',
      good,
      () => show(wanted),
      () => show(shown),
      end,
      done,
    )
  }
}

/** The same item is of the same type, and of the same role where both tell it. */
function judgeKind(finished: JsonObject, shown: JsonObject, places: readonly ReceivedEvent[], say: Say<Own>): void {
  const kind = (one: JsonObject): string => show([one['type'] ?? null, one['role'] ?? null])
  const [wanted, role] = [textAt(finished, 'role'), textAt(shown, 'role')]
  const good = finished['type'] === shown['type'] && (wanted === undefined || role === undefined || wanted === role)
  const row = 'response-done.all-output-items'
  if (!good) say.broken(row, kind(finished), kind(shown), ...places)
}

/** Text that a completed response put out was streamed, and its stream was brought to an end. */
function judgeStreamed(response: Response, done: ReceivedEvent, say: Say<Own>): void {
  const resource = objectAt(done.event, 'response')
  if (resource['status'] !== 'completed') return
  const row = streamRow(response, done)
  for (const shown of objectsAt(resource, 'output')) {
    if (shown['type'] !== 'message' || textOfItem(shown) === '') continue
    const item = response.items.get(textAt(shown, 'id') ?? '')
    const streamed = item !== undefined && item.deltas.length > 0
    if (row !== undefined)
      say.judge(row, streamed, 'deltas of its text', 'none', ...(item?.item_done ?? []).slice(0, 1), done)
    if (!streamed) continue
    const ended = item.text_done.length > 0
    say.judge(
      'text-done.for-every-completed-stream',
      ended,
      'response.output_text.done',
      'none',
      ...item.deltas.slice(-1),
      done,
    )
  }
}

function streamRow(
  { origin, events }: Response,
  done: ReceivedEvent,
): 'text-delta.for-model-output' | 'text-delta.for-spoken-media' | 'script-speech.text-streamed' | undefined {
  const { request, unasked, by_itself } = origin
  if (request === undefined && !unasked) return undefined
  const modes = timelineOf(done.connection.session).modes(request?.sent.line ?? 0, events[0]?.line ?? done.line)
  if (modes.size === 1 && modes.has('video_avatar')) return 'text-delta.for-spoken-media'
  if (request === undefined)
    return by_itself === 'answer' && modes.size === 1 ? 'text-delta.for-model-output' : undefined
  if (request.kind === 'model') return 'text-delta.for-model-output'
  return request.kind === 'speech' || request.kind === 'speech_asset' ? 'script-speech.text-streamed' : undefined
}

/** "The first delta for an (`item_id`, `output_index`) introduces the item": all of its texts name one response and one place. */
function judgePlaces(responses: readonly Response[], say: Say<Own>): void {
  const places = new Map<string, ReceivedEvent>()
  for (const { connection, items, guessed } of responses) {
    if (guessed) continue
    for (const item of items.values()) {
      for (const received of item.texts) {
        const key = `${connection.channel} ${item.id}`
        const earlier = places.get(key)
        if (earlier === undefined) places.set(key, received)
        else judgePlace(earlier, received, say)
      }
    }
  }
}

function judgePlace(earlier: ReceivedEvent, received: ReceivedEvent, say: Say<Own>): void {
  const names = ['response_id', 'output_index'] as const
  const good = names.every((name) => earlier.event[name] === received.event[name])
  const place = ({ event }: ReceivedEvent): string => show(names.map((name) => event[name] ?? null))
  if (good) say.held('text-delta.item-of-one-response', received)
  else say.broken('text-delta.item-of-one-response', place(earlier), place(received), earlier, received)
}
