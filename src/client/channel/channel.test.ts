import { createServer, type IncomingMessage } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { defaultTimeouts } from '#spec/profile'
import { type Rig, rigWith } from '#testing/rigs/client-rig'
import { RunAborted } from '../errors.ts'
import type { ClientOptions } from '../options.ts'
import type { Channel, ConnectCall } from '../types.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

const secret = 'cs_9f8e7d6c5b'

interface Wired extends Rig {
  open(call?: Partial<ConnectCall>): Promise<Channel>
  readonly upgrades: IncomingMessage[]
}

/** A client whose target runs `serve` for each control connection. */
async function wired(
  serve: (socket: WebSocket, request: IncomingMessage) => void,
  options: Partial<ClientOptions> = {},
): Promise<Wired> {
  const server = createServer((_request, response) => response.writeHead(404).end())
  const upgrades: IncomingMessage[] = []
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    upgrades.push(request)
    serve(socket, request)
  })
  const one = await rigWith(server, options)
  ends.push(one.stop)
  const url = `ws://127.0.0.1:${one.port}/v1/realtime-avatar/control?session_id=s1`
  return {
    ...one,
    upgrades,
    open: (call = {}) => one.scope.connect({ url, session: 's1', credential: 'query', secret, ...call }),
  }
}

const echo = (socket: WebSocket) => socket.on('message', (data, binary) => socket.send(data, { binary }))

test('a channel is recorded frame by frame', async () => {
  const one = await wired((socket) => {
    socket.send('{"type":"hello","n":1}')
    echo(socket)
  })
  const channel = await one.open()
  await channel.next({ type: 'hello' })
  channel.send({ type: 'ping', client_secret: secret })
  await channel.next({ type: 'ping' })
  await channel.close()
  expect(channel.state).toBe('closed')
  expect(one.entries().filter(({ kind }) => kind !== 'wait')).toMatchObject([
    { kind: 'channel-open', channel: 1, session: 's1', credential: 'query' },
    { kind: 'channel-opened', channel: 1 },
    { kind: 'frame-received', channel: 1, frame: 1, data: { type: 'hello', n: 1 }, bytes: 22 },
    { kind: 'frame-sent', channel: 1, frame: 2, data: { type: 'ping' } },
    { kind: 'frame-received', channel: 1, frame: 3 },
    { kind: 'channel-closed', channel: 1, by: 'us', code: 1000 },
  ])
  expect(one.text()).not.toContain(secret)
  expect(one.client.traffic()).toMatchObject({ client_events: 1, server_events: 2, rest_requests: 0 })
})

test('the token goes into the query, or into the header, or nowhere', async () => {
  const one = await wired(() => {})
  for (const credential of ['query', 'header', 'none'] as const) await (await one.open({ credential })).close()
  const path = '/v1/realtime-avatar/control?session_id=s1'
  expect(one.upgrades.map((request) => [request.url, request.headers.authorization])).toEqual([
    [`${path}&token=${secret}`, undefined],
    [path, `Bearer ${secret}`],
    [path, undefined],
  ])
  expect(one.upgrades[0]?.headers['sec-websocket-extensions']).toBeUndefined()
  expect(one.upgrades[0]?.headers['user-agent']).toBe('greenroom/test run/rig')
})

test('an API key stands in for the secret where a fault asks for it', async () => {
  const one = await wired(() => {}, { keys: { primary: 'sk-primary-4711' } })
  await one.open({ credential: 'header', api_key: 'primary' })
  expect(one.upgrades[0]?.headers.authorization).toBe('Bearer sk-primary-4711')
  expect(one.text()).not.toContain('sk-primary-4711')
})

test('a dropped connection ends without a closing handshake, by us', async () => {
  const code = Promise.withResolvers<number>()
  const one = await wired((socket) => socket.on('close', code.resolve))
  const channel = await one.open()
  await channel.drop()
  await channel.drop()
  expect(await code.promise).toBe(1006)
  expect(channel.state).toBe('closed')
  expect(one.of('channel-closed')).toMatchObject([{ by: 'us', code: 1006 }])
})

test('the URL reaches the target byte for byte', async () => {
  const one = await wired(() => {})
  const path = "/a/../b;x='|{}?session_id=%7e&&y=[1]"
  await one.open({ url: `ws://127.0.0.1:${one.port}${path}` })
  expect(one.upgrades[0]?.url).toBe(`${path}&token=${secret}`)
})

test('next finds what came before it was asked, what comes later, and only after a number', async () => {
  const one = await wired(echo)
  const channel = await one.open()
  const first = channel.send({ type: 'a', n: 1 })
  expect(await channel.next({ type: 'a' }, { after: first.frame })).toMatchObject({ data: { n: 1 } })
  expect(await channel.next({ type: 'a' })).toMatchObject({ data: { n: 1 } })
  const second = channel.send({ type: 'a', n: 2 })
  expect(await channel.next([{ type: 'b' }, { type: 'a' }], { after: second.frame })).toMatchObject({ data: { n: 2 } })
  expect(await channel.next({ type: 'a' }, { after: second.frame + 1, within_ms: 20 })).toBeUndefined()
  expect(one.of('wait').at(-1)).toMatchObject({ why: 'event' })
})

