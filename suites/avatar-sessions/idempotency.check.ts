import type { Context } from '../../src/scenario/context.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { accepted } from '../../src/trace/conditions.ts'
import { textChat } from './bodies.ts'

/** The same create again with its key, one after the other and all at once, and after an answer that nobody waited for. */
export const retries: Scenario = {
  id: 'avatar-sessions.create-retried',
  price: { requests: { primary: 10 }, sessions: { primary: 1 } },
  proves: [
    'avatar-sessions.idempotency.retry-same-session',
    'avatar-sessions.idempotency.concurrent-one-session',
    'avatar-sessions.idempotency.other-key-other-session',
  ],
  async drive(c) {
    const sequential = { ...textChat(), idempotency_key: c.id('again') }
    const first = await c.create(sequential)
    await c.attempt(sequential, { retry: 'never' })
    await c.close(first)
    await race(c)
  },
}

/** Four creates at once with one key, then one more: again with another key while the workspace is full. */
async function race(c: Context): Promise<void> {
  for (let pause = 300; ; pause *= 1.6) {
    const body = { ...textChat(), idempotency_key: c.id('volley') }
    const answers = await Promise.all([1, 2, 3, 4].map(() => c.attempt(body, { retry: 'never' })))
    if (answers.some((answer) => answer.ok) || pause > 8_000) {
      await c.attempt(body)
      return
    }
    await c.wait(pause, 'quota')
  }
}

/** How long a create may take before it is given up: too short for most answers, long enough to be sent. */
const impatience_ms = 1
/** A target may be quicker than that; after so many tries it is left alone. */
const tries = 3

export const givenUp: Scenario = {
  id: 'avatar-sessions.create-given-up',
  price: { requests: { primary: 5 }, sessions: { primary: 1 } },
  proves: ['avatar-sessions.idempotency.after-timeout-one-session', 'errors.retry.after-timeout-same-key'],
  async drive(c) {
    await c.call('list-avatar-sessions')
    for (let round = 1; round <= tries; round += 1) {
      const body = { ...textChat(), idempotency_key: c.id('given-up') }
      const lost = await c.attempt(body, { retry: 'never', deadline_ms: impatience_ms })
      if (lost.failure === undefined && round < tries) {
        if (lost.ok) await c.close(c.adopt(lost))
        continue
      }
      const exchange = c.exchange()
      c.claim('errors.retry.after-timeout-same-key', accepted(exchange))
      await c.create(body, { exchange })
      await c.attempt(body)
      return
    }
  },
}

export const idempotencyChecks: readonly Scenario[] = [retries, givenUp]
