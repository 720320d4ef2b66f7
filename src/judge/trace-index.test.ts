import { expect, test } from 'vitest'
import type { Entry } from '#trace/entry'
import { answerOf } from './answers.ts'
import { indexTrace } from './trace-index.ts'

test('an exchange that was sent again under its number keeps each answer with its request', () => {
  const common = { exchange: 1, attempt: 1 } as const
  const request = {
    kind: 'request',
    ...common,
    operation: 'create-avatar-session',
    method: 'POST',
    path: '/',
    key: 'primary',
    headers: {},
  } as const
  const response = { kind: 'response', ...common, headers: {}, bytes: 1 } as const
  const entries: Entry[] = [
    { ...request, t: 1 },
    { ...response, t: 2, status: 429, body: { code: 30006, message: 'full' } },
    { ...request, t: 3 },
    { ...response, t: 4, status: 200, body: { code: 0, message: 'ok', data: { session_id: 's' } } },
  ]
  const record = indexTrace(entries).exchanges.get(1)
  expect(record?.attempts.map((attempt) => attempt.response?.entry.status)).toEqual([429, 200])
  expect(answerOf(record).kind).toBe('success')
})
