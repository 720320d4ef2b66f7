import type { Frame } from '#client/types'
import type { Condition, EventRef, Pattern, Point } from '#trace/claim'
import { all, any, before, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import { at as pick, type Json, type JsonObject } from '#trace/json'
import { ownFailure } from '#judge/conditions/own-failure'
import { modelFactor } from '../model/sessions.ts'
import { errorAbout, errorsNaming, startedFor } from '../error-about.ts'
import { type Expect, type Counted, type Expectations, onlyIf } from '../expectation.ts'
import { type Row, rows } from '../rows.ts'
import type { Talk } from '../talk.ts'

/** A `response.create` before it is sent, in a session that is idle: what comes next belongs to it. */
export interface Asked {
  readonly at: Point
  readonly id: string
  readonly created: EventRef
  readonly done: EventRef
  /** First `response.output_text.done` of it; its end where none comes. */
  readonly text: EventRef
  /** `response.created` comes. */
  readonly started: Condition
}

/** A response that was asked for and, it seems, started. */
export interface Started extends Asked {
  readonly start: Frame | undefined
}

/** A response that was heard to its end. */
export interface Finished extends Started {
  readonly end: Frame | undefined
  /** Its first item, as `response.output_item.done` showed it. */
  readonly item: Json | undefined
  readonly itemId: string | undefined
}

/** How often an event may be awaited anew while others come. */
const mostRounds = 20

const anyCreated = event('response.created')
const anyDone = event('response.done')

/** What every `response.create` is asked for. */
export const asking = { rows: rows({ 'response-created': 'request-event-id-names-request' }) }

/** How long it is waited before a request is sent again that was one too many just then, in milliseconds. */
const backoffMs = 1_000

/**
 * Sends a `response.create` and waits for its `response.created`; once more, where the first was one too many just then.
 *
 * @param beside more members of the event
 */
export async function start<R extends Row>(
  talk: Talk<R>,
  response: JsonObject | undefined,
  expect?: Expect<R, Asked>,
  beside: JsonObject = {},
): Promise<Started> {
  const first = await startOnce(talk, response, expect, beside)
  if (first.start !== undefined || !isOneTooMany(talk, first.id)) return first
  await talk.context.wait(backoffMs, 'backoff')
  return startOnce(talk, response, expect, beside)
}

/** Whether the service said of a request that it meets a limit: it may take it a moment later. */
const isOneTooMany = (talk: Talk, id: string): boolean =>
  talk.channel.frames.some(({ data }) => pick(data, '/error/event_id') === id && ownFailure(data) === 'limit')

async function startOnce<R extends Row>(
  talk: Talk<R>,
  response: JsonObject | undefined,
  expect: Expect<R, Asked> | undefined,
  beside: JsonObject,
): Promise<Started> {
  const id = talk.context.id('response')
  const asked = prepare(talk, id)
  talk.expectOwn(namesRequest(talk, asked))
  talk.expect(expect?.(asked))
  const wanted = response === undefined ? {} : { response }
  const frame = talk.send({ type: 'response.create', event_id: id, ...wanted, ...beside })
  return { ...asked, start: await talk.hearOr(anyCreated, errorsNaming(id), frame) }
}

function prepare(talk: Talk, id: string): Asked {
  const at = talk.coming
  // What was refused has none: that of a later request is another one.
  const created = talk.event(startedFor(id), at)
  const instead = errorsNaming(id)
  const named = talk.eventually(event('response.created', { '/request_event_id': id }), at, { instead })
  return {
    at,
    id,
    created,
    done: talk.event(anyDone, { event: created }),
    // Where none comes before the end, the next one belongs to another response.
    text: talk.event(
      { where: { '/type': { $in: ['response.output_text.done', 'response.done'] } } },
      { event: created },
    ),
    started: any(named, talk.inTime(anyCreated, at, undefined, { instead })),
  }
}

/**
 * No other request is outstanding, as a rule, so that an id in `response.created` can only be that of this one. One that
 * waited in the queue may start meanwhile: then this one starts as well, or is refused, be it by an `error` that names no
 * event.
 */
function namesRequest(talk: Talk, { at, id }: Asked): Expectations<(typeof asking.rows)[number]> {
  const naming = talk.event(event('response.created', { '/request_event_id': { $present: true } }), at)
  const answered = talk.eventually([startedFor(id), errorAbout(id)], at)
  const own = any(equals(inEvent(naming, '/request_event_id'), value(id)), answered)
  return { 'response-created.request-event-id-names-request': onlyIf(before({ event: naming }, talk.after(1)), own) }
}

/** Hears a response to its end. */
export async function finish(talk: Talk, started: Started): Promise<Finished> {
  const after = started.start?.frame
  const end = after === undefined ? undefined : await hearOut(talk, after, 'response.done')
  const frames = talk.channel.frames.filter(
    ({ frame }) => frame > (after ?? Infinity) && frame <= (end?.frame ?? Infinity),
  )
  const item = frames.find(({ type }) => type === 'response.output_item.done')?.data
  return { ...started, end, item: pick(item, '/item'), itemId: itemIdIn(frames) }
}

export async function respond<R extends Row>(
  talk: Talk<R>,
  response: JsonObject | undefined,
  expect?: Expect<R, Asked>,
  beside: JsonObject = {},
): Promise<Finished> {
  return finish(talk, await start(talk, response, expect, beside))
}

/** "Busy until the active response reaches `response.done`": once one came to that, another one that is asked for starts. */
export function startsAfter({ done }: Pick<Asked, 'done'>, { at, started }: Asked): Counted {
  return onlyIf(before({ event: done }, at), started)
}

/** It came to its end by itself. */
export const completed = ({ done }: Pick<Asked, 'done'>): Condition =>
  equals(inEvent(done, '/response/status'), value('completed'))

const message = event('response.output_item.done', {
  '/item/type': 'message',
  '/item/content/0/text': { $present: true, $not: '' },
})

/** A message with a text came of it, which is whole; a model may fail, or choose otherwise, and then it may be kept or not. */
export function wrote(talk: Talk, { created, done }: Pick<Asked, 'created' | 'done'>): Condition {
  return all(before({ event: talk.event(message, { event: created }) }, { event: done }), completed({ done }))
}

/** It ended before its time, since somebody wanted it to. */
export const wasCut = ({ done }: Pick<Asked, 'done'>): Condition =>
  equals(inEvent(done, '/response/status'), oneOf('cancelled', 'incomplete'))

/** Waits until every response that was created is done, so that the session is idle. */
export async function quiet(talk: Talk): Promise<void> {
  while (countOf(talk, 'response.created') > countOf(talk, 'response.done')) {
    const done = await hearOut(talk, talk.channel.frames.at(-1)?.frame ?? 0, 'quiet')
    if (done === undefined) return
  }
}

/** Patterns of events that show a whole text. */
export function whole(text: string): readonly Pattern[] {
  return [
    event('response.output_text.done', { '/text': text }),
    event('response.output_item.done', { '/item/content/0/text': text }),
    event('response.done', { '/response/output/0/content/0/text': text }),
  ]
}

/** Waits for a `response.done`. */
async function hearOut(talk: Talk, after: number, kind: string): Promise<Frame | undefined> {
  const round_ms = modelFactor * talk.patienceFor(kind)
  const done = await outlast(talk, anyDone, after, { round_ms, silent: 1, spoken: 4 })
  if (done === undefined && talk.channel.state !== 'closed') talk.miss(kind)
  return done
}

/** How long a wait goes on while nothing of responses comes, in rounds: as a rule, and while something is rendered. */
interface Endurance {
  readonly round_ms: number
  readonly silent: number
  readonly spoken: number
}

/**
 * Waits for an event as long as events of responses come. A voice may speak a while without any, and an action brings none
 * while it lasts.
 */
export async function outlast(
  talk: Talk,
  match: Pattern,
  after: number,
  { round_ms, silent, spoken }: Endurance = { round_ms: talk.patience + 20, silent: 2, spoken: 8 },
): Promise<Frame | undefined> {
  for (let idle = 0, round = 0; round < mostRounds; round += 1) {
    const heard = countOf(talk, 'response.')
    const found = await talk.channel.next(match, { after, within_ms: round_ms })
    if (found !== undefined || talk.channel.state !== 'open') return found
    idle = countOf(talk, 'response.') === heard ? idle + 1 : 0
    if (idle >= (isRendering(talk) ? spoken : silent)) break
  }
  return undefined
}

function isRendering(talk: Talk): boolean {
  return countOf(talk, 'response.render.started') > countOf(talk, 'response.render.stopped')
}

function countOf(talk: Talk, type: string): number {
  return talk.channel.frames.filter((frame) => frame.type?.startsWith(type) === true).length
}

function itemIdIn(frames: readonly Frame[]): string | undefined {
  const own = frames.filter(({ type }) => type?.startsWith('response.') === true)
  const ids = own.map(({ data }) => pick(data, '/item_id') ?? pick(data, '/item/id'))
  return ids.find((id) => typeof id === 'string')
}
