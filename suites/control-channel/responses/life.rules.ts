import { failureOf } from '#judge/conditions/own-failure'
import { show } from '#judge/show'
import { isObject, type Json, type JsonObject } from '#trace/json'
import { first, responsesOf } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { wasDeletedMeanwhile } from '../model/disturbance.ts'
import { interruptionOf } from '../model/interruption.ts'
import { ruleOf, type Say } from '../model/say.ts'
import {
  type ReceivedEvent,
  isDecided,
  objectAt,
  objectsAt,
  sessionsOf,
  textAt,
  modelPatienceOf,
} from '../model/sessions.ts'
import { isAsker, isSeenWhole, isStuck } from '../model/watch.ts'
import { rows } from '../rows.ts'

const proves = rows({
  response: 'id-unique no-raw-media',
  'response-create': 'created-once',
  'response-created': 'id-known precedes-output',
  'response-done': [
    'always once names-created-response last-event all-output-items output-items-finished output-item-once',
    'items-in-order',
  ],
  'output-item-done': 'function-call-told',
  'text-delta': 'of-active-response',
  render: 'tool-calls-reach-done',
  scheduling: 'interrupted-gets-done',
})

type Own = (typeof proves)[number]

/** From `response.created` to `response.done`, with everything in between (3.4, 6.2). */
export const responseLife = ruleOf('response-life', proves, (trace, say) => {
  const patience = modelPatienceOf(trace)
  for (const session of sessionsOf(trace)) {
    const responses = responsesOf(session)
    for (const response of responses) {
      judgeStart(response, say)
      judgeUnique(response, responses, say)
      judgeEnd(response, patience, say)
      const [done] = response.done
      if (done !== undefined) judgeOutput(response, done, say)
    }
  }
})

function judgeStart(response: Response, say: Say<Own>): void {
  const [created] = response.created
  const start = first(response)
  if (created !== undefined) {
    say.judge(
      'response-created.id-known',
      textAt(objectAt(created.event, 'response'), 'id') !== undefined,
      'an id',
      'none',
      created,
    )
    if (!isDecided(start) || response.guessed) return
    const good = start === created
    say.judge(
      'response-created.precedes-output',
      good,
      'response.created first',
      () => `${start.type} before it`,
      start,
      created,
    )
    if (good && response.events.some(isText)) say.held('text-delta.of-active-response', created)
    return
  }
  if (!isSeenWhole(response) || response.guessed || !isDecided(start) || isCreatedElsewhere(response)) return
  const [done] = response.done
  const text = response.events.find(isText)
  if (text !== undefined)
    say.broken('text-delta.of-active-response', 'text of a response that was created', show(response.id), text)
  else if (start === done)
    say.broken('response-done.names-created-response', 'a response that was created', show(response.id), done)
  else say.broken('response-created.precedes-output', 'response.created first', `${start.type} without it`, start)
}

/** Which connection of a session is told of what is not said (6.2), and one that was may have been left. */
function isCreatedElsewhere({ id, connection }: Response): boolean {
  return (
    id !== undefined && responsesOf(connection.session).some((other) => other.id === id && other.created.length > 0)
  )
}

function isText({ type }: ReceivedEvent): boolean {
  return type === 'response.output_text.delta' || type === 'response.output_text.done'
}

/** An id that is created twice stands for two responses, or tells the start of one twice. */
function judgeUnique(response: Response, all: readonly Response[], say: Say<Own>): void {
  const [created, again] = response.created
  if (created === undefined) return
  if (textAt(objectAt(created.event, 'response'), 'id') === undefined)
    say.open('response.id-unique', 'no id is shown', created)
  if (response.id === undefined || response.guessed) return
  const other = namesakeOf(response, created, all)
  if (other !== undefined && isDecided(other))
    say.broken('response.id-unique', 'an id of its own', `${show(response.id)} for another request`, other, created)
  if (again === undefined) {
    if (all.length > 1 && other === undefined) say.held('response.id-unique', created)
    return
  }
  if (!isDecided(again)) return
  if (askedBy(created) === askedBy(again))
    say.broken('response-create.created-once', 'one response.created', 'another one', created, again)
  else say.broken('response.id-unique', 'an id of its own', `${show(response.id)} once more`, created, again)
}

