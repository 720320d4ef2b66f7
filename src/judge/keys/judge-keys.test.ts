import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { indexTrace } from '../trace-index.ts'
import { judgeKeys } from './judge-keys.ts'

const row = 'characters.session.retry-same-session'
const starts = {
  create: 'create-session-from-character',
  close: 'close-avatar-session',
  comparesBodies: false,
  rows: { again: row },
} as const

const data = (session_id: string, more = {}) => ({ body: { code: 0, message: 'ok', data: { session_id, ...more } } })

/** What two starts with one key come to that make a session each, where Get shows this of the first one. */
function secondSession(status: string, closedBefore = false): readonly string[] {
  const trace = new TraceBuilder()
  const body = { character_id: 'chr_1', idempotency_key: 'k' }
  const path = '/v1/realtime-avatar/character-sessions'
  const first = '/v1/realtime-avatar/sessions/ses_1'
  trace.rest('create-session-from-character', data('ses_1'), body, 'primary', path)
  trace.rest('create-session-from-character', data('ses_2'), body, 'primary', path)
  if (closedBefore) trace.rest('close-avatar-session', data('ses_1'), {}, 'primary', `${first}/close`)
  trace.rest('get-avatar-session', data('ses_1', { status }), {}, 'primary', first)
  const broken: string[] = []
  const ignored = (): void => undefined
  judgeKeys(indexTrace(trace.entries), starts, {
    held: ignored,
    unobserved: ignored,
    saw: ignored,
    broken: (id) => void broken.push(id),
  })
  return broken
}

test('the key of a session that ended by itself may make another one', () => {
  expect(secondSession('failed')).toEqual([])
  expect(secondSession('closed')).toEqual([])
})

test('that of one which goes on, or ended because we closed it afterwards, may not', () => {
  expect(secondSession('active')).toEqual([row])
  expect(secondSession('closed', true)).toEqual([row])
})
