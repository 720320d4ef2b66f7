import { expect, test } from 'vitest'
import { bodies, drop, set } from '#testing/creates'
import { changed } from '../change.ts'
import { effectiveOf } from './model.ts'

const { text, rich, video, gallery, explicit, overB } = bodies

test('the mode is the asked one, or video', () => {
  expect(effectiveOf(text).mode).toEqual({ value: 'text_chat', by: 'request' })
  expect(effectiveOf(video).mode).toEqual({ value: 'video_avatar', by: 'session omitted' })
  expect(effectiveOf(gallery).mode).toEqual({ value: 'video_avatar', by: 'mode omitted' })
})

test('the active avatar is the named one, or the only one', () => {
  expect(effectiveOf(text).activeAvatar).toEqual({ id: 'ada', by: 'sole' })
  expect(effectiveOf(rich).activeAvatar).toEqual({ id: 'ben', by: 'request' })
  expect(effectiveOf(changed(rich, drop('/session/active_avatar_id'))).activeAvatar).toBeUndefined()
  expect(effectiveOf(changed(text, set('/session/active_avatar_id', 'zed'))).activeAvatar).toBeUndefined()
})

test('the image is the named one, the default of the active avatar, or its only one', () => {
  expect(effectiveOf(video).sourceImage).toEqual({ id: 'face', by: 'sole', among: 1, elsewhere: [] })
  expect(effectiveOf(gallery).sourceImage).toEqual({ id: 'side', by: 'default', among: 3, elsewhere: ['face', 'face'] })
  expect(effectiveOf(explicit).sourceImage).toMatchObject({ id: 'side', by: 'request' })
  expect(effectiveOf(rich).sourceImage).toBeUndefined()
})

test('no image resolves from several without default, nor by a name that is none', () => {
  const several = changed(explicit, drop('/session/source_image_id'), drop('/avatars/0/visual/default_source_image_id'))
  expect(effectiveOf(several).sourceImage).toBeUndefined()
  expect(effectiveOf(changed(explicit, set('/session/source_image_id', 'zed'))).sourceImage).toBeUndefined()
  const unknown = set('/avatars/0/visual/default_source_image_id', 'zed')
  expect(effectiveOf(changed(video, unknown)).sourceImage).toBeUndefined()
})

test('the transport is the asked one, or rtc_a, and there is none in text', () => {
  expect(effectiveOf(video).transport).toEqual({ value: 'rtc_a', by: 'default' })
  expect(effectiveOf(overB).transport).toEqual({ value: 'rtc_b', by: 'request' })
  expect(effectiveOf(rich).transport).toBeUndefined()
})
