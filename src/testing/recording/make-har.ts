import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageRoot } from '#spec/package-root'
import { startTarget } from '#target/start'
import { Browser, findBrowser } from '../browser/devtools.ts'

// Makes `fixtures/har/session.har`: a page in a headless Chromium talks to the reference target by `fetch` and `WebSocket`,
// and what the browser tells over its DevTools protocol is written as Chrome's own export writes it, secrets replaced:
// `node src/testing/recording/make-har.ts`.

/** What the protocol tells of a request, as far as it is used here. */
interface Told {
  readonly requestId: string
  readonly timestamp: number
  readonly wallTime: number
  readonly url: string
  readonly headers: Record<string, string>
  readonly request: NonNullable<Seen['request']>
  readonly response: NonNullable<Seen['response']> & { readonly opcode: number; readonly payloadData: string }
}

interface Seen {
  request: { method: string; url: string; headers: Record<string, string>; postData?: string } | undefined
  wall: number
  began: number
  ended: number
  response: { status: number; headers: Record<string, string>; requestHeaders?: Record<string, string> } | undefined
  /** What the network stack sent beside what the page asked for. */
  extra: Record<string, string>
  messages: { type: 'send' | 'receive'; time: number; opcode: number; data: string }[]
  body: string
}

const pageScript = (key: string): string => `(async () => {
  const headers = { authorization: 'Bearer ${key}', 'content-type': 'application/json' }
  const ask = async (path, method = 'GET', body) =>
    (await fetch(path, { method, headers, body: body && JSON.stringify(body) })).json()
  const sessions = '/v1/realtime-avatar/sessions'
  const { data } = await ask(sessions, 'POST', {
    model: 'svc-a1-stream',
    idempotency_key: 'har-1',
    session: { mode: 'text_chat' },
    avatars: [{ avatar_id: 'host', instructions: 'Be brief.' }],
  })
  const socket = new WebSocket(data.control.url + '&token=' + encodeURIComponent(data.control.client_secret))
  const events = []
  const until = (type) => new Promise((resolve) => {
    const look = () => (events.some((event) => event.type === type) ? resolve() : setTimeout(look, 10))
    look()
  })
  socket.onmessage = ({ data: text }) => events.push(JSON.parse(text))
  await new Promise((resolve) => (socket.onopen = resolve))
  const say = (event) => socket.send(JSON.stringify(event))
  say({ type: 'conversation.item.create', event_id: 'say-1', item: {
    id: 'item-of-the-page', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Good morning.' }] } })
  await until('conversation.item.created')
  say({ type: 'response.create', event_id: 'ask-1', response: {} })
  await until('response.done')
  say({ type: 'nonsense', event_id: 'wrong-1' })
  await until('error')
  await ask(sessions + '/' + data.session_id)
  await ask('/v1/voices')
  socket.close()
  await ask(sessions + '/' + data.session_id + '/close', 'POST', {})
  return events.length
})()`

const program = findBrowser()
if (program === undefined) throw new Error('no chromium on the PATH')
const target = await startTarget({ tls: false, seed: 5 })
const browser = await Browser.start(program)
const seen = new Map<string, Seen>()

function of(requestId: string): Seen {
  const one = seen.get(requestId) ?? {
    request: undefined,
    wall: 0,
    began: 0,
    ended: 0,
    response: undefined,
    extra: {},
    messages: [],
    body: '',
  }
  seen.set(requestId, one)
  return one
}

function listen(): void {
  const on = (method: string, take: (told: Told) => void): void =>
    browser.on(method, take as unknown as (told: object) => void)
  on('Network.requestWillBeSent', ({ requestId, request, wallTime, timestamp }) => {
    Object.assign(of(requestId), { request, wall: wallTime, began: timestamp })
  })
  on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    of(requestId).extra = headers
  })
  on('Network.responseReceived', ({ requestId, response }) => {
    of(requestId).response = response
  })
  on('Network.loadingFinished', ({ requestId, timestamp }) => {
    of(requestId).ended = timestamp
  })
  on('Network.webSocketCreated', ({ requestId, url }) => {
    of(requestId).request = { method: 'GET', url, headers: {} }
  })
  on('Network.webSocketWillSendHandshakeRequest', ({ requestId, wallTime, timestamp, request }) => {
    Object.assign(of(requestId), { wall: wallTime, began: timestamp, extra: request.headers })
  })
  on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) => {
    of(requestId).response = response
  })
  for (const [method, type] of [
    ['Network.webSocketFrameSent', 'send'],
    ['Network.webSocketFrameReceived', 'receive'],
  ] as const) {
    on(method, ({ requestId, timestamp, response }) => {
      const one = of(requestId)
      const { opcode, payloadData } = response
      one.messages.push({ type, time: one.wall + timestamp - one.began, opcode, data: payloadData })
      one.ended = timestamp
    })
  }
}

const pairs = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => ({ name, value }))

function entryOf({ request, response, wall, began, ended, messages, extra, body }: Seen): object | undefined {
  if (request === undefined || wall === 0) return undefined
  const { method, url, headers, postData } = request
  const posted = postData === undefined ? {} : { postData: { mimeType: 'application/json', text: postData } }
  const answer = response ?? { status: 0, headers: {} }
  const socket = url.startsWith('ws')
  return {
    _resourceType: socket ? 'websocket' : 'fetch',
    ...(socket ? { _webSocketMessages: messages } : {}),
    cache: {},
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      headers: pairs({ ...headers, ...extra }),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      cookies: [],
      headersSize: -1,
      bodySize: postData?.length ?? 0,
      ...posted,
    },
    response: {
      status: answer.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: pairs(answer.headers),
      cookies: [],
      content: { size: body.length, mimeType: 'application/json', text: body },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    startedDateTime: new Date(wall * 1_000).toISOString(),
    time: Math.max(0, (ended - began) * 1_000),
    timings: { blocked: 0, dns: -1, ssl: -1, connect: -1, send: 0, wait: 0, receive: 0 },
  }
}

try {
  listen()
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
  const send = (method: string, params: object = {}) => browser.send(method, params, String(sessionId))
  for (const domain of ['Page', 'Network']) await send(`${domain}.enable`)
  const loaded = browser.once('Page.loadEventFired')
  // A page of the target's own origin: the interface says nothing of CORS.
  await send('Page.navigate', { url: `${target.base_url}/` })
  await loaded
  await send('Runtime.evaluate', { expression: pageScript(target.keys.primary), awaitPromise: true })
  for (const [requestId, one] of seen) {
    if (one.request?.url.startsWith('ws') === true || one.response === undefined) continue
    const { body } = await send('Network.getResponseBody', { requestId })
    one.body = String(body)
  }
  const entries = [...seen.values()].flatMap((one) => entryOf(one) ?? [])
  const log = { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, pages: [], entries }
  const given = [...Object.values(target.keys), ...target.secretsGiven()]
  const text = given.reduce(
    (whole, secret, place) => whole.replaceAll(secret, `replaced-secret-${place}`),
    `${JSON.stringify({ log }, undefined, 1)}\n`,
  )
  const file = join(packageRoot(), 'fixtures/har/session.har')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.log(`${entries.length} entries, ${text.length} bytes`)
} finally {
  await browser.stop()
  await target.stop()
}
