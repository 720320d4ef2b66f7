import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { applied, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { rules } from '../rules.ts'

/** A session that is created in text with an image, which comes to video later. */
const held = (avatar: string, source_image_id: string, ...steps: Steps): Steps => [
  ...opened('text', state('text_chat', avatar), 'one', {
    session: { mode: 'text_chat', active_avatar_id: avatar, source_image_id },
  }),
  ...steps,
]
const toVideo = (avatar: string, image: string) =>
  applied('v', { mode: 'video_avatar' }, state('video_avatar', avatar, image))
const inText = applied('t', { active_avatar_id: 'guide' }, state('text_chat', 'guide'))
const cleared = applied('n', { source_image_id: null }, state('text_chat', 'guide'))

test.each<[what: string, steps: Steps]>([
  ['the image of the create is kept', held('guide', 'g2', ...toVideo('guide', 'g2'))],
  ['the default is derived', held('guide', 'g2', ...toVideo('guide', 'g1'))],
  ['it is kept over an update in text', held('guide', 'g2', ...inText, ...toVideo('guide', 'g2'))],
  ['it is that of an avatar with several', held('several', 's2', ...toVideo('several', 's2'))],
])('a session that began in text with an image: %s', (_, steps) => {
  expect(verdictsOf(rules, steps).reasons).toEqual([])
})

/** A session in video that goes to text, and comes back without naming an image. */
const back = (shown: string, ...steps: Steps): Steps => [
  ...opened('video', state('video_avatar', 'guide', 'g1')),
  ...steps,
  ...toVideo('guide', shown),
]
const toText = applied('t', { mode: 'text_chat' }, state('text_chat', 'guide'))
const named = applied('i', { source_image_id: 'g2' }, state('text_chat', 'guide'))
const namedAtOnce = applied('t', { mode: 'text_chat', source_image_id: 'g2' }, state('text_chat', 'guide'))

test.each<[what: string, steps: Steps]>([
  ['it is kept', back('g2', ...toText, ...named)],
  ['it is passed over', back('g1', ...toText, ...named)],
  ['it is kept over an update in text', back('g2', ...toText, ...named, ...inText)],
  ['it is named with the mode', back('g2', ...namedAtOnce)],
])('an image that is named in text: %s', (_, steps) => {
  expect(verdictsOf(rules, steps).reasons).toEqual([])
})

test.each<[row: string, steps: Steps]>([
  ['session-update.to-video-derives-default-image', held('guide', 'g1', ...toVideo('guide', 'g2'))],
  ['session-update.to-video-derives-default-image', held('guide', 'g2', ...cleared, ...toVideo('guide', 'g2'))],
  ['session-update.to-video-derives-default-image', back('g2', ...toText)],
  ['session-update.to-video-derives-default-image', back('g2', ...toText, ...named, ...cleared)],
  [
    'session-updated.source-image-null-in-text-chat',
    [
      ...back('g2', ...toText),
      ...applied('s', { mode: 'text_chat', source_image_id: 'g1' }, state('text_chat', 'guide', 'g1')),
    ],
  ],
  ['session-update.to-video-derives-only-image', held('only', 'nowhere', ...toVideo('only', 'nowhere'))],
  [
    'session-update.to-video-derives-default-image',
    held(
      'guide',
      'g2',
      ...toVideo('guide', 'g2'),
      ...applied('t', { mode: 'text_chat' }, state('text_chat', 'guide')),
      ...applied('w', { mode: 'video_avatar' }, state('video_avatar', 'guide', 'bare')),
    ),
  ],
])('%s (%#)', (row, steps) => {
  expect(verdictsOf(rules, steps).broken).toContain(row)
})
