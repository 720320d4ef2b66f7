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

test('a session whose own timer is due ends by that', () => {
  expect(said(2, { idleSeconds: 39 })).toEqual([])
  expect(said(2, { idleSeconds: 60 })).toEqual([`broken ${row}`])
})