test('a number reserved before other frames came counts from when it was sent', async () => {
  const one = await wired((socket) => {
    socket.send('{"type":"tick","n":1}')
    echo(socket)
  })
  const channel = await one.open()
  const reserved = channel.nextFrame()
  await channel.next({ type: 'tick' })
  channel.send({ type: 'tick', n: 2 }, reserved)
  expect(await channel.next({ type: 'tick' }, { after: reserved })).toMatchObject({ data: { n: 2 } })
  expect(one.of('frame-sent')[0]?.frame).toBe(reserved)
})

test('waiting ends when the target closes', async () => {
  const one = await wired((socket) => {
    socket.once('message', () => socket.close(4001, 'enough'))
  })
  const channel = await one.open()
  channel.sendText('not json')
  const [event] = await Promise.all([channel.next({ type: 'x' }, { within_ms: 60_000 }), channel.watch(60_000)])
  expect(event).toBeUndefined()
  expect(channel.state).toBe('closed')
  expect(one.of('channel-closed')[0]).toMatchObject({ by: 'target', code: 4001, reason: 'enough' })
})

test('a connection on which not even a ping is answered is broken, and was so since something came last', async () => {
  const one = await wired(
    (socket) => {
      socket.on('message', (data, binary) => {
        if ((data as Buffer).includes('hang')) socket.pause()
        else socket.send(data, { binary })
      })
    },
    { timeouts: { ...defaultTimeouts, event_ms: 200 } },
  )
  const channel = await one.open()
  channel.send({ type: 'a' })
  await channel.next({ type: 'a' })
  await channel.next({ type: 'none' })
  expect(channel.state).toBe('open')
  channel.send({ type: 'hang' })
  await channel.next({ type: 'hang' }, { within_ms: 150 })
  expect(channel.trouble).toBeUndefined()
  await channel.next({ type: 'hang' }, { within_ms: 2_000 })
  expect(channel).toMatchObject({ state: 'closed', trouble: 'the connection broke' })
  const [closed] = one.of('channel-closed')
  expect(closed).toMatchObject({ by: 'network', code: 1006, silent_since: expect.any(Number) })
  expect(closed?.silent_since).toBeLessThan((closed?.t ?? 0) - 300)
})

test('a close is no accident where a refusal is expected, unless the target goes away', async () => {
  const trouble = async (code: number, call: Partial<ConnectCall>): Promise<string | undefined> => {
    const one = await wired((socket) => socket.close(code))
    const channel = await one.open(call)
    await channel.next({ type: 'never' })
    return channel.trouble
  }
  expect(await trouble(4401, { expects_refusal: true })).toBe(undefined)
  expect(await trouble(4401, {})).toBe('the connection broke')
  expect(await trouble(1001, { expects_refusal: true })).toBe('the connection broke')
})

test('a connection that breaks is the network', async () => {
  const one = await wired((socket) => socket.terminate())
  await (await one.open()).watch(60_000)
  expect(one.of('channel-closed')[0]).toMatchObject({ by: 'network', code: 1006 })
})

test('frames that are no JSON are shown as what they are', async () => {
  const one = await wired(echo)
  const channel = await one.open()
  channel.sendText(`oops ${'x'.repeat(5_000)}`)
  channel.sendBinary(Uint8Array.of(1, 2, 3))
  channel.sendText('['.repeat(300))
  channel.sendText('7')
  await channel.next({ where: { '': 7 } })
  expect(channel.frames.map((frame) => frame.data)).toEqual([undefined, undefined, undefined, 7])
  const received = one.of('frame-received')
  expect(received.map((entry) => entry.problem)).toEqual(['not-json', 'binary', 'too-deep', undefined])
  expect(received[0]?.text).toHaveLength(2_000)
  expect(one.of('frame-sent')[1]).toMatchObject({ text: '(binary, 3 bytes)' })
})

test('what is sent after the end is neither sent nor recorded', async () => {
  const one = await wired((socket) => socket.close())
  const channel = await one.open()
  await channel.watch(5_000)
  expect(channel.send({ type: 'late' }).frame).toBe(1)
  expect(one.of('frame-sent')).toEqual([])
  await channel.close()
  expect(one.of('channel-closed')).toHaveLength(1)
})

test('a target that answers no close is left after a while', async () => {
  const one = await wired((socket) => socket.pause())
  const channel = await one.open()
  await channel.close()
  expect(one.of('channel-closed')[0]).toMatchObject({ by: 'us' })
})

test('pings are answered', async () => {
  const answered = Promise.withResolvers<string>()
  const one = await wired((socket) => {
    socket.on('pong', (data) => answered.resolve(data.toString()))
    socket.ping('are you there')
  })
  await one.open()
  expect(await answered.promise).toBe('are you there')
})

test('an abort ends channels and everybody who waits at them', async () => {
  const one = await wired(() => {})
  const channel = await one.open()
  const waiting = channel.next({ type: 'x' }, { within_ms: 60_000 })
  one.abort()
  await expect(waiting).rejects.toThrow(RunAborted)
  await expect(channel.watch(1)).rejects.toThrow(RunAborted)
  expect(() => channel.send({ type: 'x' })).toThrow(RunAborted)
  await expect(one.open()).rejects.toThrow(RunAborted)
})

test('closing the client ends every channel', async () => {
  const one = await wired(() => {})
  const channels = await Promise.all([one.open(), one.open()])
  await one.client.close()
  expect(channels.map((channel) => channel.state)).toEqual(['closed', 'closed'])
})
