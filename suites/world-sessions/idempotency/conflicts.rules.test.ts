import { expect, test } from 'vitest'
import { session, Run } from '#testing/hand-made-worlds'
import { world as minimal } from '#scenario/author/bodies'
import { saidOf } from '#testing/said-of'
import type { JsonObject } from '#trace/json'
import { conflicts } from './conflicts.rules.ts'
import { idempotency } from './idempotency.rules.ts'

const part = 'world-sessions.idempotency'
const body = minimal({ idempotency_key: 'k-1', metadata: { take: 'one', scene: 'sea' } })
const other = { ...body, initial_prompt: { content: [{ type: 'input_text', text: 'A storm.' }] } }
const inside = { ...body, metadata: { take: 'two', scene: 'sea' } }

/** A create, what is sent with its key then, and the result of that: a session or a code. */
function saying(...later: readonly (readonly [body: JsonObject, result: string | number])[]): readonly string[] {
  const run = new Run()
  run.call('create-world-session', session('w-1'), body)
  for (const [sent, result] of later) {
    run.call('create-world-session', typeof result === 'number' ? result : session(result), sent)
  }
  return [...saidOf([conflicts, idempotency], run.trace)].toSorted()
}

test('another body that is taken is told, by what differs', () => {
  expect(saying([other, 'w-1'])).toContain(`broken ${part}.other-body-conflict`)
  expect(saying([other, 'w-2'])).toContain(`broken ${part}.other-body-conflict`)
  expect(saying([inside, 'w-1'])).toContain(`broken ${part}.other-nested-value-conflict`)
})

test('another body that is refused bears the rows out, its code if it is 30004', () => {
  expect(saying([other, 30004])).toEqual([`held ${part}.conflict-code`, `held ${part}.other-body-conflict`])
  expect(saying([inside, 20004])).toEqual([`broken ${part}.conflict-code`, `held ${part}.other-nested-value-conflict`])
})

test('a refusal for want of something, or of a body that is wrong by itself, tells nothing', () => {
  expect(saying([other, 10008], [other, 30008], [{ ...other, initial_prompt: {} }, 20004])).toEqual([])
})

test('the same members in another order are no other body for sure', () => {
  const turned = { ...body, metadata: { scene: 'sea', take: 'one' } }
  expect(saying([turned, 'w-1'])).toEqual([`held ${part}.retry-same-session`])
  expect(saying([turned, 30004])).toEqual([])
})

test('after a conflict the first body gives the first session', () => {
  expect(saying([other, 30004], [body, 'w-1'])).toContain(`held ${part}.conflict-changes-nothing`)
  expect(saying([other, 30004], [body, 'w-2'])).toContain(`broken ${part}.conflict-changes-nothing`)
})

test('once its session was asked to close a key may stand for anything', () => {
  const run = new Run()
  run.call('create-world-session', session('w-1'), body)
  run.call('close-world-session', { session_id: 'w-1', status: 'closing' }, {}, 'w-1')
  run.call('create-world-session', session('w-2'), other)
  expect([...saidOf([conflicts], run.trace)]).toEqual([])
})
