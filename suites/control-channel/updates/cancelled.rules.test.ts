import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { applied, come, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'
import { updatesInVideo } from './cancelled.rules.ts'

const shown = (image: string) => state('video_avatar', 'guide', image)

const ended = (id: string, status: string): Steps => [
  send(id, 'session.update', { session: { source_image_id: 'g2' } }),
  come(`${id}.updated`, 'session.updated', { event_id: id, session: shown('g2') }),
  come(`${id}.done`, 'session.update.done', { request_event_id: id, status }),
]

const broken = (...statuses: readonly string[]) =>
  verdictsOf(
    [updatesInVideo],
    [...opened('video', shown('g1')), ...statuses.flatMap((status, at) => ended(`u${at}`, status))],
  ).broken

test('updates in video that are all cancelled, though nothing takes their place, are told', () => {
  expect(broken('cancelled', 'cancelled', 'cancelled')).toEqual(['session-update.undisturbed-completes'])
})

test.each([
  ['two of them', ['cancelled', 'cancelled']],
  ['one that completes', ['cancelled', 'cancelled', 'completed', 'cancelled']],
  ['images that can’t be had', ['failed', 'failed', 'failed', 'failed']],
])('%s: nothing is broken', (_, statuses) => {
  expect(broken(...statuses)).toEqual([])
})

/** An update of an empty image may be anything: what is in effect after it is not known. */
const unknown = applied('e', { source_image_id: '' }, state('text_chat', 'guide'))

/** Two updates at once; the first names `host`, the second shows an avatar that it does not name. */
const superseding = (status: string, avatar: string, before: Steps = unknown): { [order: string]: Steps } => {
  const [first, second] = ['host', avatar].map((avatar_id, at) =>
    come(`u${at}.updated`, 'session.updated', { event_id: `u${at}`, session: state('text_chat', avatar_id) }),
  ) as [Steps[number], Steps[number]]
  const over = come('u0.done', 'session.update.done', { request_event_id: 'u0', status })
  const sent: Steps = [
    ...opened('text', state('text_chat', 'guide')),
    ...before,
    send('u0', 'session.update', { session: { active_avatar_id: 'host' } }),
    send('u1', 'session.update', { session: { mode: 'text_chat' } }),
  ]
  const end = come('u1.done', 'session.update.done', { request_event_id: 'u1', status: 'completed' })
  return { told: [...sent, first, over, second, end], late: [...sent, first, second, over, end] }
}

test.each(['told', 'late'])(
  'a superseded update takes back what it set, also to a state that nobody knows: %s',
  (order) => {
    for (const before of [unknown, []]) {
      expect(verdictsOf(rules, superseding('cancelled', 'guide', before)[order] ?? []).reasons).toEqual([])
    }
  },
)

test('what completed is kept, whatever was before it', () => {
  const { told = [] } = superseding('completed', 'guide')
  expect(verdictsOf(rules, told).broken).toContain('session-update.active-avatar-kept-when-omitted')
})
