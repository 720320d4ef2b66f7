import http, { type Response } from 'k6/http'
import { type Created, readCreated } from '../core/envelope.ts'
import type { Settings } from './settings.ts'

/** Seconds after which the target itself closes a session that we lost. */
const LOST_AFTER_S = 60

/** `POST /v1/realtime-avatar/sessions` for a text session (4.1). Blocks, so no socket may be open. */
export function createSession(settings: Settings, idempotencyKey: string): Created {
  const body = {
    model: 'svc-a1-stream',
    idempotency_key: idempotencyKey,
    session: { mode: 'text_chat' },
    avatars: [{ avatar_id: 'ada' }],
    auto_close: { disconnected_timeout_seconds: LOST_AFTER_S },
  }
  const answer = post(settings, 'create-avatar-session', '/v1/realtime-avatar/sessions', JSON.stringify(body))
  return readCreated(answer.status, typeof answer.body === 'string' ? answer.body : '')
}

/**
 * `POST /v1/realtime-avatar/sessions/{session_id}/close`. Blocks, so no socket may be open. Once more when no answer
 * comes, since a connection that was kept alive may have gone meanwhile.
 */
export function closeSession(settings: Settings, id: string): void {
  const path = `/v1/realtime-avatar/sessions/${encodeURIComponent(id)}/close`
  const { status } = post(settings, 'close-avatar-session', path, '{}')
  if (status === 0) post(settings, 'close-avatar-session', path, '{}')
}

function post({ target, apiKey, workload }: Settings, name: string, path: string, body: string): Response {
  return http.post(`${target.base}${path}`, body, {
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    // As a tag, the address would make a time series of every session.
    tags: { name },
    redirects: 0,
    responseType: 'text',
    timeout: workload.patience_ms,
  })
}
