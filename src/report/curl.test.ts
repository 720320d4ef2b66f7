import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { handMadeTrace, profile } from '#testing/hand-made-results'
import { resender } from './curl.ts'

const resend = resender(handMadeTrace, 'https://staging.example', profile)

/** The words that bash makes of a line. */
function words(line: string, env: NodeJS.ProcessEnv): readonly string[] {
  const stub = 'curl() { printf "%s\\0" "$@"; };'
  return execFileSync('bash', ['--norc', '--noprofile', '-c', `${stub} ${line}`], { env, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

test('a response leads to the request that it answers, with keys as variables', () => {
  const line = resend([2])
  expect(line).toContain('"Authorization: Bearer $GR_KEY"')
  expect(line).not.toContain('‹')
  expect(words(line ?? '', { GR_KEY: 'k', GR_GATE: 'g' })).toEqual([
    '-sS',
    '-i',
    '-X',
    'POST',
    'https://staging.example/v1/realtime-avatar/sessions',
    '--cacert',
    'ca.pem',
    '-H',
    'Authorization: Bearer k',
    '-H',
    'content-type: application/json',
    '-H',
    'X-Gate: g',
    '--data-raw',
    '{"model":"it\'s","note":"\\u001b"}',
  ])
})

test('a frame leads nowhere: its session is closed', () => {
  expect(resend([6])).toBeUndefined()
})

test('a create has an idempotency key of its own each time', () => {
  const [request] = handMadeTrace
  if (request?.kind !== 'request') throw new Error('line 1 is a request')
  const body = { idempotency_key: 'create-abcdefghij-1', model: "it's" }
  const header = { kind: 'header', t: 0, run: 'abcdefghij' } as unknown as (typeof handMadeTrace)[number]
  const line = resender([header, { ...request, body }], 'https://staging.example', profile)([2]) ?? ''
  const keyIn = (sent: readonly string[]) => /create-(\d{10})-1/.exec(sent.at(-1) ?? '')?.[1]
  const [one, other] = [words(line, process.env), words(line, process.env)].map(keyIn)
  expect(one).toBeDefined()
  expect(one).not.toBe(other)
})

test('a request without a key has no Authorization header', () => {
  const [request] = handMadeTrace
  if (request?.kind !== 'request') throw new Error('line 1 is a request')
  const line = resender([{ ...request, key: 'none', headers: {} }], 'https://staging.example', profile)([1])
  expect(line).not.toContain('Authorization')
})

test('a key stands where its stand-in stood, as the value of its variable', () => {
  const [request] = handMadeTrace
  if (request?.kind !== 'request') throw new Error('line 1 is a request')
  const lineOf = (headers: { readonly [name: string]: string }, key: string): string =>
    resender([{ ...request, key, headers }], 'https://x.example', { keys: { primary: 'GR_KEY', denied: 'GR_DENIED' } })(
      [1],
    ) ?? ''
  const env = { GR_KEY: 'k1', GR_DENIED: 'k2' }
  const sent = (headers: { readonly [name: string]: string }, key = 'malformed') => words(lineOf(headers, key), env)
  expect(sent({ authorization: 'Basic [api_key primary]' })).toContain('Authorization: Basic k1')
  expect(sent({ authorization: 'Bearer [api_key primary]x' })).toContain('Authorization: Bearer k1x')
  expect(sent({ 'x-api-key': '[api_key denied]' }, 'none')).toContain('x-api-key: k2')
  expect(sent({ 'x-keys': "'[api_key denied]' $1 [api_key primary]." }, 'none')).toContain("x-keys: 'k2' $1 k1.")
})

test('of a spoilt key no line is made, nor of another request in its stead', () => {
  const [request] = handMadeTrace
  if (request?.kind !== 'request') throw new Error('line 1 is a request')
  const spoilt = { ...request, key: 'malformed', headers: { authorization: 'Bearer [api_key_primary_cut 12]' } }
  expect(resender([spoilt, { ...request, exchange: 99 }], 'https://x.example', profile)([1, 2])).toBeUndefined()
})

test('text with control characters survives the shell', () => {
  const [request] = handMadeTrace
  if (request?.kind !== 'request') throw new Error('line 1 is a request')
  const { body: _, ...bare } = request
  const text = '{"a": \u001b\'\\ \u202e$(id)`id`'
  const line = resender([{ ...bare, text }], 'https://staging.example', profile)([1]) ?? ''
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(line).not.toMatch(/[\u0000-\u001f\u202e]/)
  expect(words(line, { GR_KEY: 'k', GR_GATE: 'g', LC_ALL: 'C' }).at(-1)).toBe(text)
})

test('an upload names the file that the trace does not hold', () => {
  const [request] = handMadeTrace
  if (request?.kind !== 'request') throw new Error('line 1 is a request')
  const part = { name: 'file', filename: 'voice.wav', content_type: 'audio/wav', bytes: 9, sha256: 'aa' }
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const upload = { ...request, headers, body: { multipart: [part] } }
  const line = resender([upload], 'https://staging.example/', { keys: { primary: 'GR_KEY' } })([1])
  expect(words(line ?? '', { GR_KEY: 'k' }).slice(3)).toEqual([
    'POST',
    'https://staging.example/v1/realtime-avatar/sessions',
    '-H',
    'Authorization: Bearer k',
    '-F',
    'file=@voice.wav;type=audio/wav',
  ])
})

test('an upload names the file that was kept, a plain field its text', () => {
  const [request] = handMadeTrace
  if (request?.kind !== 'request') throw new Error('line 1 is a request')
  const file = { name: 'file', filename: 'voice.wav', content_type: 'audio/wav', bytes: 9, sha256: 'aa' }
  const upload = { ...request, body: { multipart: [file, { name: 'title', bytes: 3, sha256: 'bb' }] } }
  const line = resender([upload], 'https://x.example', {}, 'out/replay/uploads')([1]) ?? ''
  expect(words(line, { API_KEY: 'k' }).filter((word) => word.includes('uploads'))).toEqual([
    'file=@out/replay/uploads/aa;filename="voice.wav";type=audio/wav',
    'title=<out/replay/uploads/bb',
  ])
})

test('a name that is no variable of a shell is not written into the line', () => {
  const line = resender(handMadeTrace, 'https://x.example', { keys: { primary: 'A; rm -rf /' } })([1])
  expect(line).toContain('"Authorization: Bearer $API_KEY"')
  expect(line).not.toContain('rm -rf')
})

test('lines where nothing was sent lead nowhere', () => {
  expect(resend([])).toBeUndefined()
  expect(resend([99])).toBeUndefined()
})
