import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { rig, type Rig, rigWith } from '#testing/rigs/client-rig'
import { listen } from '#testing/listener'
import type { ClientOptions } from '../options.ts'
import type { Channel } from '../types.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

const secret = 'cs_1a2b3c4d5e'

interface Attacked extends Rig {
  open(): Promise<Channel>
}

/** A client whose target answers the first bytes of a connection in its own way. */
async function attacked(
  answer: (socket: Socket, request: string) => void,
  options: Partial<ClientOptions> = {},
): Promise<Attacked> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => answer(socket, bytes.toString('latin1')))
  })
  const listener = await listen(server)
  const one = await rig(() => {}, options)
  ends.push(one.stop, listener.stop)
  const url = `ws://127.0.0.1:${listener.port}/c?session_id=s`
  return { ...one, open: () => one.scope.connect({ url, session: 's', credential: 'query', secret }) }
}

/** A target that opens the channel and then sends bytes. */
function opened(after: (socket: Socket) => void): (socket: Socket, request: string) => void {
  return (socket, request) => {
    const key = /sec-websocket-key: (\S+)/i.exec(request)?.[1] ?? ''
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    )
    after(socket)
  }
}

function frame(opcode: number, payload: Uint8Array, final = true): Buffer {
  const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 255]
  return Buffer.concat([Buffer.from([(final ? 0x80 : 0) | opcode, ...length]), payload])
}

function flood(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (socket.writable && socket.write(bytes)) {}
  }
  socket.on('drain', more)
  more()
}

async function ended(one: Attacked): Promise<object> {
  const channel = await one.open()
  await channel.watch(10_000)
  expect(channel.state).toBe('closed')
  expect(one.text()).not.toContain(secret)
  return one.of('channel-closed')[0] ?? {}
}

test('frames without end are too many', async () => {
  const event = frame(1, Buffer.from('{"type":"noise"}'))
  const one = await attacked(
    opened((socket) => flood(socket, Buffer.concat(Array(500).fill(event)))),
    { bounds: { channel_frames: 1_000 } },
  )
  expect(await ended(one)).toMatchObject({ by: 'limit', reason: 'More than 1000 frames came' })
  expect(one.of('frame-received')).toHaveLength(1_000)
})

test('bytes without end are too many', async () => {
  const event = frame(1, Buffer.alloc(60_000, 'x'))
  const one = await attacked(
    opened((socket) => flood(socket, event)),
    { bounds: { channel_bytes: 500_000 } },
  )
  expect(await ended(one)).toMatchObject({ by: 'limit', reason: 'More than 500000 bytes came' })
})

test('what is more than a run takes was not too much on the channel that it was seen on: we close it', async () => {
  const event = frame(1, Buffer.alloc(6_000, 'x'))
  const one = await attacked(
    opened((socket) => flood(socket, event)),
    { bounds: { run_weight: 50_000 } },
  )
  expect(await ended(one)).toMatchObject({ by: 'us', reason: 'More came than one run takes' })
})

test('pings without end are too many', async () => {
  const ping = Buffer.concat(Array(500).fill(frame(9, Buffer.from('x'))))
  const one = await attacked(
    opened((socket) => flood(socket, ping)),
    { bounds: { channel_frames: 1_000 } },
  )
  expect(await ended(one)).toMatchObject({ by: 'limit' })
})

test('fragments without end are too many', async () => {
  const one = await attacked(
    opened((socket) => {
      socket.write(frame(1, Buffer.from('x'), false))
      flood(socket, Buffer.concat(Array(500).fill(frame(0, Buffer.from('x'), false))))
    }),
  )
  expect(await ended(one)).toMatchObject({ by: 'limit' })
})

test.each([
  ['300 MB', 300_000_000n],
  ['more than a computer holds', 2n ** 62n],
])('a frame that declares %s is not waited for', async (_, size) => {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(size)
  const one = await attacked(
    opened((socket) => socket.write(Buffer.concat([Buffer.from([0x81, 127]), length, Buffer.alloc(1_000)]))),
  )
  expect(await ended(one)).toMatchObject({ by: 'limit' })
})

test.each([
  ['bad UTF-8', frame(1, Buffer.from([0xc3, 0x28]))],
  ['a reserved opcode', frame(3, Buffer.from('x'))],
  ['a reserved bit', Buffer.from([0xc1, 1, 0x78])],
  ['a mask', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x78])],
  ['a long control frame', Buffer.concat([Buffer.from([0x89, 126, 1, 0]), Buffer.alloc(256)])],
  ['an orphan continuation', frame(0, Buffer.from('x'))],
])('%s ends the channel', async (_, bytes) => {
  expect(await ended(await attacked(opened((socket) => socket.write(bytes))))).toMatchObject({ by: 'limit' })
})

test('a close frame without the end of the connection ends the channel', async () => {
  const close = frame(8, Buffer.from([0x03, 0xe8]))
  const one = await attacked(opened((socket) => socket.write(close)))
  expect(await ended(one)).toMatchObject({ by: 'target', code: 1000 })
})

test('a target that closes after every byte it likes leaves nothing behind', async () => {
  const one = await attacked(opened((socket) => socket.end(Buffer.from([0x81]))))
  expect(await ended(one)).toMatchObject({ by: 'network', code: 1006 })
})

