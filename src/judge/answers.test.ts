import { describe, expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { answerOf } from './answers.ts'
import { indexTrace } from './trace-index.ts'

/** What an exchange comes to whose first attempt is lost, and whose second is refused by this code. */
function afterLost(operation: string, code: number, body = {}, status = 409) {
  const trace = new TraceBuilder()
  const exchange = trace.rest(operation, 'timeout', body)
  trace.again(exchange, { status, body: { code, message: 'refused' } })
  return answerOf(indexTrace(trace.entries).exchanges.get(exchange)).kind
}

const keyed = { idempotency_key: 'k' }

describe('what is refused after an attempt that got no answer', () => {
  test.each([
    ['a close, as what it ends has ended', 'close-avatar-session', 20005, {}],
    ['a create by an unlisted code, as its key is taken', 'create-avatar-session', 40901, keyed],
    ['a clone for its name, as it is taken', 'clone-voice', 20004, { name: 'Ada' }],
    ['a world by the code of a conflict, as its key is taken', 'create-world-session', 30004, keyed],
  ])('tells nothing: %s', (_, operation, code, body) => {
    expect(afterLost(operation, code, body)).toBe('transport-failure')
  })

  test.each([
    ['its body', 'create-avatar-session', 30004, keyed],
    ['its file', 'clone-voice', 20005, { name: 'Ada' }],
    ['its access', 'create-world-session', 10009, keyed],
    ['a create without a key', 'create-avatar-session', 40901, {}],
  ])('is refused for %s', (_, operation, code, body) => {
    expect(afterLost(operation, code, body)).toBe('failure')
  })

  test.each([['create-avatar-session'], ['close-avatar-session']])(
    'is no refusal where the service failed over it: %s',
    (operation) => {
      expect(afterLost(operation, 50000, keyed, 500)).toBe('failure')
    },
  )
})
