import type { Channel } from '#client/types'
import { type Json, textAt } from '#trace/json'
import { matches, matchesOne } from '#trace/match'
import type { Talk } from '../talk.ts'
import { createdBy, naming } from './requests.ts'
import type { Sent } from './stand.ts'
import type { End, Stage, Start } from './stages.ts'

/** What a walk knows beside what it hears: by the ids of requests, how responses start and end that do not do so plainly. */
interface Known {
  readonly waits: boolean
  readonly starts: ReadonlyMap<string, Start>
  readonly ends: ReadonlyMap<string, End>
}

/** What the events of a connection tell of the responses of its session. */
export function stageOf({ frames }: Channel, { waits, starts, ends }: Known): Stage {
  const created = frames.filter(({ type }) => type === 'response.created')
  const done = frames.filter(({ type }) => type === 'response.done')
  const newest = textAt(created.at(-1)?.data, '/request_event_id') ?? ''
  const last = starts.get(newest) ?? 'at once'
  if (waits) return { busy: 'active, one waits', last }
  if (created.length > done.length) return { busy: 'active', last }
  return { busy: 'idle', last: endOf(done.at(-1)?.data, ends.get(newest)) }
}

function endOf(done: Json | undefined, plain: End = 'whole'): End {
  const status = textAt(done, '/response/status')
  if (status === 'incomplete') return 'incomplete'
  if (status !== 'completed') return done === undefined ? 'whole' : 'early'
  const called = matches(done, { where: { '/response/output/0/type': 'function_call' } })
  return called ? 'a call' : plain
}

/** It has begun, or was refused, as the connection that asked or another one shows. */
export function isAnswered({ id, on }: Sent, talk: Talk): boolean {
  const answers = [createdBy(id), naming(id)]
  return [talk, on].some(({ channel }) => channel.frames.some(({ data }) => matchesOne(data, answers)))
}

export function isRefused({ id, on }: Sent): boolean {
  return on.channel.frames.some(({ data }) => matches(data, naming(id)))
}
