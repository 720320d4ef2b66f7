import { expect, test } from 'vitest'
import { CharacterStory } from '#testing/character-story'
import { brokenInBoth } from '#testing/said-of-both'
import { walks } from './list/pages.rules.ts'
import { savedConfiguration } from './save/configuration.rules.ts'
import { characterTimes } from './save/times.rules.ts'

const broken = (story: CharacterStory): ReturnType<typeof brokenInBoth> =>
  brokenInBoth([characterTimes, savedConfiguration, walks], story.trace)

const ada = { name: 'Ada', model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }

test('a recorded client may make sure of its character under one key, and get one of days ago', () => {
  const old = { created_at: '2026-01-12T09:00:00Z', updated_at: '2026-01-14T09:00:00Z', name: 'Ada (edited)' }
  const story = new CharacterStory().create('chr_1', { ...ada, idempotency_key: 'ada-v1' }, (data) => ({
    ...data,
    ...old,
  }))
  expect(broken(story)).toEqual({
    run: [
      'characters.character.created-at-utc',
      'characters.character.updated-at-utc',
      'characters.character.name-echoed',
    ],
    recording: [],
  })
})

test('a key as long as the id of a user may have made its character days ago, too, but none in the time to come', () => {
  const at = (made: string) => {
    const story = new CharacterStory().pass(120)
    const sent = { ...ada, idempotency_key: 'companion-550e8400-e29b-41d4-a716-446655440000' }
    return broken(story.create('chr_1', sent, (data) => ({ ...data, created_at: made, updated_at: made })))
  }
  expect(at('2026-01-12T09:00:00Z').recording).toEqual([])
  expect(at('2026-01-15T20:02:00Z').recording).toContain('characters.character.created-at-utc')
})

test('what is saved again unchanged need not be newer', () => {
  const kept = (body: object, lost?: string): CharacterStory => {
    const story = new CharacterStory().create('chr_1', ada)
    story.pass(60_000)
    return story.replace('chr_1', { ...ada, ...body }, (data) => {
      const left = Object.entries(data).filter(([name]) => name !== lost)
      return { ...Object.fromEntries(left), updated_at: data['created_at'] ?? '' }
    })
  }
  expect(broken(kept({})).run).toEqual([])
  expect(broken(kept({ conversation: {} }, 'conversation')).recording).toEqual([])
  expect(broken(kept({ name: 'Bea' })).run).toContain('characters.character.updated-at-moved-by-replace')
})

test('a name that a recorded client sends untidily may be tidied up', () => {
  const shown = (sent: string, name: string): CharacterStory =>
    new CharacterStory().create('chr_1', { ...ada, name: sent }, (data) => ({ ...data, name }))
  const row = 'characters.character.name-echoed'
  expect(broken(shown(' Zoe\u0308  Lin', 'Zo\u00eb Lin'))).toEqual({ run: [row], recording: [] })
  expect(broken(shown('Ada', 'ada'))).toEqual({ run: [row], recording: [row] })
})

test.each([
  ['pipeline_config', { tag_audio_enabled: false }, {}],
  ['conversation', { input_audio_transcription: { enabled: false } }, {}],
])('%s %j may come back as %j: what is off or empty may be left out', (name, sent, shown) => {
  const story = new CharacterStory().create('chr_1', { ...ada, [name]: sent }, (data) => ({ ...data, [name]: shown }))
  expect(broken(story).run).toEqual([])
})

test.each([
  ['pipeline_config', { tag_audio_enabled: true }, 'pipeline-echoed'],
  ['pipeline_config', { llm_config: { temperature: 0 } }, 'pipeline-echoed'],
])('%s %j may not be left out', (name, sent, row) => {
  const story = new CharacterStory().create('chr_1', { ...ada, [name]: sent }, (data) => ({ ...data, [name]: {} }))
  expect(broken(story).run).toEqual([`characters.configuration.${row}`])
})
