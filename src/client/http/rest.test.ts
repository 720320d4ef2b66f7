import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { envelope, rig as makeRig, type Rig, rigKey } from '#testing/rigs/client-rig'
import { BadSetting } from '../errors.ts'
import type { ClientOptions } from '../options.ts'

const rigs: Rig[] = []

async function rig(handler: RequestListener, options: Partial<ClientOptions> = {}): Promise<Rig> {
  const made = await makeRig(handler, options)
  rigs.push(made)
  return made
}

afterEach(async () => {
  await Promise.all(rigs.splice(0).map((one) => one.stop()))
})

test('a call sends what the operation says and records it before and after', async () => {
  let seen: { method: string | undefined; url: string | undefined; headers: object; body: string } | undefined
  const one = await rig((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      seen = { method: request.method, url: request.url, headers: request.headers, body }
      response.end(envelope(0, { character_id: 'chr_1' }))
    })
  })
  const answer = await one.scope.rest('replace-character', {
    params: { character_id: 'chr/1' },
    query: { a: 'b c' },
    body: { name: 'x' },
  })
  expect(answer).toMatchObject({
    exchange: 1,
    status: 200,
    code: 0,
    ok: true,
    data: { character_id: 'chr_1' },
    failure: undefined,
  })
  expect(seen).toMatchObject({ method: 'PUT', url: '/v1/characters/chr%2F1?a=b%20c', body: '{"name":"x"}' })
  expect(seen?.headers).toMatchObject({
    authorization: `Bearer ${rigKey}`,
    'content-type': 'application/json',
    'user-agent': 'greenroom/test run/rig',
  })
  expect(one.entries()).toMatchObject([
    {
      kind: 'request',
      scenario: 'tests.rig',
      exchange: 1,
      attempt: 1,
      operation: 'replace-character',
      key: 'primary',
      path: '/v1/characters/chr%2F1?a=b%20c',
      headers: { authorization: 'Bearer [api_key primary]' },
      body: { name: 'x' },
    },
    { kind: 'response', exchange: 1, attempt: 1, status: 200, body: { code: 0, data: { character_id: 'chr_1' } } },
  ])
  expect(one.text()).not.toContain(rigKey)
})

test.each([
  ['a whole number', { code: 20005, message: 'no' }, 20005],
  ['a string', { code: '0', message: 'ok' }, undefined],
  ['a fraction', { code: 0.5, message: 'ok' }, undefined],
  ['missing its message', { code: 0 }, undefined],
  ['in a list', [{ code: 0, message: 'ok' }], undefined],
])('an envelope code that is %s reads as such', async (_, body, code) => {
  const one = await rig((_request, response) => response.end(JSON.stringify(body)))
  expect(await one.scope.rest('list-voices')).toMatchObject({ code, ok: false, body })
})

test.each([
  ['not-json', '<html>'],
  ['not-json', '\uFEFF{}'],
  ['empty', ''],
  ['not-utf8', Buffer.from([0x22, 0xff, 0x22])],
  ['too-deep', `${'['.repeat(200)}${']'.repeat(200)}`],
])('a body that is %s is named as such', async (problem, body) => {
  const one = await rig((_request, response) => response.end(body))
  expect(await one.scope.rest('list-voices')).toMatchObject({ body: undefined, code: undefined, status: 200 })
  expect(one.of('response')[0]).toMatchObject({ problem })
  expect(one.of('response')[0]).not.toHaveProperty('body')
})

test('a secret where a text is cut leaves no half of it', async () => {
  const one = await rig((_request, response) => response.end(`${'x'.repeat(1_990)}${rigKey}`))
  await one.scope.rest('list-voices')
  expect(one.of('response')[0]?.text).toBe(`${'x'.repeat(1_990)}[api_key p`)
})

