import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import { set, type Step, type Steps } from '#testing/channel/steps'
import { answer, come, created, message, response, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

/** An item is deleted, which is confirmed at once. */
const deleted = (item_id: string): Steps => [
  send('gone', 'conversation.item.delete', { item_id }),
  come('gone.deleted', 'conversation.item.deleted', { item_id }),
]

test('the first item that is appended may follow one that was there from the start', () => {
  const inText = opened('text', state('text_chat', 'guide'))
  const first = created('a', message('a', 'user', 'One.'), null, { previous_item_id: 'root' })
  const appended = created('b', message('b', 'user', 'Two.'), 'rules')
  const further = created('c', message('c', 'user', 'Three.'), 'others')
  const broken = (...steps: readonly Steps[]) => verdictsOf(rules, [...inText, ...steps.flat()]).broken
  expect(broken(first, appended)).toEqual([])
  expect(broken(first, appended, further)).toContain('item-created.previous-item-known')
})

test('an item may be announced behind one whose deletion was asked for after it and confirmed before it', () => {
  const inText = opened('text', state('text_chat', 'guide'))
  const first = created('a', message('a', 'user', 'One.'), null)
  const next = created('b', message('b', 'user', 'Two.'), 'a')
  const gone = deleted('a')
  const broken = (...steps: readonly Steps[]) => verdictsOf(rules, [...inText, ...steps.flat()]).broken
  expect(broken(first, next.slice(0, 1), gone, next.slice(1))).toEqual([])
  expect(broken(first, gone, next)).toContain('item-created.previous-item-known')
})

test('an item may be announced behind one that was deleted and is put anew, before that is announced again', () => {
  const inText = opened('text', state('text_chat', 'guide'))
  const again = created('a2', message('a', 'user', 'One again.'), null)
  const next = created('b', message('b', 'user', 'Two.'), 'a')
  const gone = deleted('a')
  const steps = [...inText, ...created('a', message('a', 'user', 'One.'), null), ...gone, ...again.slice(0, 1), ...next]
  expect(verdictsOf(rules, [...steps, ...again.slice(1)]).broken).toEqual([])
})

test('an item behind one that nobody knows may stand anywhere, so that what is before the deleted last one may be last', () => {
  const texts = ['a', 'b', 'c'].map((id) => message(id, 'user', `Text ${id}.`))
  const [one = {}, two = {}, three = {}] = texts
  const steps = [
    ...opened('text', state('text_chat', 'guide')),
    ...created('a', one, null),
    ...created('b', two, 'a'),
    ...created('x', message('x', 'user', 'Where?'), null, { previous_item_id: 'nobody' }),
    ...deleted('b'),
  ]
  const broken = (previous: string) => verdictsOf(rules, [...steps, ...created('c', three, previous)]).broken
  expect(broken('a')).toEqual([])
  expect(broken('x')).toEqual([])
})

test('an item may not be announced behind one that was spoken out of band', () => {
  const inText = opened('text', state('text_chat', 'guide'))
  const first = created('a', message('a', 'user', 'One.'), null)
  const aside = response('o', {
    asked: { script: { vocal: { type: 'speech', text: 'Aside.' } }, conversation: 'none' },
    pieces: ['Aside.'],
  })
  const broken = (previous: string) =>
    verdictsOf(rules, [...inText, ...first, ...aside, ...created('b', message('b', 'user', 'Two.'), previous)]).broken
  expect(broken('a')).toEqual([])
  expect(broken('m-o')).toEqual(['item-created.previous-item-known'])
  // An item of ours may have taken over the id.
  const own = created('m-o', message('m-o', 'user', 'Mine.'), 'a')
  const steps = [...inText, ...first, ...aside, ...own, ...created('b', message('b', 'user', 'Two.'), 'm-o')]
  expect(verdictsOf(rules, steps).broken).not.toContain('item-created.previous-item-known')
})

test('an opening that begins as the first request is sent, which names none, is not out of band because that is', () => {
  const asked = { conversation: 'none', scheduling_policy: 'reject_if_busy' }
  const busy = come('busy', 'error', { error: { type: 'invalid_request_error', message: 'Busy.' } })
  const opening = set('o.created', { request_event_id: undefined })(answer('o', { asked, pieces: ['Welcome.'] }))
  const steps = [
    ...opened('text', state('text_chat', 'guide')),
    send('r', 'response.create', { response: asked }),
    ...opening.slice(0, 1),
    busy,
    ...opening.slice(1),
    ...created('a', message('a', 'user', 'One.'), 'm-o'),
  ]
  expect(verdictsOf(rules, steps).broken).toEqual([])
})

test('an empty id before an item names none', () => {
  const inText = opened('text', state('text_chat', 'guide'))
  const first = created('a', message('a', 'user', 'One.'), null)
  const atRoot = created('b', message('b', 'user', 'Two.'), '', { previous_item_id: 'root' })
  expect(verdictsOf(rules, [...inText, ...first, ...atRoot]).broken).toEqual([])
})

test('an item may be put behind the output of a response that runs and announces it later', () => {
  const [request, begun, announced, ...rest] = response('r', { previous: 'a' })
  const [ask, told] = created('b', message('b', 'user', 'Two.'), 'm-r')
  const steps = [...opened('text', state('text_chat', 'guide')), ...created('a', message('a', 'user', 'One.'), null)]
  const broken = (...more: readonly (Step | undefined)[]) =>
    verdictsOf(rules, [...steps, ...more.filter((step) => step !== undefined)]).broken
  expect(broken(request, begun, ask, told, announced, ...rest)).toEqual([])
  expect(broken(request, ask, told, begun, announced, ...rest)).toEqual([])
})

test('what came of itself may have been put before the item ahead of it was deleted, however late it is announced', () => {
  const steps = [
    ...opened('text', state('text_chat', 'guide')),
    ...created('a', message('a', 'user', 'One.'), null),
    ...created('b', message('b', 'user', 'Two.'), 'a'),
    ...deleted('b'),
    come('heard', 'conversation.item.created', { previous_item_id: 'b', item: message('h', 'user', 'Heard.') }),
  ]
  expect(verdictsOf(rules, steps).broken).not.toContain('item-created.previous-item-known')
})

test.each(['cancelled', 'failed', 'incomplete'])(
  'the announced item of a response that ended %s may be gone',
  (status) => {
    const inText = opened('text', state('text_chat', 'guide'))
    const first = created('a', message('a', 'user', 'One.'), null)
    const next = created('b', message('b', 'user', 'Two.'), 'a')
    const behind = (previous: string | null) => created('c', message('c', 'user', 'Three.'), previous)
    const broken = (...steps: readonly Steps[]) => verdictsOf(rules, [...inText, ...steps.flat()]).broken
    const cut = (previous: string | null) => response('r', { previous, status })
    expect(broken(first, next, cut('b'), behind('b'))).toEqual([])
    expect(broken(first, next, cut('b'), behind('m-r'))).toEqual([])
    expect(broken(cut(null), behind(null))).toEqual([])
    expect(broken(first, next, cut('b'), behind('a'))).toContain('item-create.appended-when-omitted')
    expect(broken(first, next, response('r', { previous: 'b' }), behind('b'))).toContain(
      'item-create.appended-when-omitted',
    )
  },
)
