import { expect, test } from 'vitest'
import { CharacterStory } from '#testing/character-story'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { rules } from './rules.ts'

/** Ids are scoped to the workspace (1.6): one of an earlier run may have the id of a character of another workspace. */
const body = (name: string): JsonObject => ({
  name,
  model: 'svc-a1-stream',
  session: { mode: 'text_chat', active_avatar_id: 'ada' },
  avatars: [{ avatar_id: 'ada', instructions: name }],
})
const id = 'chr_100007'
const theirs = (data: JsonObject): JsonObject => ({
  ...data,
  ...body('theirs'),
  created_at: '2025-12-01T00:00:00Z',
  updated_at: '2025-12-01T00:00:00Z',
})

/** Ours is saved twice; another workspace asks for one of its own under the same id; ours is looked at again. */
function told(ask: (theirsAsked: CharacterStory) => CharacterStory): readonly string[] {
  const story = new CharacterStory().create(id, body('mine')).pass(5).replace(id, body('mine anew')).pass(5)
  ask(story.by('other_workspace')).by('primary').pass(5).get(id).list([id], '')
  return [...saidOf(rules, story.trace)].filter((one) => one.startsWith('broken'))
}

test.each<[string, (story: CharacterStory) => CharacterStory]>([
  ['read', (story) => story.get(id, theirs)],
  ['replaced', (story) => story.answer('replace-character', id, theirs({ character_id: id }), body('theirs'))],
  ['deleted', (story) => story.answer('delete-character', id, { character_id: id, status: 'deleted' })],
  ['started from', (story) => story.start(id, {}, (data) => ({ ...data, avatars: body('theirs')['avatars'] ?? [] }))],
])('one of another workspace that is called the same and %s is not ours', (_, ask) => {
  expect(told(ask)).toEqual([])
})
