import { expect, test } from 'vitest'
import type { Json } from '#trace/json'
import { listedIds, listForm } from './listed-sessions.ts'

const known = new Set(['ses-1', 'ses-2'])
const ids = (data: Json) => [...listedIds(data, listForm(data, known))].toSorted()

test.each<[string, Json, readonly string[]]>([
  [
    'objects in a list',
    {
      sessions: [
        { id: 'ses-1', avatar: { id: 'ada' } },
        { id: 'ses-9', avatar: { id: 'bob' } },
      ],
    },
    ['ses-1', 'ses-9'],
  ],
  ['a bare list', [{ session_id: 'ses-1' }, { session_id: 'ses-9' }], ['ses-1', 'ses-9']],
  ['ids alone', { open: ['ses-2', 'ses-9'], total: 2 }, ['ses-2', 'ses-9']],
  ['a map by id', { sessions: { 'ses-1': { status: 'active' }, 'ses-9': { status: 'active' } } }, ['ses-1', 'ses-9']],
  [
    'a map by id that repeats it',
    { by_id: { 'ses-1': { id: 'ses-1' }, 'ses-9': { id: 'ses-9' } } },
    ['ses-1', 'ses-9'],
  ],
  ['nothing that is known', { sessions: [{ id: 'ses-9' }] }, []],
])('%s', (_, data, expected) => {
  expect(ids(data)).toEqual(expected)
})

test('a short id teaches nothing, since a count may look like it', () => {
  expect(listForm({ sessions: [{ id: '7' }], total: 7 }, new Set(['7'])).size).toBe(0)
})

test('the form that one payload taught reads another', () => {
  const form = listForm({ sessions: [{ id: 'ses-1' }] }, known)
  expect([...listedIds({ sessions: [{ id: 'a' }, { id: 7 }, { name: 'b' }] }, form)]).toEqual(['a', '7'])
  expect(listedIds({ sessions: [] }, form).size).toBe(0)
  expect(listedIds(undefined, form).size).toBe(0)
})
