import { expect, test, vi } from 'vitest'
import { at, type Channel, Visitor } from '../visitor.ts'
import type { HostileServer } from './hostile-target.ts'
import { DEPTH, nastyText } from './nasty-text.ts'
import { exchange, requestLines } from './raw-exchange.ts'
import { targetNamed } from './target-named.ts'
import { HANG_MS } from '../hang.ts'

const SESSIONS = '/v1/realtime-avatar/sessions'
const body = { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }

interface Visit {
  server: HostileServer
  visitor: Visitor
  control: unknown
}

/** Creates a session at the target and hands its control descriptor over. */
async function visit<T>(id: string, use: (visit: Visit) => Promise<T>): Promise<T> {
  const server = await targetNamed(id).start()
  const visitor = new Visitor(server)
  try {
    const { code, data } = await visitor.send('POST', SESSIONS, server.keys.primary, body)
    expect(code).toBe(0)
    return await use({ server, visitor, control: data.control })
  } finally {
    await visitor.close()
    await server.stop()
  }
}

/** Opens the channel of a fresh session with an ordinary client. */
function within<T>(id: string, use: (channel: Channel, visit: Visit) => Promise<T>): Promise<T> {
  return visit(id, async (visited) => {
    const channel = await visited.visitor.connect(visited.control)
    try {
      return await use(channel, visited)
    } finally {
      channel.socket.terminate()
    }
  })
}

