import type { Scenario } from '../../src/scenario/scenario.ts'
import { any, before } from '../../src/trace/conditions.ts'
import { textChat } from './bodies.ts'
import { lookUntilOver, saysOver } from './ending.ts'
import { startAt, waitUntil } from './timers.ts'

/** The shortest duration that section 8 allows. */
const seconds = 4

/** `Date` tells whole seconds only, and looks are some seconds apart. */
const clock_ms = 3_000

export const expiry: Scenario = {
  id: 'avatar-sessions.expiry',
  tier: 'full',
  runs: 'long',
  price: { requests: { primary: 10 }, sessions: { primary: 1 }, waits: 20 },
  proves: ['avatar-sessions.expiry.max-duration-ends-session', 'avatar-sessions.expiry.expires-at-ends-session'],
  async drive(c) {
    const session = await c.create({ ...textChat(), max_duration_seconds: seconds })
    const start = startAt({ exchange: session.exchange, edge: 'answered' })
    await waitUntil(c, start, seconds * 1_000 + 500)
    const last = await lookUntilOver(c, session, c.timeouts.auto_close_grace_ms + clock_ms)
    const limit = { ...start.point, plus_ms: seconds * 1_000 + c.timeouts.auto_close_grace_ms }
    const late = any(saysOver(last), before(limit, { exchange: last, edge: 'answered' }))
    c.claim('avatar-sessions.expiry.max-duration-ends-session', saysOver(last), {
      given: [late],
      given_code: 'model_choice',
    })
  },
}
