import { expect, test } from 'vitest'
import type { Talk } from '../talk.ts'
import { remove, retrieve } from './items.ts'

/** What a talk is told to expect, by the type of the message. */
function listening(): { readonly talk: Talk; readonly expected: Map<unknown, boolean> } {
  const expected = new Map<unknown, boolean>()
  const say = (message: { readonly type: string }, _: unknown, expectation: unknown) =>
    Promise.resolve(void expected.set(message.type, expectation !== undefined))
  return { talk: { context: { id: (name: string) => name }, say } as unknown as Talk, expected }
}

test.each([
  ['a known item', 'item_1', true],
  ['an item whose creation was never confirmed', '', false],
])('%s is retrieved and deleted, and its answers count: %s', async (_, id, counts) => {
  const { talk, expected } = listening()
  await retrieve(talk, id, () => ({}))
  await remove(talk, id, undefined, () => ({}))
  expect([...expected.values()]).toEqual([counts, counts])
})
