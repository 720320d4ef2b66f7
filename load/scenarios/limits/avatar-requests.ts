import type { RestRequest } from '../machine.ts'

const SESSIONS = '/v1/realtime-avatar/sessions'

/** Seconds after which the target itself closes a session that we lost. */
const LOST_AFTER_S = 180

/** A session whose idempotency key ends so is closed by the target itself as soon as may be asked for (4.1). */
export const ENDS_SOON = '-ends'
export const SOON_S = 10

export const listRequest: RestRequest = { operation: 'list-avatar-sessions', method: 'GET', path: SESSIONS }

/**
 * How the end of a session is asked for. A timeout "must not exceed the effective maximum session duration" (4.1), whose
 * default is not shown: where it is shorter, as long a duration is named, or nothing at all where that is more than there is.
 */
export const endings = ['timeout', 'duration-and-timeout', 'none'] as const
export type Ending = (typeof endings)[number]

/**
 * `POST /v1/realtime-avatar/sessions` for a text session (4.1), whose avatar bears the idempotency key. In other words it has
 * another key: a service may remember what it refused.
 */
export function createRequest(idempotencyKey: string, ending: Ending): RestRequest {
  const seconds = idempotencyKey.endsWith(ENDS_SOON) ? SOON_S : ending === 'none' ? undefined : LOST_AFTER_S
  return {
    operation: 'create-avatar-session',
    method: 'POST',
    path: SESSIONS,
    body: {
      model: 'svc-a1-stream',
      idempotency_key: ending === endings[0] ? idempotencyKey : `${ending}-${idempotencyKey}`,
      session: { mode: 'text_chat' },
      avatars: [{ avatar_id: idempotencyKey }],
      ...(seconds === undefined ? {} : { auto_close: { disconnected_timeout_seconds: seconds } }),
      ...(ending === 'duration-and-timeout' ? { max_duration_seconds: LOST_AFTER_S } : {}),
    },
  }
}

export function sessionRequest(
  operation: string,
  { id }: { readonly id: string },
): Pick<RestRequest, 'operation' | 'path'> {
  const path = `${SESSIONS}/${encodeURIComponent(id)}`
  return { operation, path: operation === 'close-avatar-session' ? `${path}/close` : path }
}
