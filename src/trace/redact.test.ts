import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { at, type Json, type JsonObject } from './json.ts'
import { createRedactor } from './redact.ts'
import { isStandIn } from './stand-ins.ts'

const known = [
  { label: 'api_key primary', value: 'sk-live-0123456789' },
  { label: 'header x-gate', value: 'gate pass/word+1' },
]
const redactor = () => createRedactor(known, 'salt')

test.each([
  'client_secret',
  'token',
  'user_sig',
  'tts_api_key',
  'llm_api_key',
  'api_key',
  'Authorization',
  'apiKey',
  'Set-Cookie',
])('a value under %s is replaced at any depth', (name) => {
  const out = redactor().json({ a: [{ b: { [name]: 'abcdefgh' } }] })
  expect(isStandIn(at(out, `/a/0/b/${name}`) as string)).toBe(true)
})

test('type and emptiness stay', () => {
  const out = redactor().json({
    a: { token: '' },
    b: { token: null },
    c: { token: true },
    d: { token: 42 },
    e: { token: 0 },
    f: { token: 1.5 },
  })
  expect(out).toMatchObject({ a: { token: '' }, b: { token: null }, c: { token: true }, e: { token: 0 } })
  const [whole, broken] = [at(out, '/d/token'), at(out, '/f/token')]
  expect(Number.isInteger(whole) && whole !== 42).toBe(true)
  expect(typeof broken === 'number' && !Number.isInteger(broken) && broken !== 1.5).toBe(true)
})

test('names that only look like secrets are left alone', () => {
  const body = { next_page_token: 'abcdefgh', tokens: 3, secretary: 'Jane Doe', max_output_tokens: 10 }
  expect(redactor().json(body)).toEqual(body)
  expect(redactor().text('/v1/characters?page_size=2&page_token=abcdefgh')).toBe(
    '/v1/characters?page_size=2&page_token=abcdefgh',
  )
})

test('a known value goes wherever it stands, in whatever form', () => {
  const [key, gate] = known.map((one) => one.value)
  const out = redactor().json({
    header: `Bearer ${key}`,
    url: `https://x/?k=${encodeURIComponent(gate ?? '')}`,
    base64: Buffer.from(`Bearer ${key}`).toString('base64'),
    plain64: Buffer.from(gate ?? '').toString('base64url'),
    text: `no such key: '${key}'`,
    json: JSON.stringify(JSON.stringify({ key })),
  })
  expect(out).toMatchObject({
    header: 'Bearer [api_key primary]',
    url: 'https://x/?k=%5Bheader%20x-gate%5D',
    text: "no such key: '[api_key primary]'",
  })
  expect(JSON.stringify(out)).not.toMatch(/sk-live|gate(?!%5D|\])|c2stbGl2/)
})

test('a secret is learned before the entry that carries it is written', () => {
  const entry = redactor().entry({
    kind: 'response',
    body: { message: 'made cs_7f3a9', data: { client_secret: 'cs_7f3a9' } },
  })
  expect(JSON.stringify(entry)).not.toContain('cs_7f3a9')
})

test('the scheme of an authorization and the name of a cookie stay readable', () => {
  const { headers } = redactor().entry({
    kind: 'response',
    headers: { authorization: 'Bearer abcdefgh', 'set-cookie': 'sid=ijklmnop; Path=/' },
  })
  expect(headers.authorization).toMatch(/^Bearer \[authorization \d+\]$/)
  expect(headers['set-cookie']).toMatch(/^sid=\[set-cookie \d+\]; Path=\/$/)
})

test('a deliberately malformed authorization is no secret', () => {
  const headers = { authorization: 'Basic nonsense' }
  expect(redactor().entry({ kind: 'request', key: 'malformed', headers }).headers).toEqual(headers)
})

test('the profile of the header keeps its names of environment variables', () => {
  const profile = { headers: { authorization: 'GATE_AUTH' }, keys: { primary: 'GR_KEY' } }
  expect(redactor().entry({ kind: 'header', profile }).profile).toEqual(profile)
})

test('tokens in texts are replaced: in URLs, in JSON text, in credentials of a URL', () => {
  const secrets = redactor()
  expect(secrets.text('wss://h/c?session_id=1&token=a%2Fb')).toMatch(
    /^wss:\/\/h\/c\?session_id=1&token=%5Bsecret%20\d+%5D$|%5Btoken/,
  )
  expect(secrets.text('{"a":1,"client_secret": "x\\"y"}')).toMatch(/^\{"a":1,"client_secret": "\[secret \d+\]"\}$/)
  expect(secrets.text('"{\\"api_key\\":\\"abc\\"}"')).toMatch(/^"\{\\"api_key\\":\\"\[secret \d+\]\\"\}"$/)
  expect(secrets.text('proxy http://me:pass@proxy:80 failed')).toBe('proxy http://credentials@proxy:80 failed')
})

