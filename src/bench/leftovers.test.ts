import { expect, test } from 'vitest'
import { WHOLE_RUN_MS } from '#testing/hang'
import { leftoversOf, untoldOf } from './leftovers.ts'

/** What makes sessions, worlds and characters, and ends them. */
const only = ['avatar-sessions.close.leaves-active', 'world-sessions.close.leaves-active', 'characters.delete.accepted']

test.concurrent.each([
  'avatar-sessions.create.minimal-text-chat-accepted~no-message',
  'avatar-sessions.create.minimal-text-chat-accepted~list',
  'avatar-sessions.session.id-nonempty~result',
  'avatar-sessions.close.same-workspace-key',
  'errors.envelope.nonzero-code-is-failure',
])('nothing is left where the target has the mistake %s', { timeout: WHOLE_RUN_MS }, async (defect) => {
  const { left, leaked } = await leftoversOf({ defects: [defect] }, { only })
  expect(left).toEqual({ sessions: [], worlds: [], characters: [] })
  expect(leaked).toEqual([])
})

test.concurrent.each([
  'avatar-sessions.close.leaves-active',
  'world-sessions.close.leaves-active',
  'characters.delete.accepted',
])('what the target does not end is told where it has the mistake %s', { timeout: WHOLE_RUN_MS }, async (defect) => {
  const one = await leftoversOf({ defects: [defect] }, { only })
  expect(one.leaked.length).toBeGreaterThan(0)
  expect(untoldOf(one)).toBe(0)
})
