import { createGunzip } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { at, Visitor } from '../visitor.ts'
import { GIANT } from './endless-bodies.ts'
import type { HostileServer } from './hostile-target.ts'
import { DEPTH, nastyText } from './nasty-text.ts'
import { exchange, type RawAnswer, requestLines } from './raw-exchange.ts'
import { targetNamed } from './target-named.ts'
import { HANG_MS } from '../hang.ts'

const PATH = '/v1/realtime-avatar/sessions'

async function against<T>(id: string, use: (server: HostileServer) => Promise<T>): Promise<T> {
  const server = await targetNamed(id).start()
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}

/** The raw answer to one request, cut off after `size` bytes. */
function answerOf(id: string, size = Infinity): Promise<RawAnswer> {
  const lines = requestLines(PATH, ...(size === Infinity ? ['Connection: close'] : []))
  return against(id, (server) => exchange(server, lines, size))
}

function replyOf(
  id: string,
): Promise<{ status: number; code: unknown; message: unknown; data: unknown; headers: object }> {
  return against(id, async (server) => {
    const visitor = new Visitor(server)
    const reply = await visitor.send('POST', PATH, server.keys.primary, {})
    await visitor.close()
    return reply
  })
}

test.concurrent.each([
  ['empty-success', 200, 0],
  ['error-30004', 400, 30004],
  ['error-99999', 400, 99999],
  ['error-10003', 401, 10003],
  ['throttle-zero', 429, 10008],
  ['throttle-hour', 429, 10008],
  ['throttle-bare', 429, 10008],
  ['crash-enveloped', 500, 50000],
  ['fixed-create-text', 200, 0],
  ['fixed-create-video', 200, 0],
  ['proto-keys', 200, 0],
  ['nasty-success', 200, 0],
  ['nasty-error', 200, 30004],
  ['deep-json', 200, 0],
  ['invalid-utf8', 200, 30004],
  ['empty-object', 200, undefined],
  ['array-body', 200, undefined],
  ['code-string', 200, '0'],
  ['code-huge', 200, Infinity],
] as const)('%s answers %i with code %s', async (id, status, code) => {
  expect(await replyOf(id)).toMatchObject({ status, code })
})

test.concurrent.each([
  ['throttle-zero', '0'],
  ['throttle-hour', '3600'],
  ['throttle-bare', undefined],
])('%s says Retry-After: %s', async (id, value) => {
  expect(at((await replyOf(id)).headers, 'retry-after')).toBe(value)
})

test.concurrent.each([
  ['html-ok', '200 OK', '<!doctype html>'],
  ['html-bad-gateway', '502 Bad Gateway', '<!doctype html>'],
  ['crash-bare', '500 Internal Server Error', ''],
  ['no-content', '204 No Content', ''],
])('%s answers %s with %j', async (id, status, body) => {
  const answer = await answerOf(id)
  expect(answer.head).toContain(status)
  expect(answer.body.toString()).toContain(body)
})

test.concurrent('fixed-create answers are whole sessions whose control.url names the server', async () => {
  const { data } = await replyOf('fixed-create-video')
  expect(data).toMatchObject({ session: { mode: 'video_avatar' }, delivery: { media: { transport: 'rtc_a' } } })
  expect(at(data, 'control', 'url')).toMatch(/^wss:\/\/127\.0\.0\.1:\d+\/v1\/realtime-avatar\/control\?session_id=/)
})

test.concurrent('deep-json is as deep as it says, proto-keys carries the keys, nasty texts arrive unharmed', async () => {
  expect((await answerOf('deep-json')).body.toString().split('[')).toHaveLength(DEPTH + 1)
  expect((await answerOf('proto-keys')).body.toString()).toContain('"__proto__":{"polluted":true')
  expect((await replyOf('nasty-error')).message).toBe(nastyText)
  expect(at((await replyOf('nasty-success')).data, 'session_id')).toBe(nastyText)
  expect(nastyText).toContain('\u001b[31m')
})

test.concurrent('invalid-utf8 is not UTF-8', async () => {
  const { body } = await answerOf('invalid-utf8')
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow(TypeError)
})

