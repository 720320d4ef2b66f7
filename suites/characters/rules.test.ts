import { expect, test } from 'vitest'
import { CharacterStory } from '#testing/character-story'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { rules } from './rules.ts'

type Change = (data: JsonObject) => JsonObject

const put =
  (members: JsonObject): Change =>
  (data) => ({ ...data, ...members })
const text = { mode: 'text_chat' }
const rich: JsonObject = {
  name: 'rich-1-abcdef',
  idempotency_key: 'k',
  model: 'svc-a1-stream',
  session: { ...text, active_avatar_id: 'ada' },
  avatars: [
    { avatar_id: 'ada', instructions: 'Be Ada.' },
    { avatar_id: 'bea', instructions: 'Be Bea.' },
  ],
  pipeline_config: { tag_audio_enabled: true, tts_config: { tts_voice_id: 'v', tts_api_key: 'x' } },
  conversation: { instructions: 'Rivers.', tools: [{ type: 'function', name: 'look' }] },
  max_duration_seconds: 577,
  auto_close: { disconnected_timeout_seconds: 233, interaction_idle_timeout_seconds: 241 },
}
const plain: JsonObject = {
  name: 'plain-2-abcdef',
  model: 'svc-a1-stream',
  session: text,
  avatars: [{ avatar_id: 'bea' }],
  conversation: { instructions: 'Hills.' },
}

const said = (story: CharacterStory) => saidOf(rules, story.trace)
const brokenIn = (story: CharacterStory): readonly string[] =>
  [...said(story)].filter((one) => one.startsWith('broken')).map((one) => one.slice('broken characters.'.length))

/** Saved, read, used, replaced, used again, read, deleted; each of it a second apart. */
interface Changes {
  readonly create?: Change
  readonly get?: Change
  readonly start?: Change
  readonly replace?: Change
  readonly again?: Change
  readonly later?: Change
}

function life({ create, get, start, replace, again, later }: Changes = {}): CharacterStory {
  const story = new CharacterStory().create('chr_1', rich, create).pass(2).get('chr_1', get).start('chr_1', {}, start)
  return story.pass(2).replace('chr_1', plain, replace).get('chr_1', later).start('chr_1', {}, again)
}

test('a target that does everything right is told nothing', () => {
  expect(brokenIn(life())).toEqual([])
  const held = [...said(life())].filter((one) => one.startsWith('held'))
  expect(held.length).toBeGreaterThan(45)
})

test('secrets may be masked, addresses rewritten, members added, integers spelled, what is missing be null', () => {
  const masked = put({
    pipeline_config: { tag_audio_enabled: true, tts_config: { tts_voice_id: 'v', tts_api_key: '***' } },
    max_duration_seconds: '577',
    output: null,
    revision: 4,
  })
  expect(
    brokenIn(life({ create: masked, get: masked, later: put({ auto_close: {}, max_duration_seconds: null }) })),
  ).toEqual([])
})

const noTools = put({ conversation: { instructions: 'Rivers.' } })
const old = put({ conversation: { ...(rich['conversation'] as JsonObject), instructions: 'Hills.' } })

