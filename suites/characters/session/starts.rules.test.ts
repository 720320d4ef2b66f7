import { expect, test } from 'vitest'
import { CharacterStory } from '#testing/character-story'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { starts } from './starts.rules.ts'

const body: JsonObject = { name: 'one', model: 'svc-a1-stream', avatars: [{ avatar_id: 'ada' }] }
const part = 'characters.session'

/** Starts from two characters: the second answer may be another one than it ought to be. */
function saying(
  first: JsonObject,
  second: JsonObject,
  { change = (data: JsonObject) => data, id = 'chr_1' } = {},
): readonly string[] {
  const story = new CharacterStory().create('chr_1', body).create('chr_2', body)
  story.start('chr_1', first).start(id, second, change)
  return [...saidOf([starts], story.trace)].toSorted()
}

const asFirst = (data: JsonObject): JsonObject => ({ ...data, session_id: 's1' })
const key = (idempotency_key: string): JsonObject => ({ idempotency_key })

test('a session and a secret for each start are right', () => {
  expect(saying(key('a'), key('b'))).toEqual([`held ${part}.other-key-other-session`, `held ${part}.several-from-one`])
  expect(saying({}, {})).toContain(`held ${part}.without-key-new-session`)
})

test('the session of the start before is told, by the key that came', () => {
  expect(saying(key('a'), key('b'), { change: asFirst })).toContain(`broken ${part}.other-key-other-session`)
  expect(saying({}, {}, { change: asFirst })).toContain(`broken ${part}.without-key-new-session`)
  expect(saying(key('a'), {}, { change: asFirst })).toContain(`broken ${part}.without-key-new-session`)
})

test('the session of another character is no second one of this', () => {
  const said = saying(key('a'), key('b'), { change: asFirst, id: 'chr_2' })
  expect(said).toEqual([`broken ${part}.other-key-other-session`])
})

test('a known key gives its session again', () => {
  expect(saying(key('a'), key('a'), { change: asFirst }).filter((one) => one.startsWith('broken'))).toEqual([])
})

test('the secret of another session of the character is told', () => {
  const shared = (data: JsonObject): JsonObject => ({
    ...data,
    control: { url: 'wss://x.example', client_secret: '[client_secret 1]' },
  })
  const story = new CharacterStory().create('chr_1', body).start('chr_1', key('a'), shared)
  story.start('chr_1', key('b'), shared)
  expect([...saidOf([starts], story.trace)]).toContain(`broken ${part}.several-from-one`)
})
