import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { listen } from '#testing/listener'
import { runEpoch } from '#trace/clock'
import type { Entry } from '#trace/entry'
import { parseTrace } from '#trace/reader'
import { createRedactor } from '#trace/redact'
import { memoryTrace } from '#trace/writer'
import { keyNames } from '../traffic/key-names.ts'
import { Recorder } from '../traffic/recorder.ts'
import { startProxy } from './proxy.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

type Answer = (request: IncomingMessage, response: ServerResponse, port: number) => void
const secret = 'cs_0123456789abcdef'
const key = 'sk-0123456789abcdef'

/** A service, the proxy before it, and what both saw. */
async function watched(answer: Answer) {
  const asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      asked.push({ method, url, headers, body: Buffer.concat(pieces).toString() })
      answer(request, response, target.port)
    })
  })
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => offered.has('second') && 'second',
  })
  server.on('upgrade', (request, socket, head) => {
    if (!request.url?.includes(`token=${secret}`)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\nno')
      return
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('message', (data: Buffer, binary: boolean) => client.send(data, { binary }))
      client.send('{"type":"hello","event_id":"e1"}')
    })
  })
  const target = await listen(server)
  ends.push(target.stop)
  const redactor = createRedactor([])
  const trace = memoryTrace(runEpoch(), redactor)
  const proxy = await startProxy({
    base_url: `http://127.0.0.1:${target.port}`,
    allow_insecure_loopback: true,
    ca_pem: undefined,
    proxy: undefined,
    control_hosts: [],
    port: 0,
    recorder: new Recorder(trace, redactor, keyNames({}, redactor)),
    page: (_request, response) => void response.end('the page'),
  })
  ends.push(() => proxy.stop())
  const entries = (): readonly Entry[] => parseTrace(trace.text()).entries
  const of = <Kind extends Entry['kind']>(kind: Kind) =>
    entries().filter((entry): entry is Extract<Entry, { kind: Kind }> => entry.kind === kind)
  return { asked, proxy, text: () => trace.text(), of, port: target.port }
}

const created = (port: number) =>
  `{"code":0, "message":"ok","data":{"session_id":"ses_1","big":9007199254740993,"control":{"url":"ws://127.0.0.1:${port}/v1/realtime-avatar/control?session_id=ses_1","client_secret":"${secret}"}}}`