test.concurrent('giant-body declares 1 GiB and delivers', async () => {
  const { head, body, ended } = await answerOf('giant-body', 4 << 20)
  expect(head.toLowerCase()).toContain(`content-length: ${GIANT}`)
  expect([ended, body.length > 4_000_000]).toEqual(['enough', true])
})

test.concurrent('gzip-bomb is small and expands to more than 1 GiB', async () => {
  const { head, body } = await answerOf('gzip-bomb')
  expect(head).toContain('content-encoding: gzip')
  expect(body.length).toBeLessThan(4 << 20)
  const gunzip = createGunzip({ chunkSize: 1 << 20 })
  let size = 0
  gunzip.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  gunzip.end(body)
  await new Promise((resolve) => gunzip.once('end', resolve))
  expect(size).toBeGreaterThan(GIANT)
})

test.concurrent('endless-chunks goes on and on', async () => {
  const { head, body } = await answerOf('endless-chunks', 4 << 20)
  expect(head.toLowerCase()).toContain('transfer-encoding: chunked')
  expect(body.length).toBeGreaterThan(4_000_000)
})

test.concurrent('dribbled-body sends single bytes', async () => {
  const { body } = await against('dribbled-body', (server) =>
    exchange(server, requestLines(PATH), 'HTTP/1.1 200 OK'.length * 12),
  )
  expect(body.toString()).toMatch(/^1\r\n\{\r\n/)
})

test.concurrent('half-body closes before its declared end', async () => {
  const { head, body, ended } = await answerOf('half-body', 1 << 20)
  expect(ended).toBe('closed')
  expect(head).toContain('content-length: 4096')
  expect(body.length).toBeLessThan(4096)
})

test.concurrent('informational-flood sends 103 after 103', async () => {
  const { head, body } = await answerOf('informational-flood', 50_000)
  expect(head).toMatch(/^HTTP\/1\.1 103/)
  expect(body.toString()).not.toContain('HTTP/1.1 200')
})

test.concurrent('odd heads arrive as they were written', async () => {
  expect((await answerOf('duplicate-headers', 120)).head.match(/retry-after/gi)).toHaveLength(2)
  expect((await answerOf('duplicate-lengths', 100)).head.match(/content-length/gi)).toHaveLength(2)
  expect((await answerOf('long-headers', 102_400)).head.length).toBeGreaterThan(102_000)
})

test.concurrent.each([302, 307, 308])('redirect-%i leads to a foreign host that counts visits', async (status) => {
  await against(`redirect-${status}`, async (server) => {
    const { head } = await exchange(server, requestLines(PATH, 'Connection: close'), Infinity)
    const location = /location: (\S+)/.exec(head)?.[1] ?? ''
    expect([head.includes(`HTTP/1.1 ${status}`), server.stats.foreign]).toEqual([true, 0])
    const visitor = new Visitor({ ...server, base_url: new URL(location).origin })
    expect(await visitor.send('GET', PATH)).toMatchObject({ message: 'foreign' })
    await visitor.close()
    expect(server.stats.foreign).toBe(1)
  })
})

test.concurrent.each([
  ['tls-wrong-name', /altnames|does not match/i],
  ['tls-unknown-issuer', /self-signed/i],
  ['plain-on-tls-port', /ssl|packet|wrong version/i],
  ['socket-closed', /ECONNRESET|disconnected|closed|EPIPE/i],
  ['socket-garbage', /ssl|packet|wrong version/i],
])('%s never gets as far as HTTP', async (id, reason) => {
  await expect(answerOf(id)).rejects.toThrow(reason)
})

test.concurrent.each(['silent', 'socket-silent'])('%s says nothing until it is stopped', async (id) => {
  const server = await targetNamed(id).start()
  const waiting = exchange(server, requestLines(PATH), 1).then(
    (answer) => answer.head,
    () => '',
  )
  const seen = (): number => (id === 'silent' ? server.stats.requests : server.stats.connections)
  await vi.waitFor(() => expect(seen()).toBe(1), HANG_MS)
  await server.stop()
  expect(await waiting).toBe('')
})
