import { createServer as createTcpServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { envelope, rig, type Rig } from '#testing/rigs/client-rig'
import { listen } from '#testing/listener'
import { HANG_MS } from '#testing/hang'
import type { ClientOptions } from '../options.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

/** A client whose target writes raw bytes to whoever sends something. */
async function raw(answer: (socket: Socket) => void, options: Partial<ClientOptions> = {}): Promise<Rig> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  const listener = await listen(server)
  const one = await rig(() => {}, { base_url: `http://127.0.0.1:${listener.port}`, ...options })
  ends.push(one.stop, listener.stop)
  return one
}

async function reasonOf(one: Rig, deadline_ms = HANG_MS): Promise<string | undefined> {
  const answer = await one.scope.rest('list-voices', { retry: 'never', deadline_ms })
  expect(answer).toMatchObject({ status: 0, ok: false, code: undefined })
  expect(one.of('failure')).toHaveLength(1)
  return answer.failure
}

const head = (more = '') => `HTTP/1.1 200 OK\r\n${more}\r\n`

test.each([
  ['garbage', 'SSH-2.0-OpenSSH\r\n'],
  ['a bad chunk', head('transfer-encoding: chunked\r\n') + 'zz\r\n'],
  ['two lengths', head('content-length: 1\r\ncontent-length: 2\r\n') + 'xx'],
  ['broken gzip', head('content-encoding: gzip\r\ncontent-length: 5\r\n') + 'hello'],
])('%s is a fault of the protocol', async (_, bytes) => {
  expect(await reasonOf(await raw((socket) => socket.end(bytes)))).toBe('protocol')
})

test.each([
  ['before an answer', ''],
  ['within the head', 'HTTP/1.1 200 OK\r\nx'],
  ['within the body', head('content-length: 10\r\n') + 'abc'],
])('a connection that ends %s is a reset', async (_, bytes) => {
  expect(await reasonOf(await raw((socket) => socket.end(bytes)))).toBe('reset')
})

test('a reset by TCP is a reset', async () => {
  expect(await reasonOf(await raw((socket) => socket.resetAndDestroy()))).toBe('reset')
})

test('nobody listening is refused, and counts as nothing sent', async () => {
  const one = await rig(() => {}, { base_url: 'http://127.0.0.1:1' })
  ends.push(one.stop)
  expect(await reasonOf(one)).toBe('refused')
  expect(one.client.traffic().rest_requests).toBe(0)
})

test('silence ends at the deadline', async () => {
  expect(await reasonOf(await raw(() => {}), 80)).toBe('timeout')
})

test('a handshake that never ends does not outlast the deadline', async () => {
  const silent = await listen(createTcpServer(() => {}))
  const one = await rig(() => {}, { base_url: `https://127.0.0.1:${silent.port}` })
  ends.push(one.stop, silent.stop)
  expect(await reasonOf(one, 80)).toBe('timeout')
})

test.each([
  ['head', 'HTTP/1.1 200 OK\r\nx-long: ', 'x'],
  ['body', head('transfer-encoding: chunked\r\n'), '1\r\nx\r\n'],
  ['row of interim answers', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
])('a %s that trickles ends at the deadline', async (_, start, drop) => {
  const one = await raw((socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(drop), 10)
    socket.once('close', () => clearInterval(timer))
  })
  expect(await reasonOf(one, 150)).toBe('timeout')
})

test('a head without end is too large', async () => {
  const one = await raw((socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x-y: zzzzzzzzzzzzzzzz\r\n'.repeat(10_000)}`))
  expect(await reasonOf(one)).toBe('too-large')
})

test('a body without end is too large', async () => {
  const one = await raw(
    (socket) => {
      socket.write(head())
      const more = () => {
        while (socket.writable && socket.write(Buffer.alloc(65_536))) {}
      }
      socket.on('drain', more)
      more()
    },
    { bounds: { body_bytes: 2 ** 20 } },
  )
  expect(await reasonOf(one)).toBe('too-large')
})

const zeros = Buffer.alloc(64 * 2 ** 20)

test.each([
  ['gzip', gzipSync(zeros)],
  ['deflate', deflateSync(zeros)],
  ['br', brotliCompressSync(zeros, { params: { 1: 1 } })],
  ['gzip, gzip', gzipSync(gzipSync(zeros))],
])('a bomb in %s is too large and never unfolds', async (coding, bomb) => {
  const one = await raw((socket) => {
    socket.write(head(`content-encoding: ${coding}\r\ncontent-length: ${bomb.length}\r\n`))
    socket.end(bomb)
  })
  const before = process.memoryUsage().arrayBuffers
  expect(await reasonOf(one)).toBe('too-large')
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(48 * 2 ** 20)
})

test('a body of countless values is too large', async () => {
  const one = await rig((_request, response) => response.end(`[${'[],'.repeat(2 ** 21)}0]`))
  ends.push(one.stop)
  expect(await reasonOf(one)).toBe('too-large')
})

test('a run takes only so much in sum', async () => {
  const one = await rig((_request, response) => response.end(envelope(0, 'x'.repeat(50_000))), {
    bounds: { run_weight: 120_000 },
  })
  ends.push(one.stop)
  expect(await one.scope.rest('list-voices')).toMatchObject({ ok: true })
  expect(await one.scope.rest('list-voices')).toMatchObject({ ok: true })
  expect(await one.scope.rest('list-voices')).toMatchObject({ failure: 'too-large' })
  expect(await one.client.scope(undefined, 'cleanup').rest('list-voices')).toMatchObject({ ok: true })
})

test('an error message shows no secret', async () => {
  const one = await raw((socket) => {
    socket.end('garbage')
  })
  await one.scope.rest('list-voices', { retry: 'never' })
  expect(one.text()).not.toContain('sk-rig')
})