test('headers come in lower case, joined, and names such as __proto__ harm nothing', async () => {
  const one = await rig((_request, response) => {
    response.writeHead(200, ['X-A', '1', 'x-a', '2', '__proto__', 'p', '__proto__', 'q', 'X-Long', 'y'.repeat(9_000)])
    response.end(envelope(0))
  })
  const { headers } = await one.scope.rest('list-voices')
  expect(headers).toMatchObject({ 'x-a': '1, 2' })
  expect(Object.hasOwn(headers, '__proto__')).toBe(true)
  expect(one.of('response')[0]?.headers['x-long']).toHaveLength(2_000)
})

test('a redirect is asked for again, as it may lead to a page of maintenance, and is not followed', async () => {
  const paths: (string | undefined)[] = []
  const one = await rig((request, response) => {
    paths.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect(await one.scope.rest('list-voices')).toMatchObject({ status: 307, trouble: 'list-voices HTTP 307 with text' })
  expect(new Set(paths.filter((path) => path !== '/v1/realtime-avatar/sessions'))).toEqual(new Set(['/v1/voices']))
})

test('compressed bodies are read', async () => {
  const one = await rig((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(envelope(0, [1]))),
  )
  expect(await one.scope.rest('list-voices')).toMatchObject({ ok: true, data: [1] })
})

test('keys none and malformed send what they say', async () => {
  const seen: (string | undefined)[] = []
  const one = await rig((request, response) => {
    seen.push(request.headers.authorization)
    response.end(envelope(10001))
  })
  await one.scope.rest('list-voices', { key: 'none' })
  await one.scope.rest('list-voices', { key: 'malformed', authorization: 'Basic x' })
  expect(seen).toEqual([undefined, 'Basic x'])
  await expect(one.scope.rest('list-voices', { key: 'capped' })).rejects.toThrow('no value for the key capped')
})

test('a key stands in for its name in deliberate faults, and neither it nor what is left of it is recorded', async () => {
  const seen: (string | string[] | undefined)[] = []
  const one = await rig((request, response) => {
    seen.push(request.headers.authorization, request.headers['x-api-key'])
    response.end(envelope(10003, { you_sent: request.headers.authorization ?? '' }))
  })
  await one.scope.rest('list-voices', { key: 'malformed', authorization: 'Basic {primary}' })
  await one.scope.rest('list-voices', { key: 'malformed', authorization: 'Bearer {primary:cut}' })
  await one.scope.rest('list-voices', { key: 'none', headers: { 'X-Api-Key': '{primary}' } })
  await one.scope.rest('list-voices', { key: 'malformed', authorization: 'Bearer {primary:marred}' })
  const cut = rigKey.slice(0, -1)
  const [marred] = seen.splice(6)
  expect(seen).toEqual([`Basic ${rigKey}`, undefined, `Bearer ${cut}`, undefined, undefined, rigKey])
  expect(marred).toHaveLength(`Bearer ${rigKey}`.length)
  expect(marred).not.toBe(`Bearer ${rigKey}`)
  expect(one.text()).not.toContain(String(marred).slice(7))
  expect(one.text()).not.toContain(cut)
  expect(one.of('request').map(({ headers }) => headers['authorization'] ?? headers['x-api-key'])).toEqual([
    'Basic [api_key primary]',
    expect.stringMatching(/^Bearer \[api_key_primary_cut \d+\]$/),
    '[api_key primary]',
    expect.stringMatching(/^Bearer \[api_key_primary_marred \d+\]$/),
  ])
})

test('forms are sent whole and recorded by what they hold', async () => {
  let got = Buffer.alloc(0)
  const one = await rig((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      got = Buffer.concat(chunks)
      response.end(envelope(0))
    })
  })
  const data = Uint8Array.from({ length: 300 }, (_, place) => place % 256)
  await one.scope.rest('upload-audio', {
    multipart: [{ name: 'file', filename: 'a "b".wav', content_type: 'audio/wav', data }],
  })
  expect(got.includes(Buffer.from(data))).toBe(true)
  expect(got.toString('latin1')).toContain('name="file"; filename="a %22b%22.wav"\r\nContent-Type: audio/wav\r\n\r\n')
  expect(one.of('request')[0]?.body).toMatchObject({
    multipart: [{ name: 'file', content_type: 'audio/wav', bytes: 300 }],
  })
})

