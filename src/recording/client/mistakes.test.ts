import { expect, test } from 'vitest'
import { voicesRequest } from '#testing/recording/voices-request'
import type { Entry, RequestEntry } from '#trace/entry'
import { MistakeWatch } from './mistakes.ts'
import type { MistakeKind } from './mistake.ts'

const request = (fields: Partial<RequestEntry> = {}): Entry =>
  voicesRequest({ headers: { authorization: 'Bearer [api_key primary]' }, ...fields })

const open = (url: string, credential: 'query' | 'header' | 'none'): Entry => ({
  kind: 'channel-open',
  t: 5,
  channel: 1,
  session: 'ses_1',
  url: `wss://service.example/v1/realtime-avatar/control?session_id=ses_1${url}`,
  credential,
})

const event = (data: object): Entry => ({ kind: 'frame-sent', t: 6, channel: 1, frame: 1, data: data as never })

function mistakes(...entries: readonly Entry[]): readonly MistakeKind[] {
  const watch = new MistakeWatch()
  for (const entry of entries) watch.take(entry)
  return watch.all().kinds.map(({ kind }) => kind)
}

const refusal = (t: number, exchange: number): Entry => ({
  kind: 'response',
  t,
  exchange,
  attempt: 1,
  status: 429,
  headers: { 'retry-after': '2' },
  body: { code: 10008, message: 'slow down' },
  bytes: 3,
})

test('a client that does everything right is told nothing', () => {
  const created = {
    code: 0,
    message: '',
    data: { session_id: 'ses_1', control: { client_secret: '[client_secret 7]' } },
  }
  expect(
    mistakes(
      request(),
      { kind: 'response', t: 2, exchange: 1, attempt: 1, status: 200, headers: {}, body: created, bytes: 3 },
      open('&token=%5Bclient_secret%207%5D', 'query'),
      event({ type: 'response.create', event_id: 'one' }),
      event({ type: 'conversation.item.retrieve', item_id: 'item_1' }),
    ),
  ).toEqual([])
})

test.each<[string, MistakeKind, readonly Entry[]]>([
  ['an event of no known type', 'invalid-event', [event({ type: 'response.creat' })]],
  ['an event without its item', 'invalid-event', [event({ type: 'conversation.item.retrieve' })]],
  ['a message that is no JSON', 'invalid-event', [{ kind: 'frame-sent', t: 1, channel: 1, frame: 1, text: '{' }]],
  [
    'a create without avatars',
    'invalid-request',
    [request({ operation: 'create-avatar-session', method: 'POST', body: { model: 'svc-a1-stream' } })],
  ],
  ['no key', 'missing-key', [request({ key: 'none', headers: {} })]],
  ['an API key in a URL', 'secret-in-the-wrong-place', [request({ path: '/v1/voices?key=%5Bapi_key%20primary%5D' })]],
  [
    'a secret under the wrong name',
    'secret-in-the-wrong-place',
    [open('&client_secret=%5Bclient_secret%207%5D', 'none')],
  ],
  ['a URL without its token', 'secret-in-the-wrong-place', [open('', 'none')]],
  ['an API key as token', 'secret-in-the-wrong-place', [open('&token=%5Bapi_key%20primary%5D', 'query')]],
  [
    'a control secret as API key',
    'secret-in-the-wrong-place',
    [request({ headers: { authorization: 'Bearer [client_secret 7]' } })],
  ],
  [
    'a key in a browser',
    'key-in-a-browser',
    [request({ headers: { authorization: 'Bearer [api_key primary]', 'sec-fetch-site': 'cross-site' } })],
  ],
  [
    'a page that asks whether it may send a key',
    'key-in-a-browser',
    [
      request({
        method: 'OPTIONS',
        key: 'none',
        headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      }),
    ],
  ],
  [
    'a request before Retry-After was over',
    'retried-too-early',
    [request(), refusal(10, 1), request({ t: 500, exchange: 2 })],
  ],
])('%s is a mistake of the client', (_what, kind, entries) => {
  expect(mistakes(...entries)).toEqual([kind])
})

test('what was on its way when its client heard of the limit is no retry; what a client sends on and on is', () => {
  const volley = [request(), request({ t: 2, exchange: 2 }), refusal(10, 1), request({ t: 12, exchange: 3 })]
  expect(mistakes(...volley)).toEqual([])
  const again = [refusal(290, 2), request({ t: 295, exchange: 4 }), refusal(320, 3), request({ t: 330, exchange: 5 })]
  expect(mistakes(...volley, ...again)).toEqual(['retried-too-early'])
  expect(mistakes(request(), refusal(10, 1), request({ t: 90, exchange: 2 }))).toEqual(['retried-too-early'])
})

test('a question of a browser that bears no key is no request without one', () => {
  expect(
    mistakes(request({ method: 'OPTIONS', key: 'none', headers: { 'access-control-request-method': 'GET' } })),
  ).toEqual([])
})

const question = (announced: string): Entry =>
  request({
    method: 'OPTIONS',
    key: 'none',
    headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': announced },
  })

test.each(['x-authorization', 'authorization-mode,content-type', 'x-amz-authorization, accept', ''])(
  'a page that asks whether it may send "%s" asks for no key',
  (announced) => {
    expect(mistakes(question(announced))).toEqual([])
  },
)

test('a page that only asks whether it may send a key is told as one that asks, in whatever case and place', () => {
  const watch = new MistakeWatch()
  watch.take(question('content-type, Authorization'))
  expect(watch.all().kinds[0]?.examples[0]?.what).toMatch(/^OPTIONS \S+ asks whether a page may send the key; /)
})

test('of what is wrong with a body, more than the first is told', () => {
  const watch = new MistakeWatch()
  watch.take(request({ operation: 'create-avatar-session', method: 'POST', body: { model: 'svc-a1-stream' } }))
  expect(watch.all().kinds[0]?.examples[0]?.what).toBe('create-avatar-session: /output is missing; /avatars is missing')
})

test('mistakes are counted, and the first are told with their lines', () => {
  const watch = new MistakeWatch()
  for (let count = 0; count < 50; count += 1) watch.take(event({ type: `unknown-${count}` }))
  const [found] = watch.all().kinds
  expect(found).toMatchObject({ kind: 'invalid-event', count: 50 })
  expect(found?.examples.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})
