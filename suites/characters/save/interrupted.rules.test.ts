import { expect, test } from 'vitest'
import { CharacterStory } from '#testing/character-story'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { interruptedByDelete } from './interrupted.rules.ts'

const row = 'characters.deleted.running-session-kept'
const body = (name: string): JsonObject => ({
  name,
  model: 'svc-a1-stream',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'ada' }],
})
const idle = (seconds: number) => (data: JsonObject) => ({
  ...data,
  auto_close: { disconnected_timeout_seconds: 120, interaction_idle_timeout_seconds: seconds },
})

/** So many sessions, each of a character of its own, end a moment after that was deleted, 40 seconds after they were started. */
function said(count: number, { idleSeconds = 0, later = 1 } = {}): readonly string[] {
  const story = new CharacterStory()
  for (let nth = 1; nth <= count; nth += 1) {
    const [id, session_id] = [`chr_${nth}`, `s${nth}`]
    const channel = story.create(id, body(id)).start(id, {}, idle(idleSeconds)).trace.opened(session_id)
    story.pass(40).remove(id).pass(later)
    story.trace.received(channel, { type: 'session.closed', event_id: `e${nth}`, session_id, reason: 'maintenance' })
  }
  return [...saidOf([interruptedByDelete], story.trace)]
}

test('one session that ends a while after its character was deleted may do so by accident, several do not', () => {
  expect(said(1)).toEqual([`unobserved ${row}`])
  expect(said(2)).toEqual([`broken ${row}`])
  expect(said(1, { later: 0 })).toEqual([`broken ${row}`])
})

test.each<[what: string, saved: JsonObject, shown: JsonObject, found: readonly string[]]>([
  ['the duration of its character is up', { max_duration_seconds: 40 }, {}, []],
  ['it expires', {}, { expires_at: '2026-01-15T12:00:40Z' }, []],
  ['it has time left', { max_duration_seconds: 600 }, { expires_at: '2026-01-15T12:10:00Z' }, [`broken ${row}`]],
])('a session that ends with the delete of its character, just when %s', (_, saved, shown, found) => {
  const story = new CharacterStory()
  story.create('chr_1', { ...body('chr_1'), ...saved }).start('chr_1', {}, (data) => ({ ...data, ...shown }))
  const channel = story.trace.opened('s1')
  story.pass(40).remove('chr_1').pass(0)
  story.trace.received(channel, { type: 'session.closed', event_id: 'e1', session_id: 's1', reason: 'expired' })
  expect([...saidOf([interruptedByDelete], story.trace)]).toEqual(found)
})

test('a session whose own timer is due ends by that', () => {
  expect(said(2, { idleSeconds: 39 })).toEqual([])
  expect(said(2, { idleSeconds: 60 })).toEqual([`broken ${row}`])
})
