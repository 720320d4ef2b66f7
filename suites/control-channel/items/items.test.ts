import { expect, test } from 'vitest'
import type { Talk } from '../talk.ts'
import { remove, retrieve } from './items.ts'

interface Listening {
  readonly talk: Talk
  readonly expected: Map<unknown, boolean>
  readonly named: string[]
}

/** What a talk is told to expect, by the type of the message, and the items that the messages name. */
function listening(): Listening {
  const expected = new Map<unknown, boolean>()
  const named: string[] = []
  const say = ({ type, item_id }: { readonly type: string; readonly item_id: string }, _: unknown, wanted: unknown) => {
    named.push(item_id)
    return Promise.resolve(void expected.set(type, wanted !== undefined))
  }
  return { talk: { context: { id: (name: string) => name }, say } as unknown as Talk, expected, named }
}

test.each([
  ['a known item', 'item_1', true],
  ['an item whose creation was never confirmed', '', false],
])('%s is retrieved and deleted, and its answers count: %s', async (_, id, counts) => {
  const { talk, expected, named } = listening()
  await retrieve(talk, id, () => ({}))
  await remove(talk, id, undefined, () => ({}))
  expect([...expected.values()]).toEqual([counts, counts])
  // A confirmation of an empty id would be taken for the service's mistake.
  expect(named).toEqual(counts ? [id, id] : ['item-retrieve', 'item-delete'])
})
