import { outcome, rejection } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { accepted, answer, any, equals, oneOf, value } from '#trace/conditions'
import { world as minimal } from '#scenario/author/bodies'
import { ask, sendKeyed, settled, worldOf } from '../send.ts'

const asked_s = 10
/** A longer life than this is not waited for. */
const longest_ms = 60_000

/** "Time after which the session can no longer be used" (2.11). */
export const expiry = scenario({
  id: 'world-sessions.expiry',
  tier: 'full',
  runs: 'long',
  needs: { abilities: ['world_sessions'] },
  price: { requests: { primary: 6 }, waits: 25 },
  claims: [
    'world-sessions.expiry.not-active-after',
    'world-sessions.expiry.no-secrets-after',
    'world-sessions.code-20005.client-secret-expired',
  ],
  async drive(c) {
    const made = await sendKeyed(c, minimal({ max_session_duration_seconds: asked_s }))
    const world = worldOf(made)
    if (world === undefined) {
      return c.block(made.code === 30004 ? 'model_choice' : 'prerequisite', `a life of ${asked_s} s was refused`)
    }
    const began = performance.now()
    const ready = await settled(c, world)
    const before = await ask(c, 'create-client-secret', world)
    const life = lifeOf(ready.data['created_at'], ready.data['expires_at'])
    if (!(life <= longest_ms)) return c.block('model_choice', `the session is to last ${Math.round(life / 1000)} s`)
    const rest = life + c.timeouts.auto_close_grace_ms - (performance.now() - began)
    await c.wait(Math.max(1, rest), 'timer')
    await ask(c, 'get-world-session', world, { expect: outcome('world-sessions.expiry.not-active-after', isOver) })
    if (!before.ok) return c.block('model_choice', 'the session was over before it could be used')
    const expect = rejection({
      rows: 'world-sessions.expiry.no-secrets-after',
      coded: 'world-sessions.code-20005.client-secret-expired',
      codes: [20005],
      control: accepted(before.exchange),
    })
    await ask(c, 'create-client-secret', world, { expect })
  },
})

/** Get finds it no more, or tells of an end. */
const isOver = (exchange: number) =>
  any(
    equals(answer(exchange, '/code'), value(20005)),
    equals(answer(exchange, '/data/status'), oneOf('closing', 'closed', 'failed')),
  )

/** Milliseconds from creation to expiry, by the target's own clock; not a number where it tells neither. */
function lifeOf(created: unknown, expires: unknown): number {
  return Date.parse(String(expires)) - Date.parse(String(created))
}