async function refusal(one: Attacked): Promise<object> {
  const channel = await one.open()
  expect(channel.state).toBe('refused')
  expect(channel.send({ type: 'x' }).frame).toBe(1)
  expect(await channel.next({ type: 'x' })).toBeUndefined()
  expect(one.of('channel-closed')).toEqual([])
  expect(one.text()).not.toContain(secret)
  return { ...one.of('channel-refused')[0], state: channel.status }
}

test.each([
  ['garbage', 'garbage\r\n\r\n', 'protocol'],
  [
    'a wrong accept',
    'HTTP/1.1 101 X\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: x\r\n\r\n',
    'protocol',
  ],
  ['another protocol', 'HTTP/1.1 101 X\r\nupgrade: h2c\r\nconnection: Upgrade\r\n\r\n', 'protocol'],
])('an upgrade answered by %s is refused', async (_, bytes, reason) => {
  expect(await refusal(await attacked((socket) => socket.end(bytes)))).toMatchObject({ reason })
})

test('an upgrade answered by nothing is a reset', async () => {
  expect(await refusal(await attacked((socket) => socket.destroy()))).toMatchObject({ reason: 'reset' })
})

test.each([
  ['silence', () => {}],
  [
    'a head that trickles',
    (socket: Socket) => {
      socket.write('HTTP/1.1 101 X\r\nx: ')
      const timer = setInterval(() => socket.write('y'), 10)
      socket.once('close', () => clearInterval(timer))
    },
  ],
])('an upgrade answered by %s ends at the deadline', async (_, answer) => {
  const timeouts = { reply_ms: 120, event_ms: 1, closed_ms: 1, auto_close_grace_ms: 1, provisioning_ms: 1, lag_ms: 1 }
  expect(await refusal(await attacked(answer, { timeouts }))).toMatchObject({ reason: 'timeout' })
})

test('where upgrades are never answered, the later ones are not waited for as long', async () => {
  const timeouts = { reply_ms: 1_200, event_ms: 1, closed_ms: 1, auto_close_grace_ms: 1, provisioning_ms: 1, lag_ms: 1 }
  const one = await attacked(() => {}, { timeouts })
  await one.open()
  await one.open()
  const waited = one.of('channel-refused').map((entry) => Number(/within (\d+) ms/.exec(entry.message)?.[1]))
  // Three tries of the first one, which prove that it lasts.
  expect(waited.slice(0, 3)).toEqual([1_200, 1_200, 1_200])
  expect(new Set(waited.slice(3))).toEqual(new Set([1_000]))
})

/** A client whose target answers upgrades like any request. */
async function answering(handler: RequestListener): Promise<Attacked> {
  const one = await rigWith(createServer(handler))
  ends.push(one.stop)
  const url = `ws://127.0.0.1:${one.port}/c?session_id=s`
  return { ...one, open: () => one.scope.connect({ url, session: 's', credential: 'query', secret }) }
}

test('a refusal shows its status and the start of its body, without the token', async () => {
  const one = await answering((request, response) =>
    response.writeHead(403).end(`no entry for ${request.url ?? ''} ${'x'.repeat(90_000)}`),
  )
  const refused = await refusal(one)
  expect(refused).toMatchObject({ status: 403, state: 403, reason: 'status' })
  expect((refused as { message: string }).message).toMatch(/^HTTP 403: no entry for \/c\?session_id=s&token=/)
  expect((refused as { message: string }).message.length).toBeLessThan(600)
})

test('a refusal whose body never ends is refused all the same', async () => {
  const one = await answering((_request, response) => {
    response.writeHead(503)
    const timer = setInterval(() => response.write('.'), 10)
    response.once('close', () => clearInterval(timer))
  })
  expect(await refusal(one)).toMatchObject({ status: 503 })
})

test.each([302, 403, 404])(
  'an upgrade that is refused by %s is asked for once more, and a redirect is not followed',
  async (status) => {
    const paths: (string | undefined)[] = []
    const one = await answering(({ url }, response) => {
      paths.push(url?.split('?')[0])
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    expect(await refusal(one)).toMatchObject({ status })
    expect(paths).toEqual([paths[0], paths[0]])
    expect(paths[0]).not.toBe('/elsewhere')
  },
)

test('while requests have no route either, an upgrade is waited for as they are', async () => {
  const paths: (string | undefined)[] = []
  const one = await answering(({ url }, response) => {
    paths.push(url?.split('?')[0])
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"no Route matched"}')
  })
  await one.scope.rest('list-voices', { retry: 'never' })
  expect(await refusal(one)).toMatchObject({ status: 404 })
  expect(paths.filter((path) => path === '/c')).toHaveLength(4)
})

test('a foreign host gets nothing', async () => {
  let connections = 0
  const foreign = await listen(createTcpServer(() => void (connections += 1)))
  const one = await rig(() => {})
  ends.push(one.stop, foreign.stop)
  const url = `ws://localhost:${foreign.port}/c`
  const channel = await one.scope.connect({ url, session: 's', credential: 'query', secret })
  expect(channel.state).toBe('refused')
  expect(one.of('channel-refused')[0]).toMatchObject({ reason: 'unsafe-url' })
  expect(connections).toBe(0)
})
