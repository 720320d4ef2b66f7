import { expect, test } from 'vitest'
import { lavish, Run } from '#testing/hand-made-worlds'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { rules } from '../rules.ts'

const brokenIn = (run: Run): readonly string[] =>
  [...saidOf(rules, run.trace)].flatMap((one) => (one.startsWith('broken') ? [one.replace('broken world-', '')] : []))

/** A session that carries much is closed, and read afterwards with these changes. */
function closed(answer: 'closing' | 'closed', ...reads: readonly JsonObject[]): Run {
  const run = new Run((what, data) => (what.startsWith('get') ? { ...data, ...reads[Number(what.at(-1)) - 1] } : data))
  const made = run.create('w', lavish)
  run.trace.pass(3_000)
  run.call('close-world-session', { session_id: 'w', status: answer }, {}, 'w')
  for (const _ of reads) {
    run.trace.pass(3_000)
    run.get(made)
  }
  return run
}

test('a session that failed is answered with closed when it is closed, and goes on to show that it failed', () => {
  const final = 'sessions.close.closed-is-final'
  expect(brokenIn(closed('closed', { status: 'failed' }))).toEqual([])
  expect(brokenIn(closed('closing', { status: 'closed' }, { status: 'failed' }))).toEqual([final])
  expect(brokenIn(closed('closed', { status: 'closing' }))).toEqual([final])
})

test('a session that is over may show nothing of what it held, but nothing else', () => {
  const off = { audio: { enabled: false, transcription: true } }
  const none = { references: [], metadata: {}, live_input: off, output: { resolution: '', fps: 0, captions: false } }
  expect(brokenIn(closed('closed', { status: 'closed', ...none }))).toEqual([])
  expect(brokenIn(closed('closed', { status: 'closed', references: [{ name: 'other' }] }))).toEqual([
    'sessions.get.same-references',
  ])
})
