import { outcome } from '#scenario/author/expectation'
import { step } from '#scenario/author/step'
import { accepted, answer, same } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { tryBegin } from '../acts.ts'

export const retried = 'characters.session.retry-same-session'

/** With its key, a start with overrides makes no second session either. */
export const startTwice = step([retried], async (c, body: JsonObject) => {
  const session = await tryBegin(c, body)
  if (session === undefined) return
  const idOf = (start: number) => answer(start, '/data/session_id')
  const expect = outcome(
    retried,
    (again) => same(idOf(session.exchange), idOf(again)),
    (again) => ({ onlyIf: [accepted(again)] }),
  )
  // At the concurrency limit a repeated start may be told so.
  const received = await c.call('create-session-from-character', { body, retry: 'never', expect })
  const other = received.ok ? c.adopt(received) : session
  if (other.id !== session.id) await c.close(other)
  await c.close(session)
})
