import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import { set, type Step, type Steps } from '#testing/channel/steps'
import { applied, come, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { sessionRaces } from './races.rules.ts'
import { sessionState } from './state.rules.ts'

const row = 'session-update.persists'

/** Two updates at once, each on a connection of its own, and the one that looks what came of them. */
function race(
  ends: readonly [string, string],
  shown: Parameters<typeof applied>[2],
  asked: Parameters<typeof applied>[1] = { mode: 'text_chat' },
): Steps {
  const update = (id: string, session: Parameters<typeof applied>[1], channel: string): Step =>
    send(id, 'session.update', { session }, channel)
  const end = (id: string, status: string, channel: string): Step =>
    come(`${id}.done`, 'session.update.done', { request_event_id: id, status }, channel)
  return [
    ...opened('video', state('video_avatar', 'guide', 'g1')),
    { what: 'open', channel: 'other', session: 'video' },
    ...applied('u0', { active_avatar_id: 'guide' }, state('video_avatar', 'guide', 'g1')),
    update('a', { active_avatar_id: 'host' }, 'one'),
    update('b', { mode: 'text_chat' }, 'other'),
    come('a.updated', 'session.updated', { event_id: 'a', session: state('video_avatar', 'host', 'h1') }),
    come('b.updated', 'session.updated', { event_id: 'b', session: state('text_chat', 'host') }, 'other'),
    end('a', ends[0], 'one'),
    end('b', ends[1], 'other'),
    ...applied('look', asked, shown),
    quiet,
  ]
}

test.each<[what: string, steps: Steps]>([
  ['an update that another connection undid', race(['completed', 'completed'], state('text_chat', 'guide'))],
  ['an avatar that nobody asked for', race(['completed', 'completed'], state('text_chat', 'only'))],
  [
    'a mode that another connection undid',
    race(['completed', 'completed'], state('video_avatar', 'only', 'o1'), { active_avatar_id: 'only' }),
  ],
])('%s is broken', (_, steps) => {
  expect(verdictsOf([sessionRaces], steps).broken).toEqual([row])
})

test('what both updates lead to holds', () => {
  expect([...verdictsOf([sessionRaces], race(['completed', 'completed'], state('text_chat', 'host'))).held]).toEqual([
    row,
  ])
})

test('nothing holds where the next update shows no state', () => {
  const { held, broken } = verdictsOf([sessionRaces], race(['completed', 'completed'], { mode: 'text_chat' }))
  expect([[...held], broken]).toEqual([[], []])
})

test.each<[what: string, steps: Steps]>([
  ['one that was superseded may be lost', race(['cancelled', 'completed'], state('text_chat', 'guide'))],
  ['one that failed may take others back', race(['completed', 'failed'], state('video_avatar', 'guide', 'g1'))],
])('%s', (_, steps) => {
  expect(verdictsOf([sessionRaces], steps).broken).toEqual([])
})

test('a next update that fails in the end may show the state of before, and tells nothing', () => {
  const undone = race(['completed', 'completed'], state('text_chat', 'host'), { active_avatar_id: 'only' })
  expect(verdictsOf([sessionRaces], undone).broken).toEqual([row])
  expect(verdictsOf([sessionRaces], set('look.done', { status: 'failed' })(undone)).broken).toEqual([])
})

test('an update without an id is known by what its sender has not heard of, on every connection', () => {
  const nameless = (tag: string): Step => ({
    what: 'send',
    channel: 'one',
    tag,
    event: { type: 'session.update', session: { mode: 'text_chat' } },
  })
  const tell = (id: string, event_id: string, shown: Parameters<typeof applied>[2], channel: string): Steps => [
    come(`${id}.updated.${channel}`, 'session.updated', { event_id, session: shown }, channel),
    come(`${id}.done.${channel}`, 'session.update.done', { request_event_id: event_id, status: 'completed' }, channel),
  ]
  const [before, after] = [state('text_chat', 'guide'), state('text_chat', 'host')]
  const steps: Steps = [
    ...opened('video', before),
    nameless('first'),
    ...tell('first', 'told-1', before, 'one'),
    { what: 'open', channel: 'other', session: 'video' },
    nameless('second'),
    send('third', 'session.update', { session: { active_avatar_id: 'host' } }),
    ...tell('second', 'told-2', before, 'other'),
    ...tell('third', 'third', after, 'other'),
    ...tell('second', 'told-2', before, 'one'),
    ...tell('third', 'third', after, 'one'),
    ...applied('look', { mode: 'text_chat' }, after),
    quiet,
  ]
  expect(verdictsOf([sessionState], steps).broken).toEqual([])
})