/** The first bytes after the handshake of the channel. */
function bytesOf(id: string, size: number): Promise<Buffer> {
  return visit(id, async ({ server, control }) => {
    const url = new URL(String(at(control, 'url')))
    const lines = requestLines(
      url.pathname + url.search,
      `Authorization: Bearer ${String(at(control, 'client_secret'))}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
    )
    const { head, body: bytes } = await exchange(server, lines, size)
    expect(head).toContain('HTTP/1.1 101')
    return bytes
  })
}

test.concurrent.each([
  ['control-foreign-host', /^wss:\/\/localhost:/],
  ['control-userinfo', /^wss:\/\/127\.0\.0\.1%3A\d+@localhost:/],
  ['control-http', /^http:\/\/localhost:/],
  ['control-ws-insecure', /^ws:\/\/localhost:/],
  ['control-other-path', /^wss:\/\/127\.0\.0\.1:\d+\/v1\/elsewhere\?session_id=hs-1$/],
  ['control-no-session-id', /^wss:\/\/127\.0\.0\.1:\d+\/v1\/realtime-avatar\/control$/],
  ['control-not-a-url', /^not a url/],
  ['control-relative', /^\/v1\/realtime-avatar\/control\?session_id=hs-1$/],
  ['control-javascript', /^javascript:/],
])('%s gives such an address', (id, pattern) =>
  visit(id, async ({ server, control }) => {
    expect(at(control, 'url')).toMatch(pattern)
    expect([server.stats.requests, server.stats.foreign]).toEqual([1, 0])
  }),
)

test.concurrent.each(['control-foreign-host', 'control-userinfo', 'control-ws-insecure'])(
  '%s notices who follows it',
  (id) =>
    visit(id, async ({ server, visitor, control }) => {
      await expect(visitor.connect(control)).rejects.toThrow('')
      expect(server.stats.foreign).toBe(1)
    }),
)

test.concurrent('wrong addresses of the own host still open a channel', () =>
  within('control-other-path', async (_, { server }) => {
    expect(server.stats.upgrades).toBe(1)
  }))

test.concurrent.each([
  ['channel-refused', '403'],
  ['channel-wrong-accept', 'Sec-WebSocket-Accept'],
  ['channel-redirected', '302'],
])('%s does not open', (id, reason) =>
  visit(id, async ({ server, visitor, control }) => {
    await expect(visitor.connect(control)).rejects.toThrow(reason)
    expect([server.stats.upgrades, server.stats.foreign]).toEqual([1, 0])
  }),
)

test.concurrent('channel-unanswered leaves the upgrade waiting until it is stopped', () =>
  visit('channel-unanswered', async ({ server, visitor, control }) => {
    const waiting = visitor.connect(control).then(
      () => 'opened',
      () => 'failed',
    )
    await vi.waitFor(() => expect(server.stats.upgrades).toBe(1), HANG_MS)
    await server.stop()
    expect(await waiting).toBe('failed')
  }))

test.concurrent('channel-closed-at-once opens and is gone', () =>
  within('channel-closed-at-once', async (channel) => {
    expect(await channel.closed).toBe(1006)
    expect(channel.events).toEqual([])
  }))

test.concurrent('a wrong secret opens no channel', () =>
  visit('silent-channel', async ({ visitor, control }) => {
    await expect(visitor.connect({ ...Object(control), client_secret: 'x' })).rejects.toThrow('401')
  }))

test.concurrent('frame-flood sends thousands of events within moments', () =>
  within('frame-flood', async (channel) => {
    await vi.waitFor(() => expect(channel.events.length).toBeGreaterThan(3000), HANG_MS)
  }))

test.concurrent('ping-flood sends pings and nothing else', async () => {
  const bytes = await bytesOf('ping-flood', 10_000)
  const ping = '\u0089\u0004ping'
  expect(bytes.toString('latin1').slice(0, 9000)).toBe(ping.repeat(1500))
})

test.concurrent('fragment-flood opens one message and never ends it', async () => {
  const bytes = await bytesOf('fragment-flood', 10_000)
  expect(bytes[0]).toBe(0x01)
  const fragments = bytes.subarray(bytes.indexOf('event_id":"') + 'event_id":"'.length)
  expect(fragments.subarray(0, 6)).toEqual(Buffer.of(0, 1, 0x61, 0, 1, 0x61))
})

test.concurrent('giant-frame declares 300 MB and delivers', async () => {
  const bytes = await bytesOf('giant-frame', 4 << 20)
  expect([bytes[0], bytes[1], bytes.readBigUInt64BE(2)]).toEqual([0x81, 127, 300_000_000n])
  expect(bytes.length).toBeGreaterThan(4_000_000)
})

test.concurrent('dribbled-frames sends the first bytes of a long frame one by one', async () => {
  const bytes = await bytesOf('dribbled-frames', 'HTTP/1.1 101 Switching Protocols'.length * 4 + 3)
  expect(bytes.subarray(0, 2)).toEqual(Buffer.of(0x81, 126).subarray(0, bytes.length))
  expect(bytes.length).toBeLessThan(100)
})

test.concurrent.each([
  ['invalid-utf8-frame', 'UTF-8'],
  ['masked-frames', 'MASK'],
  ['garbage-bytes', 'opcode'],
])('%s is refused by an ordinary client', (id, reason) =>
  within(id, async (channel) => {
    const error = new Promise<Error>((resolve) => channel.socket.once('error', resolve))
    expect((await error).message).toContain(reason)
  }),
)

test.concurrent.each([
  ['invalid-json-frames', ['{"type":', 'nonsense', '']],
  ['typeless-frames', ['{"event_id":"typeless"}', '[]', 'null', '7', '"type"']],
])('%s sends %j', async (id, expected) => {
  const bytes = await bytesOf(id, 200)
  for (const text of expected) expect(bytes.toString()).toContain(text)
})

test.concurrent('binary-frames sends binary frames', async () => {
  expect((await bytesOf('binary-frames', 200))[0]).toBe(0x82)
})

test.concurrent('deep-json-frames is as deep as it says, proto-frames carries the keys', async () => {
  const deep = await bytesOf('deep-json-frames', 2 * DEPTH + 400)
  expect(deep.toString().split('[').length).toBeGreaterThan(DEPTH)
  expect((await bytesOf('proto-frames', 400)).toString()).toContain('"__proto__":{"polluted":true')
})

test.concurrent.each([
  ['parrot-updated', 'session.updated'],
  ['parrot-done', 'response.done'],
  ['parrot-error', 'error'],
])('%s repeats one %s, whatever is said', (id, type) =>
  within(id, async (channel, { server }) => {
    for (const said of [{ type: 'session.update' }, { type: 'x' }, 'nonsense']) channel.say(said)
    await vi.waitFor(() => expect(channel.events.length).toBe(3), HANG_MS)
    expect(new Set(channel.events.map((event) => JSON.stringify(event))).size).toBe(1)
    expect(channel.events[0]).toMatchObject({ type, event_id: 'fixed' })
    expect(server.stats.messages).toBe(3)
  }),
)

test.concurrent('parrot-nasty puts the nasty text into every field', () =>
  within('parrot-nasty', async (channel) => {
    expect(at(await channel.next('error'), 'error', 'message')).toBe(nastyText)
  }))

test.concurrent('closed-immediately says session.closed and closes', () =>
  within('closed-immediately', async (channel) => {
    expect(await channel.closed).toBe(1000)
    expect(channel.events).toMatchObject([{ type: 'session.closed', session_id: 'hs-1' }])
  }))

test.concurrent('silent-channel hears everything and answers nothing', () =>
  within('silent-channel', async (channel, { server }) => {
    channel.say({ type: 'response.create' })
    await vi.waitFor(() => expect(server.stats.messages).toBe(1), HANG_MS)
    expect(channel.events).toEqual([])
  }))