test('short values are replaced under their name and nowhere else', () => {
  const out = redactor().json({ token: 'abc', text: 'abcabc' })
  expect(at(out, '/text')).toBe('abcabc')
  expect(at(out, '/token')).not.toBe('abc')
})

test('plain words inside an object under a secret name shred nothing', () => {
  const out = redactor().json({
    token: { type: 'string', value: 'sk_0123456789abcdef' },
    type: 'string',
    echo: 'sk_0123456789abcdef',
  })
  expect(at(out, '/type')).toBe('string')
  expect(at(out, '/echo')).not.toBe('sk_0123456789abcdef')
})

test('redacting twice changes nothing', () => {
  const secrets = redactor()
  const once = secrets.json({ token: 'abcdefgh', url: 'https://h/?token=abcdefgh', text: '?token=abcdefgh failed' })
  expect(secrets.json(once)).toEqual(once)
})

test('two processes with one salt give the same stand-ins, another salt gives others', () => {
  const body = { client_secret: 'cs_7f3a9', token: 77 }
  expect(createRedactor([], 'one').json(body)).toEqual(createRedactor([], 'one').json(body))
  expect(createRedactor([], 'one').json(body)).not.toEqual(createRedactor([], 'two').json(body))
})

test('names such as __proto__ are data', () => {
  const out = redactor().json(
    JSON.parse('{"__proto__":{"token":"abcdefgh"},"constructor":"abcdefgh"}') as Json,
  ) as JsonObject
  expect(Object.keys(out)).toEqual(['__proto__', 'constructor'])
  expect(JSON.stringify(out)).not.toContain('abcdefgh')
})

test('nesting without end is cut, not followed', () => {
  let deep: Json = 'end'
  for (let level = 0; level < 50_000; level += 1) deep = [deep]
  expect(JSON.stringify(redactor().json(deep))).toContain('nested too deeply')
})

test.each(['//:', '"token": "', '?token=', '\\"token\\":\\"', 'Bearer ', '//a:@', '"token" '])(
  'a text full of %s is read to its end: with time that grows by the square of its length, nobody would see it',
  (part) => {
    const length = 400_000
    const shown = redactor().json({
      text: `@${part.repeat(length / part.length)}`,
      colons: `@//${':'.repeat(length)}`,
      blanks: `"token"${' '.repeat(length)}`,
    })
    expect(Object.keys(Object(shown))).toEqual(['text', 'colons', 'blanks'])
  },
)

const canary = fc
  .string({ unit: fc.constantFrom(...'abcXYZ012_-./+=%"\\ ä\n'.split('')), minLength: 8, maxLength: 24 })
  .map((text) => `canary7${text}1`)
const names = ['client_secret', 'token', 'user_sig', 'tts_api_key', 'authorization']

test('a canary under a secret name comes out nowhere', () => {
  fc.assert(
    fc.property(canary, fc.constantFrom(...names), fc.jsonValue(), (secret, name, rest) => {
      const entry = {
        kind: 'response',
        headers: { 'x-echo': secret, location: `https://h/?a=${encodeURIComponent(secret)}` },
        text: `before ${secret} after ${JSON.stringify(secret)} ${Buffer.from(secret).toString('base64')}`,
        body: { [`key ${secret}`]: 1, message: secret, data: [{ [name]: secret }, rest as Json] },
      }
      const shown = JSON.stringify(createRedactor([]).entry(entry))
      for (const form of [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      ]) {
        expect(shown).not.toContain(JSON.stringify(form).slice(1, -1))
      }
    }),
  )
})

test('the same secret has the same stand-in, another another', () => {
  fc.assert(
    fc.property(fc.array(canary, { minLength: 2, maxLength: 12 }), fc.constantFrom(...names), (secrets, name) => {
      const one = createRedactor([])
      const shown = secrets.map((secret) => at(one.json({ [name]: secret }), `/${name}`))
      expect(new Set(shown).size).toBe(new Set(secrets).size)
      expect(secrets.map((secret) => at(one.json({ x: secret }), '/x'))).toEqual(shown)
    }),
  )
})

test('the secret of a control channel stays hidden where no more can be learned', () => {
  const secrets = redactor()
  for (let count = 0; count <= 20_000; count += 1) secrets.learn('set-cookie', `cookie-${count}-abcdefgh`)
  const secret = 'cs_too_late_to_be_learned'
  const open = { kind: 'channel-open', url: 'wss://h/c', credential: 'header', secret }
  const shown = secrets.entry(open).secret
  expect(shown).toMatch(/^\[client_secret \d+\]$/)
  expect(secrets.json({ client_secret: secret })).toEqual({ client_secret: shown })
  expect(redactor().entry({ ...open, secret: shown }).secret).toBe(shown)
})
