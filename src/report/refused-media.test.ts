import { expect, test } from 'vitest'
import { indexTrace } from '#judge/trace-index'
import { TraceBuilder } from '#testing/trace-builder'
import type { Json } from '#trace/json'
import { refusedMedia } from './refused-media.ts'

const url = 'https://media.example/face.png'
const profile = { media: { image_url: url } }
const accepted = { body: { code: 0, message: 'ok', data: { session_id: 's' } } }
const refused = { body: { code: 30004, message: 'the image cannot be had', data: null } }
const withImage: Json = { avatars: [{ avatar_id: 'ada', visual: { source_images: [{ url }] } }] }
const inText: Json = { session: { mode: 'text_chat' }, avatars: [{ visual: { source_images: [{ url }] } }] }

const told = (build: (trace: TraceBuilder) => unknown): readonly string[] => {
  const trace = new TraceBuilder()
  build(trace)
  return refusedMedia(indexTrace(trace.entries), profile)
}

test('an address that no session was created with may be one that the target cannot fetch', () => {
  const notes = told((trace) => {
    trace.rest('create-avatar-session', refused, withImage)
    trace.rest('create-avatar-session', accepted, inText)
    trace.rest('create-avatar-session', accepted, {})
  })
  expect(notes).toEqual([expect.stringContaining('"media.image_url"')])
})

test('one accepted session shows that it can be fetched', () => {
  const notes = told((trace) => {
    trace.rest('create-avatar-session', refused, withImage)
    trace.rest('create-avatar-session', accepted, withImage)
  })
  expect(notes).toEqual([])
})

test('nothing is said where nothing was asked, or nothing answered', () => {
  expect(told(() => {})).toEqual([])
  expect(told((trace) => trace.rest('create-avatar-session', 'timeout', withImage))).toEqual([])
})