test.each<[row: string, changes: Changes]>([
  ['character.id-prefix', { create: put({ character_id: 'character-1' }) }],
  ['character.id-nonempty', { get: put({ character_id: '' }) }],
  ['character.name-string', { get: put({ name: 7 }) }],
  ['character.name-echoed', { create: put({ name: 'other' }) }],
  ['character.created-at-format', { create: put({ created_at: '2026-01-15T12:00:00.5Z' }) }],
  ['character.updated-at-format', { get: put({ updated_at: '2026-01-15 12:00:00' }) }],
  [
    'character.created-at-utc',
    { create: put({ created_at: '2026-01-15T14:00:00Z', updated_at: '2026-01-15T14:00:00Z' }) },
  ],
  ['character.updated-at-utc', { create: put({ updated_at: '2026-01-15T14:00:00Z' }) }],
  ['create.returned-by-get', { get: put({ created_at: '2026-01-15T12:00:07Z' }) }],
  ['character.updated-at-not-before-created-at', { create: put({ updated_at: '2026-01-15T11:59:00Z' }) }],
  ['character.created-at-kept-by-replace', { replace: put({ created_at: '2026-01-15T12:00:04Z' }) }],
  ['character.updated-at-moved-by-replace', { replace: put({ updated_at: '2026-01-15T12:00:00Z' }) }],
  ['character.updated-at-moved-by-replace', { later: put({ updated_at: '2026-01-15T12:00:00Z' }) }],
  ['configuration.tools-echoed', { create: noTools }],
  ['configuration.avatars-echoed', { create: put({ avatars: [{ avatar_id: 'ada', instructions: 'Be Ada.' }] }) }],
  ['configuration.tts-echoed', { create: put({ pipeline_config: { tag_audio_enabled: true, tts_config: {} } }) }],
  ['configuration.idle-timeout-echoed', { create: put({ auto_close: { disconnected_timeout_seconds: 233 } }) }],
  ['configuration.idempotency-key-not-saved', { get: put({ idempotency_key: 'k' }) }],
  ['create.starts-no-session', { create: put({ session_id: 's' }) }],
  ['create.returned-by-get', { get: noTools }],
  ['get.names-character', { get: put({ character_id: 'chr_2' }) }],
  [
    'replace.returns-written',
    { replace: put({ session: { mode: 'text_chat', active_avatar_id: 'ada' }, model: 'other' }) },
  ],
  ['replace.stored', { later: put({ avatars: rich['avatars'] ?? [] }) }],
  ['replace.name-replaced', { later: put({ name: 'rich-1-abcdef' }) }],
  ['replace.id-kept', { replace: put({ character_id: 'chr_9' }) }],
  ['replace.nested-gone', { later: old }],
  ['replace.max-duration-gone', { later: put({ max_duration_seconds: 577 }) }],
  ['replace.auto-close-gone', { replace: put({ auto_close: { interaction_idle_timeout_seconds: 241 } }) }],
  ['replace.pipeline-config-gone', { later: put({ pipeline_config: { tts_config: { tts_voice_id: 'v' } } }) }],
  ['replace.avatars-gone', { later: put({ avatars: rich['avatars'] ?? [] }) }],
  ['replace.avatar-members-gone', { later: put({ avatars: [{ avatar_id: 'bea', instructions: 'Be Bea.' }] }) }],
  ['replace.active-avatar-id-gone', { later: put({ session: { ...text, active_avatar_id: 'ada' } }) }],
  ['replace.omitted-gone-from-sessions', { again: old }],
])('%s is broken by what breaks it', (row, changes) => {
  expect(brokenIn(life(changes))).toContain(row)
})

test('a default that a replaced character shows is not the old value', () => {
  const filled = put({
    auto_close: { interaction_idle_timeout_seconds: 0 },
    session: { ...text, active_avatar_id: 'bea' },
  })
  expect(brokenIn(life({ replace: filled, later: filled }))).toEqual([])
})

test('of a conversation a service may lose what 4.2 does not name, always', () => {
  const lost = (data: JsonObject) => {
    const { instructions: _, response_defaults: __, ...kept } = (data['conversation'] ?? {}) as JsonObject
    return { ...data, conversation: kept }
  }
  const never = { create: lost, get: lost, replace: lost, later: lost, start: lost, again: lost }
  expect(brokenIn(life(never))).toEqual([])
  expect(brokenIn(life({ get: lost }))).toEqual(['create.returned-by-get'])
})

test('a start under a key that a direct create bore before, answered or not, may tell of the session of that one', () => {
  const key = { idempotency_key: 'k-of-both' }
  const other = put({ model: 'svc-a1-stream-lite', avatars: [{ avatar_id: 'else' }] })
  const started = (sent: JsonObject) => new CharacterStory().create('chr_1', plain).start('chr_1', sent, other)
  expect(brokenIn(started(key))).toContain('session.model-saved')
  const story = new CharacterStory().create('chr_1', plain)
  story.trace.rest('create-avatar-session', 'timeout', { ...plain, ...key })
  expect(brokenIn(story.start('chr_1', key, other))).toEqual([])
})

test('use may move `updated_at`, and then a refused replace is not to blame', () => {
  const touched = put({ updated_at: '2026-01-15T12:00:06Z' })
  const refusal = { id: 'chr_1', sent: { ...plain, avatars: [] } }
  const story = new CharacterStory()
    .create('chr_1', rich)
    .pass(2)
    .get('chr_1', put({ updated_at: '2026-01-15T12:00:02Z' }))
  const rows = brokenIn(story.refuse('replace-character', 20012, refusal).pass(4).get('chr_1', touched))
  expect(rows).toEqual([])
})

