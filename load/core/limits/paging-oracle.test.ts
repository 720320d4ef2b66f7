import { expect, test } from 'vitest'
import { judgeWholeList, type WholePage } from './paging-oracle.ts'

const page = (ids: readonly string[], more = true, again = false): WholePage => ({
  ids,
  size: 200,
  created: [],
  more,
  again,
})

const lawsBroken = (...pages: readonly WholePage[]): string[] =>
  judgeWholeList(pages).flatMap(({ law, got }) => (got === undefined ? [] : [law]))

test('pages of deleted characters are empty, and the list goes on', () => {
  const deleted = Array.from({ length: 6 }, () => page([]))
  expect(lawsBroken(page(['a', 'b']), ...deleted, page([], false))).toEqual([])
  expect(lawsBroken(page(['a', 'b']), ...deleted)).toEqual([])
})

test.each([
  ['shows the same page again and again', ['a']],
  ['gives the same token for an empty page', []],
])('a list that %s has no end', (_, ids) => {
  const same = Array.from({ length: 3 }, () => page(ids, true, true))
  expect(lawsBroken(page(['a', 'b']), ...same)).toEqual(['page-without-end'])
})
