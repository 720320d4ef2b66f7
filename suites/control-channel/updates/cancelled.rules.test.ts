import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { come, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
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
