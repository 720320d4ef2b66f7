import { expect, test } from 'vitest'
import type { Json } from '#trace/json'
import { closesTooLate, contradictsItself } from './bodies.ts'

const ada = { avatar_id: 'ada', visual: { source_images: [{ source_image_id: 'front' }, { source_image_id: 'side' }] } }
const bea = { avatar_id: 'bea' }

test.each<[what: string, body: Json]>([
  ['one avatar', { avatars: [ada] }],
  ['two, one of them active', { avatars: [ada, bea], session: { active_avatar_id: 'bea' } }],
  ['an image of the active avatar', { avatars: [ada], session: { source_image_id: 'side' } }],
  ['timeouts up to the duration', { avatars: [ada], max_duration_seconds: 60, auto_close: { a: 60, b: 0 } }],
  ['assets with ids of their own', { avatars: [ada], assets: { audio: [{ asset_id: 'a' }], speech_text: [] } }],
])('%s: a body with which nothing is wrong', (_, body) => {
  expect(contradictsItself('create-avatar-session', body)).toBe(false)
  expect(contradictsItself('replace-character', body)).toBe(false)
})

test.each<[what: string, body: Json]>([
  ['two avatars of one id', { avatars: [ada, ada], session: { active_avatar_id: 'ada' } }],
  ['two avatars, none of them active', { avatars: [ada, bea] }],
  ['an active avatar that is not there', { avatars: [ada], session: { active_avatar_id: 'cy' } }],
  [
    'an image of another avatar',
    { avatars: [ada, bea], session: { active_avatar_id: 'bea', source_image_id: 'side' } },
  ],
  ['a default image that is not there', { avatars: [{ ...bea, visual: { default_source_image_id: 'up' } }] }],
  [
    'two assets of one id',
    { avatars: [ada], assets: { audio: [{ asset_id: 'a' }], speech_text: [{ asset_id: 'a' }] } },
  ],
  ['a timeout above the duration', { avatars: [ada], max_duration_seconds: 60, auto_close: { a: 61 } }],
])('%s: a body that a service may refuse', (_, body) => {
  expect(contradictsItself('create-avatar-session', body)).toBe(true)
  expect(contradictsItself('create-character', body)).toBe(true)
  expect(contradictsItself('close-avatar-session', body)).toBe(false)
})

test('References of a world have names of their own', () => {
  expect(contradictsItself('create-world-session', { references: [{ name: 'a' }, { name: 'b' }] })).toBe(false)
  expect(contradictsItself('create-world-session', { references: [{ name: 'a' }, { name: 'a' }] })).toBe(true)
})

test('a start may be too short for what was saved', () => {
  const saved = { auto_close: { interaction_idle_timeout_seconds: 240 } }
  expect([closesTooLate(saved, 200), closesTooLate(saved, 240), closesTooLate(saved, undefined)]).toEqual([
    true,
    false,
    false,
  ])
})
