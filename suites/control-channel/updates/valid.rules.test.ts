import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { applied, refused, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { validUpdates } from './valid.rules.ts'

const nullInText = { session: { mode: 'text_chat', source_image_id: null } }

const told = (...steps: Steps) => verdictsOf([validUpdates], [...opened('text', state('text_chat', 'guide')), ...steps])

test('a null image in text that is refused each time is told', () => {
  const { broken } = told(...refused('a', 'session.update', nullInText), ...refused('b', 'session.update', nullInText))
  expect(broken).toEqual(['session-update.text-chat-mode-applied'])
})

const inVideo = (image: string) => state('video_avatar', 'guide', image)
const choose = (id: string, source_image_id: string): Steps =>
  applied(id, { mode: 'video_avatar', source_image_id }, inVideo(source_image_id))
const again = (id: string, image: string): Steps =>
  refused(id, 'session.update', { session: { source_image_id: image } })

test('an update that names the image which is shown, and is refused each time, is told', () => {
  const { broken } = told(...choose('a', 'g2'), ...again('b', 'g2'), ...choose('c', 'g1'), ...again('d', 'g1'))
  expect(broken).toEqual(['session-update.accepted-yields-updated'])
})

const look = (id: string): Steps => applied(id, { mode: 'text_chat' }, state('text_chat', 'guide'))
const lookInVain = (id: string): Steps => refused(id, 'session.update', { session: { mode: 'text_chat' } })
const faulty = (id: string): Steps => refused(id, 'session.update', { session: { active_avatar_id: 'nobody' } })
const behindFaulty = (ids: readonly string[]): Steps => ids.flatMap((id) => [...faulty(`${id}f`), ...lookInVain(id)])

test('an update that was taken, and is refused each time behind one that was refused, is told', () => {
  const { broken } = told(...look('a'), ...behindFaulty(['b', 'c', 'd']))
  expect(broken).toEqual(['session-update.rejected-changes-nothing'])
})

test.each<[what: string, steps: Steps]>([
  ['refused once', refused('a', 'session.update', nullInText)],
  [
    'refused twice, and taken then',
    [
      ...refused('a', 'session.update', nullInText),
      ...refused('b', 'session.update', nullInText),
      ...applied('c', nullInText.session, state('text_chat', 'guide')),
    ],
  ],
  [
    'with a field that nobody knows',
    [
      ...refused('a', 'session.update', { session: { ...nullInText.session, colour: 'red' } }),
      ...refused('b', 'session.update', { session: { ...nullInText.session, colour: 'red' } }),
    ],
  ],
  [
    'to video with an image that nobody has seen there',
    [
      ...refused('a', 'session.update', { session: { mode: 'video_avatar' } }),
      ...refused('b', 'session.update', { session: { mode: 'video_avatar' } }),
    ],
  ],
  ['behind one that was refused, twice', [...look('a'), ...behindFaulty(['b', 'c'])]],
  [
    'behind one that was refused, and taken at last',
    [...look('a'), ...behindFaulty(['b', 'c', 'd']), ...faulty('ef'), ...look('e')],
  ],
  ['with the image that is shown, refused once', [...choose('a', 'g2'), ...again('b', 'g2')]],
  [
    'with the image that is shown, taken once',
    [...choose('a', 'g2'), ...again('b', 'g2'), ...again('c', 'g2'), ...choose('d', 'g2')],
  ],
  [
    'with an image that is not shown',
    [...choose('a', 'g2'), ...choose('b', 'g1'), ...again('c', 'g2'), ...again('d', 'g2')],
  ],
])('%s: nothing is broken', (_, steps) => {
  expect(told(...steps).reasons).toEqual([])
})
