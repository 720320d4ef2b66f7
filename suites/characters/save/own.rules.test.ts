import { expect, test } from 'vitest'
import { CharacterStory } from '#testing/character-story'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { ownOnly } from './own.rules.ts'

const part = 'characters.configuration'
const body = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  model: 'svc-a1-stream',
  session: { mode: 'text_chat', active_avatar_id: 'ada' },
  avatars: [{ avatar_id: 'ada', instructions: 'Be Ada.' }, { avatar_id: 'bea' }],
  ...more,
})
const conversation = { tools: [{ type: 'function', name: 'look' }] }
const put = (members: JsonObject) => (data: JsonObject) => ({ ...data, ...members })
const said = (story: CharacterStory): readonly string[] => [...saidOf([ownOnly], story.trace)].toSorted()

/** A plain character, a rich one, and a plain one again. */
const three = (shown: JsonObject = {}, first: JsonObject = {}, duration = 577): CharacterStory =>
  new CharacterStory()
    .create('chr_0', body('first'), put(first))
    .create('chr_1', body('rich', { conversation, max_duration_seconds: duration }))
    .create('chr_2', body('plain'), put(shown))

test('what only an earlier character was saved with is none of a later one', () => {
  expect(said(three())).toEqual([`held ${part}.avatars-own-only`, `held ${part}.own-only`])
  expect(said(three({ conversation }))).toContain(`broken ${part}.own-only`)
  expect(said(three({ max_duration_seconds: 577 }))).toContain(`broken ${part}.own-only`)
})

test('a default may be what another one was saved with', () => {
  const usual = { max_duration_seconds: 577 }
  expect(said(three(usual, usual))).not.toContain(`broken ${part}.own-only`)
  expect(said(three({ max_duration_seconds: 600 }, {}, 600))).not.toContain(`broken ${part}.own-only`)
})

test('what a character had itself is no other one’s', () => {
  const story = three()
    .create('chr_3', body('own', { conversation }))
    .replace('chr_3', body('own'), put({ conversation }))
  expect(said(story)).not.toContain(`broken ${part}.own-only`)
})

test('an avatar has nothing of another one', () => {
  const shared = ['ada', 'bea'].map((avatar_id) => ({ avatar_id, instructions: 'Be Ada.' }))
  expect(said(three({ avatars: shared }))).toContain(`broken ${part}.avatars-own-only`)
})
