import { expect, test } from 'vitest'
import type { Frame } from '#client/types'
import type { JsonObject } from '#trace/json'
import type { Talk } from '../talk.ts'
import { ping, pongAfter } from './ping.ts'

/** A connection on which replies come when they are told to, and else are not waited for. */
function connection() {
  const frames: Frame[] = []
  let last = 0
  const reply = () => {
    last += 1
    const data: JsonObject = { type: 'conversation.item.retrieved', item: { id: 'known' } }
    frames.push({ type: 'conversation.item.retrieved', data, frame: last, t: last, bytes: 0 } as Frame)
  }
  const talk = {
    channel: { frames },
    context: { id: (word: string) => word },
    event: (match: unknown, after: unknown) => ({ match, after }),
    send: () => {
      last += 1
      return last
    },
    hear: async (_: unknown, after: number) => frames.find(({ frame }) => frame > after),
  } as unknown as Talk
  return { talk, reply }
}

const place = { frame: 100 }
const depthOf = (talk: Talk): number => JSON.stringify(pongAfter(talk, 'known', place)).split('"match"').length - 1

test('a ping is answered by the first reply where none is outstanding', async () => {
  const { talk, reply } = connection()
  expect(depthOf(talk)).toBe(1)
  await ping(talk, 'known')
  reply()
  expect(depthOf(talk)).toBe(1)
})

test('the late reply to an earlier ping is not taken for the one to the next', async () => {
  const { talk, reply } = connection()
  expect(await ping(talk, 'known')).toBeUndefined()
  expect(depthOf(talk)).toBe(2)
  const second = ping(talk, 'known')
  reply()
  expect(await second).toBeUndefined()
  expect(depthOf(talk)).toBe(2)
  reply()
  expect(depthOf(talk)).toBe(1)
})