test('what was done while a read was under way, or perhaps never, decides nothing', () => {
  const story = new CharacterStory().create('chr_1', rich)
  story.trace.rest('replace-character', 'timeout', plain, 'primary', '/v1/characters/chr_1')
  expect(brokenIn(story.get('chr_1', put({ name: 'plain-2-abcdef' })))).toEqual([])
})

test('a refused replace has changed nothing, whatever status tells it', () => {
  const refusal = { id: 'chr_1', sent: { ...plain, avatars: [] }, status: 500 }
  const story = () => new CharacterStory().create('chr_1', rich).pass(2).refuse('replace-character', 20012, refusal)
  expect(brokenIn(story().get('chr_1'))).toEqual([])
  expect(brokenIn(story().get('chr_1', put({ name: 'plain-2-abcdef' })))).toContain('replace.refused-changes-nothing')
  const moved = put({ updated_at: '2026-01-15T12:00:02Z' })
  expect(brokenIn(story().get('chr_1', moved))).toContain('character.updated-at-kept-by-refused-replace')
})

test('what happens to one character happens to no other', () => {
  const pair = () => new CharacterStory().create('chr_1', rich).create('chr_2', { ...plain, name: 'second-abcdef' })
  const other = { ...plain, name: 'third-abcdef' }
  expect(brokenIn(pair().replace('chr_2', other).get('chr_1'))).toEqual([])
  expect(
    brokenIn(
      pair()
        .replace('chr_2', other)
        .get('chr_1', put({ name: 'third-abcdef' })),
    ),
  ).toContain('replace.leaves-others')
  const lost = pair().remove('chr_2').refuse('get-character', 20005, { id: 'chr_1' })
  expect(brokenIn(lost)).toEqual(['delete.leaves-others'])
  expect(brokenIn(pair().refuse('get-character', 20005, { id: 'chr_1' }))).toEqual(['get.own-character-found'])
})

test('one id for two creates is one too few, unless their key says that they are one', () => {
  const twice = (first: JsonObject, second: JsonObject) =>
    new CharacterStory().create('chr_1', first).create('chr_1', second)
  expect(brokenIn(twice(plain, plain))).toContain('character.id-unique')
  expect(brokenIn(twice(rich, rich))).toEqual([])
})

test('what a start sends is in force for its session, and stands in no character', () => {
  const sent = { max_duration_seconds: 90, model: 'svc-a1-stream-lite' }
  const started = () => new CharacterStory().create('chr_1', rich).start('chr_1', sent)
  expect(brokenIn(started().get('chr_1'))).toEqual([])
  const moved = brokenIn(started().get('chr_1', put({ max_duration_seconds: 90 })))
  expect(moved).toContain('session.body-leaves-character')
  // What nobody sent is another mistake.
  expect(brokenIn(started().get('chr_1', put({ max_duration_seconds: 91 })))).not.toContain(
    'session.body-leaves-character',
  )
})

test('two creates of one body make two characters, and a delete of one leaves the other', () => {
  const pairOf = () => new CharacterStory().create('chr_1', plain).create('chr_2', plain)
  expect(brokenIn(pairOf().get('chr_1'))).toEqual([])
  expect(brokenIn(new CharacterStory().create('chr_1', plain).create('chr_1', plain))).toContain(
    'create.same-body-other-character',
  )
  const lost = pairOf().remove('chr_2').refuse('replace-character', 20005, { id: 'chr_1' })
  expect(brokenIn(lost)).toEqual(['delete.leaves-others'])
})

test('a delete that finds nothing may be the second one that a proxy sent: whether the character was there is not known', () => {
  const twice = () =>
    new CharacterStory()
      .create('chr_1', plain)
      .create('chr_2', plain)
      .remove('chr_2')
      .refuse('delete-character', 20005, {
        id: 'chr_1',
      })
  expect(brokenIn(twice().refuse('get-character', 20005, { id: 'chr_1' }))).toEqual([])
  expect(brokenIn(twice().pass(5).list([], ''))).toEqual([])
})

test('a delete over which the service failed may have been done: the next attempt does not find the character', () => {
  const story = new CharacterStory()
    .create('chr_1', plain)
    .refuse('delete-character', 50000, { id: 'chr_1', status: 500 })
  const last = story.trace.entries.at(-1)
  const exchange = last?.kind === 'response' ? last.exchange : 0
  story.trace.again(exchange, { status: 404, body: { code: 20005, message: 'no' } })
  expect(brokenIn(story.refuse('get-character', 20005, { id: 'chr_1' }))).toEqual([])
})