/** The start of a response by the same id on an earlier connection, which names another request. */
function namesakeOf(
  { id, connection }: Response,
  created: ReceivedEvent,
  all: readonly Response[],
): ReceivedEvent | undefined {
  const name = askedBy(created)
  const starts = all.flatMap((one) => (one.id === id && one.connection !== connection ? one.created.slice(0, 1) : []))
  return starts.find((one) => one.line < created.line && name !== '' && !['', name].includes(askedBy(one)))
}

const askedBy = ({ event }: ReceivedEvent): string => textAt(event, 'request_event_id') ?? ''

function judgeEnd(response: Response, patience: number, say: Say<Own>): void {
  const [created] = response.created
  const [done, again] = response.done
  if (done === undefined) {
    if (created !== undefined && !response.guessed && isStuck(response, patience)) {
      const last = response.events.at(-1) ?? created
      say.broken('response-done.always', 'response.done', `none, and silence after ${last.type}`, created, last)
      const cut = interruptionOf(response)
      if (cut !== undefined) say.broken('scheduling.interrupted-gets-done', 'response.done', 'none', cut.sent, last)
      const items = [...response.items.values()].flatMap(({ item_done }) => item_done)
      const calls = items.length > 0 && items.every(({ event }) => objectAt(event, 'item')['type'] === 'function_call')
      if (calls) say.broken('render.tool-calls-reach-done', 'response.done', 'none', created, last)
    }
    return
  }
  if (created !== undefined) {
    say.held('response-done.always', created, done)
    if (interruptionOf(response) !== undefined) say.held('scheduling.interrupted-gets-done', created, done)
    say.held('response-done.names-created-response', created, done)
    if (isToolCall(done)) say.held('render.tool-calls-reach-done', created, done)
  }
  if (response.guessed || response.created.length > 1) return
  if (again === undefined) say.held('response-done.once', done)
  else if (isDecided(again)) say.broken('response-done.once', 'one response.done', 'another one', done, again)
  judgeLast(response, done, say)
}

/** What has rows of its own when it comes late. */
const toldElsewhere = new Set([
  'response.done',
  'response.created',
  'response.output_item.done',
  'response.render.stopped',
])

function judgeLast({ events }: Response, done: ReceivedEvent, say: Say<Own>): void {
  const late = events.find((one) => one.line > done.line && !toldElsewhere.has(one.type ?? ''))
  if (late === undefined) say.held('response-done.last-event', done)
  else if (isDecided(late)) {
    say.broken('response-done.last-event', 'nothing of it after its response.done', show(late.type), done, late)
    if (isText(late))
      say.broken('text-delta.of-active-response', 'text of a response that is not done', 'text', done, late)
  }
}

function isToolCall({ event }: ReceivedEvent): boolean {
  const output = objectsAt(objectAt(event, 'response'), 'output')
  return output.length > 0 && output.every((item) => item['type'] === 'function_call')
}

