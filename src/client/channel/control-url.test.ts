import { expect, test } from 'vitest'
import { readBaseAddress } from '../base-address.ts'
import { controlUrl } from './control-url.ts'
import { UnsafeTarget } from '../errors.ts'

const base = readBaseAddress('https://api.staging.example', false)
const loopback = readBaseAddress('http://127.0.0.1:8080', true)

test.each([
  ['wss://api.staging.example/v1/c?session_id=a', '/v1/c?session_id=a&token=t%2F1'],
  ['wss://api.staging.example/v1/c', '/v1/c?token=t%2F1'],
  ['wss://api.staging.example', '/?token=t%2F1'],
  ['wss://api.staging.example?a=1', '/?a=1&token=t%2F1'],
  ["wss://API.staging.example:8443/a/../c;x='|{}?q=%7e&&b=[1]&", "/a/../c;x='|{}?q=%7e&&b=[1]&token=t%2F1"],
  ['WSS://control.staging.example/?token=old', '/?token=old&token=t%2F1'],
])('%s is used byte for byte', (url, path) => {
  expect(controlUrl(url, 't/1', base)).toEqual({ safe: true, url, path })
})

test('without a token nothing is appended', () => {
  expect(controlUrl('wss://api.staging.example/c?a=1', undefined, base)).toMatchObject({ path: '/c?a=1' })
})

test.each([
  ['wss://evil.example/c', 'foreign'],
  ['wss://api.staging.example.evil/c', 'foreign'],
  ['wss://evilstaging.example/c', 'foreign'],
  ['wss://127.0.0.1/c', 'local'],
  ['wss://[::1]/c', 'local'],
  ['wss://example/c', 'foreign'],
  ['ws://api.staging.example/c', 'not wss'],
  ['https://api.staging.example/c', 'WebSocket'],
  ['/v1/c', 'WebSocket'],
  ['', 'characters'],
  ['wss://api.staging.example/c#token', 'fragment'],
  ['wss://api.staging.example/c#', 'fragment'],
  ['wss://user:pass@api.staging.example/c', 'credentials'],
  ['wss://@api.staging.example/c', 'credentials'],
  ['wss://api.staging.example\\@evil.test/c', 'characters'],
  ['wss://evil.test\\.staging.example/c', 'characters'],
  ['wss://api.staging.example/c d', 'characters'],
  ['wss://api.staging.example/\r\nx: y', 'characters'],
  ['wss://api.stäging.example/c', 'characters'],
  ['wss:api.staging.example/c', 'WebSocket'],
])('%s gets nothing', (url, why) => {
  const result = controlUrl(url, 'secret-token', base)
  expect(result.safe).toBe(false)
  if (!result.safe) expect(result.why).toContain(why)
  expect(JSON.stringify(result)).not.toContain('secret-token')
})

test('a shared registry is no parent', () => {
  const british = readBaseAddress('https://api.service.co.uk', false)
  expect(controlUrl('wss://control.service.co.uk/', undefined, british).safe).toBe(true)
  expect(controlUrl('wss://other.co.uk/', undefined, british).safe).toBe(false)
})

test('services of different owners under one suffix are not one domain', () => {
  const page = readBaseAddress('https://one.github.io', false)
  expect(controlUrl('wss://two.github.io/', undefined, page).safe).toBe(false)
  expect(controlUrl('wss://control.one.github.io/', undefined, page).safe).toBe(true)
})

test('a refusal to open a host says which line to add', () => {
  const result = controlUrl('wss://control.other.test/c', 'secret-token', base)
  expect(result).toMatchObject({ safe: false, why: expect.stringContaining('"control_hosts": ["control.other.test"]') })
})

test.each([
  [['control.other.test'], 'wss://control.other.test/c', true],
  [['CONTROL.other.test'], 'wss://Control.Other.test:8443/c', true],
  [['control.other.test:8443'], 'wss://control.other.test:8443/c', true],
  [['control.other.test:8443'], 'wss://control.other.test/c', false],
  [['other.test'], 'wss://control.other.test/c', false],
  [['10.0.0.7'], 'wss://10.0.0.7/c', false],
  [['192.0.2.7'], 'wss://192.0.2.7/c', true],
])('with the control hosts %j, %s is opened: %s', (hosts, url, safe) => {
  expect(controlUrl(url, undefined, base, hosts).safe).toBe(safe)
})

test.each(['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.0.1', '169.254.169.254', '[::1]', '[fe80::1]', '[fd00::1]'])(
  'a public target does not lead us to %s',
  (host) => {
    expect(controlUrl(`wss://${host}/c`, undefined, base, [host]).safe).toBe(false)
  },
)

test('a private target is opened at another private address that the profile names', () => {
  const inside = readBaseAddress('https://10.0.0.1', false)
  expect(controlUrl('wss://10.0.0.2/c', undefined, inside).safe).toBe(false)
  expect(controlUrl('wss://10.0.0.2/c', undefined, inside, ['10.0.0.2']).safe).toBe(true)
})

test('an address stands for itself only, on any port, unless the profile names another or it is this machine', () => {
  expect(controlUrl('ws://127.0.0.1:9/c', undefined, loopback).safe).toBe(true)
  expect(controlUrl('wss://127.0.0.1:9/c', undefined, loopback).safe).toBe(true)
  expect(controlUrl('ws://127.0.0.2:8080/c', undefined, loopback).safe).toBe(false)
  expect(controlUrl('ws://localhost:9/c', undefined, loopback).safe).toBe(false)
  expect(controlUrl('ws://localhost:9/c', undefined, loopback, ['localhost']).safe).toBe(true)
  const six = readBaseAddress('http://[::1]:8080', true)
  expect(controlUrl('ws://[::1]:9/c', undefined, six)).toMatchObject({ safe: true, path: '/c' })
})

test('a service on loopback may name itself by its other name, on its own port', () => {
  expect(controlUrl('ws://localhost:8080/c', undefined, loopback).safe).toBe(true)
  expect(controlUrl('ws://[::1]:8080/c', undefined, loopback).safe).toBe(false)
  const named = readBaseAddress('https://LOCALHOST:8443', false)
  for (const host of ['127.0.0.1', '[::1]'])
    expect(controlUrl(`wss://${host}:8443/c`, undefined, named).safe).toBe(true)
  expect(controlUrl('wss://127.0.0.2:8443/c', undefined, named).safe).toBe(false)
  expect(controlUrl('wss://127.0.0.1/c', undefined, named).safe).toBe(false)
})

test.each([
  'http://api.example',
  'http://127.0.0.1.example',
  'ftp://127.0.0.1',
  'https://u:p@h',
  'https://h/?a',
  'https://h/#a',
  'nonsense',
])('%s is no base address', (url) => expect(() => readBaseAddress(url, true)).toThrow(UnsafeTarget))

test('loopback without TLS needs the word of the profile', () => {
  expect(() => readBaseAddress('http://127.0.0.1:1', false)).toThrow(UnsafeTarget)
  expect(readBaseAddress('https://h/prefix/', false)).toMatchObject({ origin: 'https://h', prefix: '/prefix' })
})
