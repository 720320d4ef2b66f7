import { expect, test } from 'vitest'
import type { JsonObject } from '#trace/json'
import { omitted } from './omissions.rules.ts'

const saved = (language: string, tag_audio_enabled: boolean): JsonObject => ({
  conversation: { input_audio_transcription: { enabled: true, language } },
  pipeline_config: { tag_audio_enabled },
})

const replaced: JsonObject = {
  conversation: { input_audio_transcription: { enabled: true } },
  pipeline_config: { motion_planner: { prompt: 'Nods.' } },
}

test('what a replace omits and a service may have for a default need not be gone', () => {
  expect(omitted(saved('auto', false), replaced)).toEqual([])
})

test('what no service has for a default is gone', () => {
  expect(omitted(saved('en-US', true), replaced).map(({ place }) => place)).toEqual([
    '/conversation/input_audio_transcription/language',
    '/pipeline_config/tag_audio_enabled',
  ])
})

test('each tool of a conversation that is omitted is gone', () => {
  const tools = [
    { type: 'function', name: 'look' },
    { type: 'function', name: 'ring' },
  ]
  const gone = omitted({ conversation: { tools } }, {})
  expect(gone.map(({ row, place }) => `${row} ${place}`)).toEqual([
    'characters.replace.conversation-gone /conversation/tools/look',
    'characters.replace.conversation-gone /conversation/tools/ring',
  ])
})

test('a source image is gone, unless an avatar has one of that id, which may be used by default', () => {
  const video = (session: JsonObject, image: string): JsonObject => ({
    session,
    avatars: [{ avatar_id: 'ada', visual: { source_images: [{ source_image_id: image }] } }],
  })
  const before = video({ active_avatar_id: 'ada', source_image_id: 'profile' }, 'profile')
  const places = (after: JsonObject) => omitted(before, after).flatMap(({ row }) => row.replace(/.*replace\./, ''))
  expect(places(video({ active_avatar_id: 'ada' }, 'near'))).toContain('source-image-id-gone')
  expect(places(video({ active_avatar_id: 'ada' }, 'profile'))).not.toContain('source-image-id-gone')
})
