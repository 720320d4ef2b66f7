import { tokenBucket } from '#target/behaviour/access/rate'
import type { Session } from '#target/sessions/session'
import { defectsOf } from '../table.ts'

const EDGE = 8

const authentication = defectsOf('authentication', {
  'invalid-key.near-miss~middle': [
    'A key counts by its length, its beginning and its end.',
    ({ access }) => {
      access.accountOf = (secret, accounts) =>
        accounts.find(
          ({ secret: known }) =>
            known.length === secret.length &&
            known.startsWith(secret.slice(0, EDGE)) &&
            known.endsWith(secret.slice(-EDGE)),
        )
    },
  ],
})

const errors = defectsOf('errors', {
  'code-10008.retry-after-truthful~second': [
    'Only the first refusal tells the ten seconds that are needed, later ones tell a second.',
    ({ rate }) => {
      rate.decide = (state, perMinute, now) => {
        const [until = 0] = state.times
        if (now < until) return { admitted: false, retryAfterSeconds: 1 }
        const decision = tokenBucket(state, perMinute, now)
        if (decision.admitted) return decision
        state.times = [now + 10_000]
        return { admitted: false, retryAfterSeconds: 10 }
      }
    },
  ],
  'envelope.failures-wrapped~not-json': [
    'A body that is no JSON is answered outside the envelope.',
    ({ http }) => {
      const { failure } = http
      http.failure = (code, message, operation) =>
        message.includes('not a JSON object') ? { error: message } : failure(code, message, operation)
    },
  ],
})

const limits = defectsOf('limits', {
  'concurrency.slot-free-when-closed~repeated': [
    'A create that was repeated takes a second slot, which no close frees.',
    ({ quota, views }) => {
      const lost = new Map<string, number>()
      const { cap } = quota
      const id = views.replayed['session_id']
      views.replayed['session_id'] = (session: Session, address) => {
        const { workspace } = session.account
        lost.set(workspace, (lost.get(workspace) ?? 0) + 1)
        return id?.(session, address)
      }
      quota.cap = (account, configured) => cap(account, configured) - (lost.get(account.workspace) ?? 0)
    },
  ],
})

/** Keys, limits and envelopes that are wrong only for some. */
export const subtleAccountDefects = [...authentication, ...errors, ...limits]
