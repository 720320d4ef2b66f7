import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import type { JsonObject } from '#trace/json'
import { toolsOwnOnly } from './tools.rules.ts'

const row = 'avatar-sessions.conversation.tools-own-only'
const withTools = (...names: readonly string[]): JsonObject => ({
  conversation: { tools: names.map((name) => ({ type: 'function', name })) },
})

const body: JsonObject = { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }

/** Sessions that were created one by one: what was sent, and what was shown. */
function said(...creates: readonly (readonly [sent: JsonObject, shown: JsonObject])[]): readonly string[] {
  const trace = new TraceBuilder()
  for (const [place, [sent, shown]] of creates.entries()) {
    const data = { session_id: `ses-${place}`, status: 'active', ...shown }
    trace.rest('create-avatar-session', { body: { code: 0, message: 'ok', data } }, { ...body, ...sent })
  }
  return [...saidOf([toolsOwnOnly], trace)]
}

const [clock, plain] = [withTools('clock'), {}]

test('a session without tools shows none of another create', () => {
  expect(said([plain, plain], [clock, clock], [plain, clock])).toContain(`broken ${row}`)
  expect(said([plain, plain], [clock, clock], [plain, plain])).toEqual([`held ${row}`])
})

test('a tool that every session has may be the own of the service', () => {
  expect(said([plain, clock], [clock, clock], [plain, clock])).toEqual([])
})

test('so may one that every session of a mode has', () => {
  const [seen, chat] = [{ session: { mode: 'video_avatar' } }, { session: { mode: 'text_chat' } }]
  expect(said([plain, chat], [clock, { ...clock, ...chat }], [plain, { ...clock, ...seen }])).toEqual([])
})
