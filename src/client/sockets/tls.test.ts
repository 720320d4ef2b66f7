import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { type Certificate, makeCertificate } from '#testing/certificate'
import { envelope, rig, type Rig, rigKey } from '#testing/rigs/client-rig'
import { type Listener, listen } from '#testing/listener'
import type { ClientOptions } from '../options.ts'

const ends: (() => Promise<void>)[] = []
let good: Certificate
let misnamed: Certificate

beforeAll(async () => {
  ;[good, misnamed] = await Promise.all([makeCertificate(), makeCertificate('elsewhere.example')])
})

afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

interface Target extends Listener {
  /** What requests and upgrades it got. */
  readonly seen: string[]
}

async function target(certificate: Certificate): Promise<Target> {
  const seen: string[] = []
  const server = createServer(certificate, (request, response) => {
    seen.push(request.url ?? '')
    response.end(envelope(0))
  })
  server.on('tlsClientError', () => {})
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    seen.push(request.url ?? '')
    socket.send('{"type":"hello"}')
  })
  const listener = await listen(server)
  ends.push(listener.stop)
  return { ...listener, seen }
}

async function clientOf(port: number, options: Partial<ClientOptions>): Promise<Rig> {
  const one = await rig(() => {}, { base_url: `https://127.0.0.1:${port}`, ...options })
  ends.push(one.stop)
  return one
}

const channelCall = (port: number) =>
  ({ url: `wss://127.0.0.1:${port}/c?session_id=s`, session: 's', credential: 'query', secret: 'cs_12345678' }) as const

test('a certificate of the profile’s own authority is trusted, for requests and channels', async () => {
  const { port } = await target(good)
  const one = await clientOf(port, { ca_pem: good.cert })
  expect(await one.scope.rest('list-voices')).toMatchObject({ ok: true })
  const channel = await one.scope.connect(channelCall(port))
  expect(await channel.next({ type: 'hello' })).toBeDefined()
})

test('an unknown authority and a wrong name are faults of TLS, and nothing is sent', async () => {
  for (const [certificate, ca] of [
    [good, undefined],
    [misnamed, misnamed.cert],
  ] as const) {
    const { port, seen } = await target(certificate)
    const one = await clientOf(port, { ca_pem: ca })
    expect(await one.scope.rest('list-voices')).toMatchObject({ failure: 'tls' })
    const channel = await one.scope.connect(channelCall(port))
    expect(channel.state).toBe('refused')
    expect(one.of('channel-refused')[0]).toMatchObject({ reason: 'tls' })
    expect(seen).toEqual([])
  }
})

test('a request that ended while it connected is never sent', async () => {
  const { port, seen } = await target(good)
  const gate = Promise.withResolvers<void>()
  const passed = Promise.withResolvers<void>()
  const through = async (socket: Socket) => {
    await gate.promise
    const onward = connect(port, '127.0.0.1')
    socket.pipe(onward).pipe(socket)
    onward.on('error', () => {})
    onward.once('close', () => passed.resolve())
  }
  const slow = await listen(createTcpServer((socket) => void through(socket)))
  ends.push(slow.stop)
  const one = await clientOf(slow.port, { ca_pem: good.cert })
  expect(await one.scope.rest('list-voices', { deadline_ms: 50, retry: 'never' })).toMatchObject({ failure: 'timeout' })
  gate.resolve()
  expect(await one.scope.rest('list-voices')).toMatchObject({ ok: true })
  await one.client.close()
  await passed.promise
  expect(seen).toHaveLength(1)
})

interface Gate extends Listener {
  readonly asked: { readonly path: string | undefined; readonly credentials: string | undefined }[]
}

/** A proxy that tunnels, once it is shown its credentials. */
async function proxy(): Promise<Gate> {
  const asked: Gate['asked'] = []
  const server = createPlainServer()
  server.on('connect', (request, socket: Socket) => {
    const credentials = request.headers['proxy-authorization']
    asked.push({ path: request.url, credentials })
    socket.on('error', () => {})
    if (credentials !== `Basic ${Buffer.from('me:p@ss').toString('base64')}`) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    const [host = '', port = ''] = (request.url ?? '').split(':')
    const through = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(through).pipe(socket)
    })
    through.on('error', () => socket.destroy())
  })
  const listener = await listen(server)
  ends.push(listener.stop)
  return { ...listener, asked }
}

test('requests and channels go through the proxy, which sees no secret', async () => {
  const { port } = await target(good)
  const gate = await proxy()
  const one = await clientOf(port, { ca_pem: good.cert, proxy: `http://me:p%40ss@127.0.0.1:${gate.port}` })
  expect(await one.scope.rest('list-voices')).toMatchObject({ ok: true })
  const channel = await one.scope.connect(channelCall(port))
  expect(await channel.next({ type: 'hello' })).toBeDefined()
  await channel.close()
  expect(gate.asked.map(({ path }) => path)).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${port}`])
  expect(JSON.stringify(gate.asked)).not.toContain(rigKey)
})

test('a proxy that refuses is a failure, not an answer of the target', async () => {
  const { port, seen } = await target(good)
  const gate = await proxy()
  const one = await clientOf(port, { ca_pem: good.cert, proxy: `http://127.0.0.1:${gate.port}` })
  const answer = await one.scope.rest('list-voices', { retry: 'never' })
  expect(answer.status).toBe(0)
  expect(one.of('failure')[0]?.message).toContain('407')
  expect((await one.scope.connect(channelCall(port))).state).toBe('refused')
  expect(seen).toEqual([])
})
