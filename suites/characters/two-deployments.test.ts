import { expect, test } from 'vitest'
import { CharacterStory } from '#testing/character-story'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { rules } from './rules.ts'

/** What one deployment has is no measure for the other: "features differ by model and deployment" (9.4). */
const base = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  model: 'svc-a1-stream',
  session: { mode: 'text_chat', active_avatar_id: 'ada' },
  avatars: [{ avatar_id: 'ada' }],
  ...more,
})
const brokenIn = (story: CharacterStory): readonly string[] =>
  [...saidOf(rules, story.trace)].filter((one) => one.startsWith('broken'))

const defaults = { conversation: { response_defaults: { temperature: 0.4 } } }
const lost = (data: JsonObject): JsonObject => ({ ...data, conversation: {} })

test('a deployment may lose what another one keeps of a conversation, but not what it keeps itself', () => {
  const kept = () => new CharacterStory().create('chr_1', base('kept', defaults)).pass(3)
  expect(brokenIn(kept().by('other_workspace').create('chr_2', base('lost', defaults), lost))).toEqual([])
  expect(brokenIn(kept().create('chr_2', base('lost', defaults), lost))).toEqual([
    'broken characters.configuration.response-defaults-echoed',
  ])
})

test('a deployment may have another language by default', () => {
  const transcription = (more: JsonObject) => ({ conversation: { input_audio_transcription: more } })
  const inFrench = transcription({ enabled: true, language: 'fr-FR' })
  const told = (language: string) => (data: JsonObject) => ({ ...data, ...transcription({ enabled: true, language }) })
  const story = new CharacterStory().create('chr_1', base('plain'), told('auto')).pass(3).by('other_workspace')
  const replaced = story.create('chr_2', base('french', inFrench)).pass(3)
  replaced.replace('chr_2', base('untold', transcription({ enabled: true })), told('fr-FR'))
  expect(brokenIn(replaced)).toEqual([])
})

test('a deployment may lower timeouts that another one grants', () => {
  const timers = (disconnected_timeout_seconds: number) => ({
    auto_close: { disconnected_timeout_seconds, interaction_idle_timeout_seconds: 0 },
  })
  const lowered = () =>
    new CharacterStory().create('chr_1', base('low', timers(233))).start('chr_1', {}, (data) => ({
      ...data,
      ...timers(200),
    }))
  const long = base('long', { ...timers(3600), max_duration_seconds: 3601 })
  expect(brokenIn(lowered().by('other_workspace').create('chr_2', long).start('chr_2'))).toEqual([])
  expect(brokenIn(lowered().create('chr_2', long).start('chr_2'))).toEqual([
    'broken characters.session.disconnected-timeout-saved',
  ])
})
