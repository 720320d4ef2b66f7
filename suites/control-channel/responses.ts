import type { Frame } from '../../src/client/types.ts'
import type { Condition, EventRef, Pattern, Point } from '../../src/trace/claim.ts'
import { event } from '../../src/trace/conditions.ts'
import { at as pick, type Json, type JsonObject } from '../../src/trace/json.ts'
import type { Talk } from './talk.ts'

/** A `response.create` before it is sent, in a session that is idle: what comes next belongs to it. */
export interface Asked {
  readonly at: Point
  readonly id: string
  readonly created: EventRef
  readonly done: EventRef
  /** First `response.output_text.done` of it. */
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

export type WriteClaims = (asked: Asked) => void

const anyDone = event('response.done')

/** Sends a `response.create` and waits for its `response.created`. */
export async function start(talk: Talk, response: JsonObject | undefined, write?: WriteClaims): Promise<Started> {
  const id = talk.context.id('response')
  const match = event('response.created', { '/request_event_id': { $in: [id], $absent: true } })
  const created = talk.event(match, talk.coming)
  const asked: Asked = {
    at: talk.coming,
    id,
    created,
    done: talk.event(anyDone, { event: created }),
    text: talk.event(event('response.output_text.done'), { event: created }),
    started: talk.eventually(match, talk.coming),
  }
  write?.(asked)
  const frame = talk.send({ type: 'response.create', event_id: id, ...(response === undefined ? {} : { response }) })
  return { ...asked, start: await talk.hear(match, frame) }
}

/** Hears a response to its end. */
export async function finish(talk: Talk, started: Started): Promise<Finished> {
  const after = started.start?.frame
  const end = after === undefined ? undefined : await untilDone(talk, after)
  const frames = talk.channel.frames.filter(
    ({ frame }) => frame > (after ?? Infinity) && frame <= (end?.frame ?? Infinity),
  )
  const item = frames.find(({ type }) => type === 'response.output_item.done')?.data
  return { ...started, end, item: pick(item, '/item'), itemId: itemIdIn(frames) }
}

export async function respond(talk: Talk, response: JsonObject | undefined, write?: WriteClaims): Promise<Finished> {
  return finish(talk, await start(talk, response, write))
}

/** Waits until every response that was created is done, so that the session is idle. */
export async function quiet(talk: Talk): Promise<void> {
  const count = (type: string) => talk.channel.frames.filter((frame) => frame.type === type).length
  for (let last = 0; count('response.created') > count('response.done'); ) {
    const newest = talk.channel.frames.at(-1)?.frame ?? 0
    if (newest === last || talk.channel.state === 'closed') return
    last = newest
    await talk.channel.next(anyDone, { after: newest, within_ms: talk.patience })
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

/** As long as events of the response come, it goes on. */
async function untilDone(talk: Talk, after: number): Promise<Frame | undefined> {
  let heard = -1
  for (let round = 0; round < 20; round += 1) {
    const done = await talk.channel.next(anyDone, { after, within_ms: talk.patience })
    const count = talk.channel.frames.filter(({ type }) => type?.startsWith('response.') === true).length
    if (done !== undefined || count === heard || talk.channel.state === 'closed') return done
    heard = count
  }
  return undefined
}

function itemIdIn(frames: readonly Frame[]): string | undefined {
  const own = frames.filter(({ type }) => type?.startsWith('response.') === true)
  const ids = own.map(({ data }) => pick(data, '/item_id') ?? pick(data, '/item/id'))
  return ids.find((id) => typeof id === 'string')
}
