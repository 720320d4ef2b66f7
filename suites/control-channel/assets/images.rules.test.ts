import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { applied, come, refused, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { keptImages } from './images.rules.ts'

const told = (steps: Steps) => verdictsOf([keptImages], [...opened('text', state('video_avatar', 'guide')), ...steps])
const pictured = (avatar_id: string, source_image_id: string) => {
  const image = { source_image_id, url: 'https://example.com/a.png', media_type: 'image/png' }
  return { avatars: [{ avatar_id, visual: { source_images: [image] } }] }
}
const joined: Steps = [
  send('a1', 'avatar.add', pictured('pal', 'face')),
  come('a1.added', 'avatar.added', pictured('pal', 'face')),
]
const select = (tag: string, source_image_id: string): Steps =>
  applied(tag, { active_avatar_id: 'pal', source_image_id }, state('video_avatar', 'pal', source_image_id))
const again = refused('a2', 'avatar.add', pictured('pal', 'later'))
const inVain = (tag: string, source_image_id: string): Steps =>
  refused(tag, 'session.update', { session: { active_avatar_id: 'pal', source_image_id } })

test.each<[row: string, steps: Steps]>([
  ['avatar-add.images-not-appended', [...joined, ...again, ...select('u1', 'later')]],
  [
    'avatar-add.images-not-replaced',
    [...joined, ...select('u1', 'face'), ...again, ...inVain('u2', 'face'), ...inVain('u3', 'face')],
  ],
])('%s: what was refused shows', (row, steps) => {
  expect(told(steps).broken).toEqual([row])
})

test.each<[what: string, steps: Steps]>([
  ['an image that is refused as unknown', [...joined, ...again, ...inVain('u1', 'later')]],
  ['the image of before', [...joined, ...select('u1', 'face'), ...again, ...select('u2', 'face')]],
  [
    'the image of before, refused once',
    [...joined, ...select('u1', 'face'), ...again, ...inVain('u2', 'face'), ...select('u3', 'face')],
  ],
  ['an image that was never shown before', [...joined, ...again, ...inVain('u1', 'face')]],
  ['an image that came in with another avatar', [...joined, ...refused('a2', 'avatar.add', pictured('kim', 'later'))]],
])('%s breaks nothing', (_what, steps) => {
  expect(told(steps).reasons).toEqual([])
})
