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
