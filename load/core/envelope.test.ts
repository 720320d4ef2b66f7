import { expect, test } from 'vitest'
import { readEnvelope, sessionIn, succeeded } from './envelope.ts'

const session = { session_id: 's', control: { url: 'wss://127.0.0.1/', client_secret: 'x' }, status: 'active' }
const body = (code: unknown, data?: unknown): string => JSON.stringify({ code, message: 'said', data })

test('a session is read from its envelope', () => {
  expect(sessionIn(readEnvelope(200, body(0, session)))).toEqual({ id: 's', url: 'wss://127.0.0.1/', secret: 'x' })
})

test.each<[number, string, string]>([
  [0, '', 'network'],
  [503, '', 'no-envelope'],
  [502, body(30_007), '30007'],
  [429, body(30_008), '30008'],
  [200, body(30_004), '30004'],
  [200, '<html>', 'no-envelope'],
  [404, 'null', 'no-envelope'],
  [200, body('0'), 'no-envelope'],
])('%d %s has the code %s and no session', (status, text, code) => {
  const answer = readEnvelope(status, text)
  expect(answer.code).toBe(code)
  expect([succeeded(answer), sessionIn(answer)]).toEqual([false, undefined])
})

test.each([{}, null, { ...session, control: {} }, { ...session, session_id: 7 }])('%j holds no session', (data) => {
  const answer = readEnvelope(200, body(0, data))
  expect([succeeded(answer), sessionIn(answer)]).toEqual([true, undefined])
})

test('success in the words of a failed server is none', () => {
  expect(succeeded(readEnvelope(500, body(0, session)))).toBe(false)
})