/** "`response` with final `status` and all output items." */
function judgeOutput(response: Response, done: ReceivedEvent, say: Say<Own>): void {
  const output = objectsAt(objectAt(done.event, 'response'), 'output')
  const ids = output.map((item) => textAt(item, 'id') ?? '')
  const duplicate = ids.find((id, place) => id !== '' && ids.indexOf(id) !== place)
  say.judge(
    'response-done.output-item-once',
    duplicate === undefined,
    'each item once',
    () => `${show(duplicate)} twice`,
    done,
  )
  judgeMedia(objectAt(done.event, 'response'), done, say)
  if (response.guessed || !isDecided(done)) return
  const ended = [...response.items.values()].filter(({ item_done }) => item_done.some(({ line }) => line < done.line))
  const missing = ended.find(({ id }) => !ids.includes(id) && !wasDeletedMeanwhile(response, id))
  if (missing !== undefined) {
    say.broken(
      'response-done.all-output-items',
      `item ${missing.id} among its output`,
      show(ids),
      ...missing.item_done.slice(0, 1),
      done,
    )
  } else if (ended.length > 0) say.held('response-done.all-output-items', done)
  judgeOrder(response, ids, done, say)
  if (!isAsker(response)) return
  const loose = output.find(
    (item) => hasEnding(item) && !response.items.get(textAt(item, 'id') ?? '')?.item_done.length,
  )
  if (loose !== undefined) {
    // "Also on interrupted, incomplete or cancelled responses": of failed ones nothing is said.
    const [accident, got] = [failureOf(done.event), `none for ${show(loose['id'])}`]
    if (loose['type'] === 'function_call')
      say.brokenUnless(accident, 'output-item-done.function-call-told', 'response.output_item.done', got, done)
    const row = 'response-done.output-items-finished'
    say.brokenUnless(accident, row, 'its response.output_item.done before', got, done)
  } else if (output.some(hasEnding)) say.held('response-done.output-items-finished', done)
}

/** A message with text, or a function call. */
function hasEnding(item: ReturnType<typeof objectAt>): boolean {
  if (item['type'] === 'function_call') return true
  return item['type'] === 'message' && objectsAt(item, 'content').some((part) => (textAt(part, 'text') ?? '') !== '')
}

function judgeOrder({ items }: Response, ids: readonly string[], done: ReceivedEvent, say: Say<Own>): void {
  const places = ids.flatMap((id) => {
    const place = items.get(id)?.item_done[0]?.event['output_index']
    return typeof place === 'number' ? [place] : []
  })
  if (places.length < 2) {
    say.open('response-done.items-in-order', 'no response has several items', done)
    return
  }
  const rising = places.every((place, at) => at === 0 || place >= (places[at - 1] ?? 0))
  say.judge('response-done.items-in-order', rising, 'rising output_index', () => show(places), done)
}

const mediaNames = ['audio', 'video']
/** What may hold the bytes of one, or of an item or a part. */
const byteNames = [...mediaNames, 'data', 'bytes']
/** Shorter values under such a name are no media, but for the `audio` of a part. */
const shortestMedia = 64
/** Base64, as such or in an address of its own; the address of a recording is none (9.3: "new fields may appear"). */
const bytes = /^(?:data:[^,]*,)?[\w+/=\r\n-]+$/

/** "Raw audio and video are not included" (2.10). */
function judgeMedia(resource: JsonObject, done: ReceivedEvent, say: Say<Own>): void {
  const output = objectsAt(resource, 'output')
  const things = output.flatMap((item) => [item, ...objectsAt(item, 'content')])
  const heard = things.some((one) => one['type'] === 'input_audio' && (textAt(one, 'audio') ?? '') !== '')
  const place = heard
    ? 'input_audio'
    : (things.map((one) => mediaIn(one, true)).find(Boolean) ?? mediaIn(resource, false))
  if (output.length === 0 && place === undefined) return
  const row = 'response.no-raw-media'
  say.judge(row, place === undefined, 'no raw audio or video', () => show(place), done)
}

/**
 * The name under which something holds media, at any depth.
 *
 * @param holds whether it is something that may have bytes of its own
 */
function mediaIn(thing: Json, holds: boolean): string | undefined {
  if (Array.isArray(thing)) return thing.map((one: Json) => mediaIn(one, holds)).find((place) => place !== undefined)
  if (!isObject(thing)) return undefined
  for (const [name, value] of Object.entries(thing)) {
    const isNamed = (holds ? byteNames : mediaNames).includes(name)
    if (isNamed && typeof value === 'string' && value.length >= shortestMedia && bytes.test(value)) return name
    const place = mediaIn(value, mediaNames.includes(name))
    if (place !== undefined) return place
  }
  return undefined
}
