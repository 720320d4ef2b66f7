import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, answer, any, equals, oneOf, rejected, value } from '#trace/conditions'
import { merged, minimal } from '../bodies.ts'
import { ask, sendKeyed, settled, worldOf } from '../send.ts'

const asked_s = 10
/** A longer life than this is not waited for. */
const longest_ms = 60_000

/** "Time after which the session can no longer be used" (2.11). */
export const expiry: Scenario = {
  id: 'world-sessions.expiry',
  tier: 'full',
  runs: 'long',
  needs: { abilities: ['world_sessions'] },
  price: { requests: { primary: 6 }, waits: 25 },
  proves: [
    'world-sessions.expiry.not-active-after',
    'world-sessions.expiry.no-secrets-after',
    'world-sessions.code-20005.client-secret-expired',
  ],
  async drive(c: Context) {
    const made = await sendKeyed(c, merged(minimal(), { max_session_duration_seconds: asked_s }))
    const world = worldOf(made)
    if (world === undefined) {
      c.block(made.code === 30004 ? 'model_choice' : 'prerequisite', `a life of ${asked_s} s was refused`)
    }
    const began = performance.now()
    const ready = await settled(c, world)
    const [before, get, secret] = [c.exchange(), c.exchange(), c.exchange()]
    const shown = await ask(c, 'create-client-secret', world, { exchange: before })
    const life = lifeOf(ready.data['created_at'], ready.data['expires_at'])
    if (!(life <= longest_ms)) c.block('model_choice', `the session is to last ${Math.round(life / 1000)} s`)
    const rest = life + c.timeouts.auto_close_grace_ms - (performance.now() - began)
    await c.wait(Math.max(1, rest), 'timer')
    const gone = equals(answer(get, '/code'), value(20005))
    const over = equals(answer(get, '/data/status'), oneOf('closing', 'closed', 'failed'))
    c.claim('world-sessions.expiry.not-active-after', any(gone, over))
    await ask(c, 'get-world-session', world, { exchange: get })
    if (!shown.ok) c.block('model_choice', 'the session was over before it could be used')
    c.claim('world-sessions.expiry.no-secrets-after', rejected(secret, accepted(before)))
    c.claim('world-sessions.code-20005.client-secret-expired', rejected(secret, accepted(before), [20005]))
    await ask(c, 'create-client-secret', world, { exchange: secret })
  },
}

/** Milliseconds from creation to expiry, by the target's own clock; not a number where it tells neither. */
function lifeOf(created: unknown, expires: unknown): number {
  return Date.parse(String(expires)) - Date.parse(String(created))
}
