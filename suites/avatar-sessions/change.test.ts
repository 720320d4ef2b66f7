import { expect, test } from 'vitest'
import { changed } from './change.ts'

const body = { model: 'm', avatars: [{ avatar_id: 'ada' }, { avatar_id: 'ben' }], session: { mode: 'text_chat' } }

test.each([
  ['a member is set', { set: { '/model': 'n' } }, { ...body, model: 'n' }],
  ['what is missing on the way is made', { set: { '/a/b': 1 } }, { ...body, a: { b: 1 } }],
  [
    'an item is changed',
    { set: { '/avatars/1/avatar_id': '' } },
    { ...body, avatars: [{ avatar_id: 'ada' }, { avatar_id: '' }] },
  ],
  ['an item is added', { set: { '/avatars/-': {} } }, { ...body, avatars: [...body.avatars, {}] }],
  ['a list is begun', { set: { '/assets/audio/-': 1 } }, { ...body, assets: { audio: [1] } }],
  ['a member is dropped', { drop: ['/session/mode'] }, { ...body, session: {} }],
  ['an item is dropped', { drop: ['/avatars/0'] }, { ...body, avatars: [{ avatar_id: 'ben' }] }],
  ['it is set first and dropped then', { set: { '/x': 1 }, drop: ['/x'] }, body],
  ['nothing is dropped where nothing is', { drop: ['/y'] }, body],
])('%s', (_, change, expected) => {
  expect(changed(body, change)).toEqual(expected)
})

test('the body itself stays as it was', () => {
  const before = structuredClone(body)
  changed(body, { set: { '/avatars/0/avatar_id': 'zed' } }, { drop: ['/session'] })
  expect(body).toEqual(before)
})
