import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { applied, come, failed, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { rules } from '../rules.ts'

test('an update that fails for its image may be named by an error, before or after its end, and never be applied', () => {
  const done = come('u.done', 'session.update.done', { request_event_id: 'u', status: 'failed' })
  const broken = (session: JsonObject, ...steps: Steps) =>
    verdictsOf(rules, [
      ...opened('video', state('video_avatar', 'guide', 'g1')),
      ...applied('first', { source_image_id: 'g2' }, state('video_avatar', 'guide', 'g2')),
      send('u', 'session.update', { session }),
      ...steps,
      ...applied('last', { source_image_id: 'g1' }, state('video_avatar', 'guide', 'g1')),
    ]).broken
  const [image, fault] = [{ source_image_id: 'nowhere' }, { active_avatar_id: 'nobody' }]
  expect(broken(image, failed('u'), done)).toEqual([])
  expect(broken(image, done, failed('u'))).toEqual([])
  expect(broken(fault, failed('u'), done)).toContain('session-update.invalid-no-done')
  expect(broken({ mode: 'audio_only' }, failed('u'), done)).toContain('session-update.invalid-no-done')
})
