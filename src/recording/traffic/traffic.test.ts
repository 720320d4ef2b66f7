import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createRedactor } from '#trace/redact'
import { shownForm } from './form.ts'
import { keyNames } from './key-names.ts'
import { shownRequest } from './notes.ts'
import { isAvatarChannelPath, judgedAs, operationOf } from './operation.ts'
import { Repetitions } from './repetitions.ts'

test('a method and a path name the operation, whatever the query', () => {
  expect(operationOf('POST', '/v1/realtime-avatar/sessions')).toBe('create-avatar-session')
  expect(operationOf('GET', '/v1/characters?page_size=3')).toBe('list-characters')
  expect(operationOf('POST', '/v1/streaming-world/sessions/ws_1/close')).toBe('close-world-session')
  expect(operationOf('PATCH', '/v1/characters')).toBeNull()
  expect(operationOf('GET', '/favicon.ico')).toBeNull()
  expect(isAvatarChannelPath('/v1/realtime-avatar/control?session_id=s')).toBe(true)
})

test('a request with a query parameter of the service’s own is judged as none of the interface', () => {
  const judged = (path: string) => judgedAs(operationOf('GET', path), path)
  expect(judged('/v1/characters?page_size=3&page_token=a%26b')).toBe('list-characters')
  expect(judged('/v1/characters?page_size=3&sort=oldest')).toBeNull()
  expect(judged('/v1/realtime-avatar/sessions?status=closed')).toBeNull()
  expect(judged('/v1/realtime-avatar/sessions')).toBe('list-avatar-sessions')
})

test('a key has its name of the profile, one of its own, or none', () => {
  const redactor = createRedactor([])
  const keys = keyNames({ primary: 'sk-primary-key' }, redactor)
  expect(keys.nameOf('Bearer sk-primary-key')).toBe('primary')
  expect(keys.nameOf('Bearer sk-somebody-else')).toBe('unlisted-1')
  expect(keys.nameOf('Bearer sk-a-third-key')).toBe('unlisted-2')
  expect(keys.nameOf('Bearer sk-somebody-else')).toBe('unlisted-1')
  expect(keys.nameOf(undefined)).toBe('none')
  expect(keys.nameOf('Basic c2VjcmV0')).toBe('malformed')
  expect(redactor.text('sk-somebody-else')).toMatch(/^\[api_key \d+\]$/)
})

test('each key beyond those that are remembered has a name of its own, the same each time', () => {
  const keys = keyNames({}, createRedactor([]))
  const of = (number: number): string => keys.nameOf(`Bearer sk-tenant-number-${number}`)
  for (let number = 0; number < 1_000; number += 1) of(number)
  expect(of(1_001)).toMatch(/^unlisted-[0-9a-f]{16}$/)
  expect(of(1_001)).toBe(of(1_001))
  expect(of(1_001)).not.toBe(of(1_002))
})

test('what a client compresses is read, and what an archive shows without its coding stays as it is', async () => {
  const body = { model: 'm', idempotency_key: 'k' }
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  expect(await shownRequest(gzipSync(bytes), headers)).toEqual({ body })
  expect(await shownRequest(bytes, headers)).toEqual({ body })
})

test('a credential in another form than that of 5.1 is hidden', () => {
  const keys = keyNames({}, createRedactor([]))
  expect(keys.shown('Basic c2VjcmV0')).toBe('Basic (hidden)')
  expect(keys.shown('sk-bare-secret')).toBe('(hidden)')
})

test('the same request soon after a fault is a further attempt; any other is one of its own', () => {
  const repetitions = new Repetitions()
  let last = 0
  const next = (): number => (last += 1)
  const first = repetitions.begin('create', 0, next)
  expect(first).toEqual({ exchange: 1, attempt: 1 })
  repetitions.troubled('create', { ...first, t: 10 })
  expect(repetitions.begin('create', 500, next)).toEqual({ exchange: 1, attempt: 2 })
  expect(repetitions.begin('create', 600, next)).toEqual({ exchange: 2, attempt: 1 })
  repetitions.troubled('list', { exchange: 2, attempt: 1, t: 700 })
  expect(repetitions.begin('list', 700_000, next)).toEqual({ exchange: 3, attempt: 1 })
})

test('of a form its parts are shown, not their bytes', async () => {
  const form = new FormData()
  form.append('file', new File(['RIFFsecret'], 'voice.wav', { type: 'audio/wav' }))
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const shown = await shownForm(new Uint8Array(await request.arrayBuffer()), request.headers.get('content-type') ?? '')
  expect(shown).toMatchObject({
    multipart: [{ name: 'file', filename: 'voice.wav', content_type: 'audio/wav', bytes: 10 }],
  })
  expect(JSON.stringify(shown)).not.toContain('RIFFsecret')
  expect(await shownForm(Buffer.from('{}'), 'application/json')).toBeUndefined()
})
