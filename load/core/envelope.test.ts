import { expect, test } from 'vitest'
import { readCreated } from './envelope.ts'

const session = { session_id: 's', control: { url: 'wss://127.0.0.1/', client_secret: 'x' }, status: 'active' }

test('a session is read from its envelope', () => {
  expect(readCreated(200, JSON.stringify({ code: 0, message: 'ok', data: session }))).toEqual({
    session: { id: 's', url: 'wss://127.0.0.1/', secret: 'x' },
  })
})

test.each<[number, string, string]>([
  [0, '', 'network'],
  [503, '', 'http-5xx'],
  [502, '{"code":30007,"message":"clone"}', 'http-5xx'],
  [429, '{"code":30008,"message":"capacity"}', '30008'],
  [200, '{"code":30004,"message":"invalid"}', '30004'],
  [200, '{"code":0,"message":"ok","data":{}}', 'no-envelope'],
  [200, '{"code":0,"message":"ok","data":null}', 'no-envelope'],
  [200, '<html>', 'no-envelope'],
  [404, 'null', 'no-envelope'],
])('%d %s is refused as %s', (status, body, refusal) => {
  expect(readCreated(status, body)).toEqual({ refusal })
})
