import { expect, test } from 'vitest'
import type { Channel, Frame } from '#client/types'
import type { AnyContext } from '#scenario/author/context'
import type { Pattern } from '#trace/claim'
import { type JsonObject, textAt } from '#trace/json'
import { matchesOne } from '#trace/match'
import { Talk } from '../talk.ts'
import { interruptAtOnce } from './interrupt.ts'

/** A connection on which one event after the other comes once two responses were asked for, each when it is waited for. */
function connection(script: readonly ((ids: readonly string[]) => JsonObject)[]) {
  const frames: Frame[] = []
  const asked: string[] = []
  let last = 0
  const channel = {
    channel: 1,
    state: 'open',
    frames,
    nextFrame: () => (last += 1),
    send: (sent: JsonObject) => void asked.push(textAt(sent, 'event_id') ?? ''),
    next: async (match: Pattern | readonly Pattern[], { after }: { readonly after: number }) => {
      const patterns = [match].flat() as readonly Pattern[]
      const find = () => frames.find(({ frame, data }) => frame > after && matchesOne(data, patterns))
      while (find() === undefined && frames.length < script.length) {
        const data = script[frames.length]?.(asked) ?? {}
        frames.push({ type: data['type'], data, frame: (last += 1) } as Frame)
      }
      return find()
    },
  } as unknown as Channel
  let ids = 0
  const context = {
    id: (word: string) => `${word}-${(ids += 1)}`,
    timeouts: { event_ms: 100 },
    silences: new Map(),
    random: () => 0,
    claim: () => {},
  } as unknown as AnyContext
  return { talk: new Talk(context, channel), types: () => frames.map(({ type }) => type) }
}

const created = (which: number) => (ids: readonly string[]) => ({
  type: 'response.created',
  request_event_id: ids[which] ?? '',
})
const nameless = () => ({ type: 'response.created' })
const done = () => ({ type: 'response.done' })
const refused = (ids: readonly string[]) => ({ type: 'error', error: { event_id: ids[1] ?? '' } })

test.each([
  ['one after the other', [created(0), done, created(1), done]],
  ['one within the other', [created(0), created(1), done, done]],
  ['the first of which never starts', [created(1), done]],
  ['without names', [nameless, done, nameless, done]],
  ['the second of which is refused', [created(0), refused, done]],
])('what was started at once is heard to its end: %s', async (_, script) => {
  const { talk, types } = connection(script)
  await interruptAtOnce(talk)
  expect(types()).toHaveLength(script.length)
  expect(types().at(-1)).toBe('response.done')
})