test('a body in pieces tells no length, and comes whole', async () => {
  const arrived = Promise.withResolvers<{ readonly bytes: number; readonly headers: readonly unknown[] }>()
  const one = await rig((request, response) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.on('end', () => {
      arrived.resolve({ bytes, headers: [request.headers['content-length'], request.headers['transfer-encoding']] })
      response.end(envelope(0))
    })
  })
  await one.scope.rest('create-character', { text: 'x'.repeat(200_001), chunked: true })
  expect(await arrived.promise).toEqual({ bytes: 200_001, headers: [undefined, 'chunked'] })
})

test('a key is turned into the other case', async () => {
  const seen: (string | undefined)[] = []
  const one = await rig((request, response) => {
    seen.push(request.headers.authorization)
    response.end(envelope(10003))
  })
  await one.scope.rest('list-voices', { key: 'malformed', authorization: '{primary:turned}' })
  const [turned = ''] = seen
  expect(turned).not.toBe(rigKey)
  expect(turned.toLowerCase()).toBe(rigKey.toLowerCase())
  expect(one.text()).not.toContain(turned)
})

test('numbers are unique, can be reserved, and go on where another process stopped', async () => {
  const one = await rig((_request, response) => response.end(envelope(0)), {
    start_numbers: { exchange: 40, claim: 7 },
  })
  const reserved = one.scope.exchange()
  expect(one.scope.claim({ requirement: 'x', condition: { is: 'accepted', exchange: reserved } })).toBe(8)
  expect(await one.scope.rest('list-voices')).toMatchObject({ exchange: 42 })
  expect(await one.scope.rest('list-voices', { exchange: reserved })).toMatchObject({ exchange: 41 })
  expect(one.scope.mark('here')).toBe(1)
})

test('requests outside the interface name no operation', async () => {
  const one = await rig((request, response) => response.writeHead(404).end(request.url))
  await one.scope.raw('PATCH', '/v1/unknown', { text: '{', content_type: 'text/plain' })
  expect(one.of('request')[0]).toMatchObject({ operation: null, method: 'PATCH', path: '/v1/unknown', text: '{' })
})

test('a base address with a path stands before every path', async () => {
  const paths: (string | undefined)[] = []
  const target = await rig((request, response) => {
    paths.push(request.url)
    response.end(envelope(0))
  })
  const one = await rig(() => {}, { base_url: `http://127.0.0.1:${target.port}/gate/` })
  await one.scope.rest('list-voices')
  expect(paths).toEqual(['/gate/v1/voices'])
  expect(one.of('request')[0]?.path).toBe('/v1/voices')
})

test('a key with a line break is the mistake of the user, and is not shown', async () => {
  await expect(rig(() => {}, { keys: { primary: 'sk-secret\n' } })).rejects.toThrow(BadSetting)
  await expect(rig(() => {}, { keys: { primary: 'sk-secret\n' } })).rejects.not.toThrow('sk-secret')
})

test('a proxy that is no URL is the mistake of the user, and is not shown', async () => {
  const options = { base_url: 'https://127.0.0.1:1', proxy: 'me:s3cret@proxy' }
  await expect(rig(() => {}, options)).rejects.toThrow('The proxy is no http: or https: URL')
})

test('forty calls at once are no leak of listeners', async () => {
  const warnings: string[] = []
  const note = (warning: Error) => warnings.push(warning.message)
  process.on('warning', note)
  const one = await rig((_request, response) => response.end(envelope(0)))
  await Promise.all(Array.from({ length: 40 }, () => one.scope.rest('list-voices')))
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', note)
  expect(warnings).toEqual([])
})