test('a request goes on as it came, and its answer comes back as it was', async () => {
  const body = '{"code":0,"message":"ok",  "data":[1.0]}'
  const { asked, proxy, of } = await watched((_request, response) =>
    response.writeHead(201, { 'content-type': 'application/json', 'x-own': 'yes' }).end(body),
  )
  const answer = await fetch(`${proxy.base_url}/v1/characters?page_size=2`, {
    headers: { authorization: `Bearer ${key}`, 'x-mine': 'too' },
  })
  expect([answer.status, answer.headers.get('x-own'), await answer.text()]).toEqual([201, 'yes', body])
  expect(asked).toMatchObject([
    { method: 'GET', url: '/v1/characters?page_size=2', headers: { 'x-mine': 'too' }, body: '' },
  ])
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${key}`)
  expect(of('request')).toMatchObject([{ operation: 'list-characters', key: 'unlisted-1', attempt: 1 }])
  expect(of('response')).toMatchObject([{ status: 201, body: { code: 0, data: [1] } }])
})

const codings = { gzip: gzipSync, zstd: zstdCompressSync, identity: (bytes: Buffer) => bytes }

test.each(['identity', 'gzip', 'zstd'] as const)(
  'the control URL leads the client to the proxy, the trace holds what the target sent (%s)',
  async (coding) => {
    const { proxy, of, text, port } = await watched((_request, response, own) => {
      const bytes = Buffer.from(created(own))
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding })
      response.end(codings[coding](bytes))
    })
    const sent = await fetch(`${proxy.base_url}/v1/realtime-avatar/sessions`, { method: 'POST', body: '{}' })
    const front = `ws://${new URL(proxy.base_url).host}/v1/realtime-avatar/control?session_id=ses_1`
    const theirs = await sent.text()
    expect(theirs).toBe(created(port).replace(/ws:[^"]+/, front))
    expect(of('response')[0]?.body).toMatchObject({ data: { control: { url: expect.stringContaining(`:${port}/`) } } })
    expect(text()).not.toContain(secret)

    const socket = new WebSocket(`${front}&token=${secret}`)
    const [hello] = await once(socket, 'message')
    socket.send('{"type":"ping"}')
    const [echo] = await once(socket, 'message')
    expect([String(hello), String(echo)]).toEqual(['{"type":"hello","event_id":"e1"}', '{"type":"ping"}'])
    socket.close(1000)
    await expect.poll(() => of('channel-closed')).toMatchObject([{ by: 'us', code: 1000 }])
    expect(of('channel-open')).toMatchObject([{ session: 'ses_1', credential: 'query' }])
    expect(of('channel-open')[0]?.url).toMatch(new RegExp(`^ws://127.0.0.1:${port}/.*token=%5Bclient_secret`))
    expect(of('frame-sent')).toMatchObject([{ data: { type: 'ping' } }])
    expect(of('frame-received').map(({ data }) => data)).toMatchObject([{ type: 'hello' }, { type: 'ping' }])
    expect(text()).not.toContain(secret)
  },
)

test('a control URL is found however its JSON is escaped, and put in as it is', async () => {
  const { proxy } = await watched((_request, response, own) => {
    const url = `ws://127.0.0.1:${own}/v1/realtime-avatar/control?session_id=ses_1&region=$$eu`
    const text = JSON.stringify({ code: 0, data: { session_id: 'ses_1', control: { url, client_secret: secret } } })
    response.end(text.replaceAll('&', String.raw`\u0026`).replaceAll('/', String.raw`\/`))
  })
  const sent = await fetch(`${proxy.base_url}/v1/realtime-avatar/sessions`, { method: 'POST', body: '{}' })
  const front = `ws://${new URL(proxy.base_url).host}/v1/realtime-avatar/control?session_id=ses_1&region=$$eu`
  expect(await sent.json()).toMatchObject({ data: { control: { url: front } } })
})

test('an answer in a coding that is not readable here goes on as it came, and nobody is blamed for it', async () => {
  const { proxy, of } = await watched((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'compress' }).end('whatever'),
  )
  const answer = await fetch(`${proxy.base_url}/v1/voices`)
  expect([answer.status, await answer.text()]).toEqual([200, 'whatever'])
  expect(of('failure')).toMatchObject([{ reason: 'protocol', message: expect.stringContaining('not readable here') }])
  expect(of('response')).toEqual([])
})

test('connections other than control channels of avatar sessions are handed on and not recorded', async () => {
  const { proxy, of } = await watched((_request, response, own) => {
    const url = `ws://127.0.0.1:${own}/v1/streaming-world/control?session_id=wld_1`
    response.end(JSON.stringify({ code: 0, data: { session_id: 'wld_1', control: { url, client_secret: secret } } }))
  })
  const path = '/v1/streaming-world/sessions'
  const world = await (await fetch(proxy.base_url + path, { method: 'POST', body: '{}' })).json()
  for (const url of [Object(world).data.control.url, `${proxy.base_url.replace('http', 'ws')}/live/news?`]) {
    const socket = new WebSocket(`${url}&token=${secret}`)
    const [hello] = await once(socket, 'message')
    expect(String(hello)).toBe('{"type":"hello","event_id":"e1"}')
    socket.close()
  }
  expect([...of('channel-open'), ...of('frame-received')]).toEqual([])
})

test.each([
  [['first', 'second'], 'second'],
  [['first', 'third'], ''],
])('of the subprotocols %j the client is told the one that the target chose', async (offered, chosen) => {
  const { proxy, port, of } = await watched((_request, response) => void response.end())
  const askedOf = async (origin: number): Promise<string | undefined> => {
    const path = `/v1/realtime-avatar/control?session_id=s&token=${secret}`
    const handshake = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
    const own = `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ${offered.join(', ')}`
    const raw = connect(origin, '127.0.0.1')
    raw.write(`GET ${path} HTTP/1.1\r\n${handshake}\r\n${own}\r\n\r\n`)
    const [head] = await once(raw, 'data')
    raw.destroy()
    const [status = '', ...lines] = String(head).split('\r\n')
    expect(status).toContain('101')
    return lines.find((line) => /^sec-websocket-protocol/i.test(line))?.split(': ')[1] ?? ''
  }
  expect(await askedOf(port)).toBe(chosen)
  expect(await askedOf(Number(new URL(proxy.base_url).port))).toBe(chosen)
  expect(of('channel-refused')).toEqual([])
})

test('a refused upgrade is refused in the same words', async () => {
  const { proxy, of } = await watched((_request, response) => void response.end())
  const socket = new WebSocket(`ws://${new URL(proxy.base_url).host}/v1/realtime-avatar/control?session_id=ses_1`)
  const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  expect(answer.statusCode).toBe(401)
  socket.on('error', () => {})
  socket.terminate()
  expect(of('channel-refused')).toMatchObject([{ status: 401, message: 'HTTP 401: no' }])
})

test('a target that breaks a connection breaks it for the client, and one that is not there is told', async () => {
  const { proxy, of } = await watched((request) => void request.socket.destroy())
  await expect(fetch(`${proxy.base_url}/v1/voices`)).rejects.toThrow('fetch failed')
  expect(of('failure')).toMatchObject([{ reason: 'reset' }])
})

test('a client that gives up has sent its request all the same', async () => {
  const waiting = Promise.withResolvers<void>()
  const { proxy, of, asked } = await watched(() => waiting.resolve())
  const stop = new AbortController()
  const call = fetch(`${proxy.base_url}/v1/voices`, { signal: stop.signal })
  await waiting.promise
  stop.abort()
  await expect(call).rejects.toThrow()
  await expect.poll(() => of('failure')).toMatchObject([{ reason: 'timeout', message: 'The client gave up' }])
  expect(asked).toHaveLength(1)
})

test('a retry after a fault is a further attempt', async () => {
  let count = 0
  const { proxy, of } = await watched((_request, response) => {
    count += 1
    response.writeHead(count === 1 ? 503 : 200).end('{"code":0,"message":"ok","data":{}}')
  })
  for (let round = 0; round < 3; round += 1) await (await fetch(`${proxy.base_url}/v1/voices`)).text()
  expect(of('request').map(({ exchange, attempt }) => [exchange, attempt])).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
  ])
})

test('nothing reaches the target that no client asked for, the page at / included', async () => {
  const { proxy, asked, of } = await watched((_request, response) => void response.end('{}'))
  expect(await (await fetch(`${proxy.base_url}/`)).text()).toBe('the page')
  const half = connect(Number(new URL(proxy.base_url).port), '127.0.0.1')
  half.write('POST /v1/voices HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf', () => half.destroy())
  await once(half, 'close')
  await (await fetch(`${proxy.base_url}/v1/characters`)).text()
  expect(asked.map(({ url }) => url)).toEqual(['/v1/characters'])
  expect(of('request').map(({ path }) => path)).toEqual(['/v1/characters'])
})
