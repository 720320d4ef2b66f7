import { expect, test } from 'vitest'
import { controlUrl, readTarget } from './address.ts'

test.each([
  ['https://127.0.0.1:8443', 'https://127.0.0.1:8443'],
  ['http://localhost:80/', 'http://localhost:80'],
  ['https://[::1]:8443/api/', 'https://[::1]:8443/api'],
  ['https://127.3.2.1', 'https://127.3.2.1'],
])('load may go to %s', (text, base) => {
  expect(readTarget(text, false)).toMatchObject({ base, loopback: true })
})

test.each([
  'https://staging.example',
  'https://127.0.0.1.example',
  'https://127.0.0.256',
  'https://127.0.0',
  'https://10.0.0.1',
  'https://0.0.0.0',
  'https://[::ffff:10.0.0.1]',
  'https://localhost.example',
])('load does not go to %s unasked', (text) => {
  expect(() => readTarget(text, false)).toThrow('only to loopback')
})

test.each([
  'staging.example',
  'ftp://127.0.0.1',
  'wss://127.0.0.1',
  'https://127.0.0.1@staging.example',
  'https://user:word@127.0.0.1',
  'https://127.0.0.1\\@staging.example',
  'https://127.0.0.1/?to=elsewhere',
  'https://127.0.0.1/#part',
  'https://127.0.0.1:x',
  ' https://127.0.0.1',
  '',
])('%j is no address of a target', (text) => {
  expect(() => readTarget(text, false)).toThrow('no http or https address')
})

test('load over a network needs permission and TLS', () => {
  expect(readTarget('https://staging.example', true)).toMatchObject({ host: 'staging.example', loopback: false })
  expect(() => readTarget('http://staging.example', true)).toThrow('only to https')
})

const local = readTarget('https://127.0.0.1:8443', false)
const remote = readTarget('https://api.staging.example', true)

test.each([
  ['wss://127.0.0.1:8443/v1/realtime-avatar/control?session_id=s', '&token=a%26b'],
  ['ws://localhost:9/v1/realtime-avatar/control?session_id=s', '&token=a%26b'],
  ['wss://127.0.0.1:8443/v1/realtime-avatar/control', '?token=a%26b'],
  ['wss://127.0.0.1:8443/v1/realtime-avatar/control?session_id=s&', 'token=a%26b'],
])('the control URL %s is used as given, with the token', (url, added) => {
  expect(controlUrl(url, 'a&b', local)).toBe(`${url}${added}`)
})

test.each([
  'wss://staging.example/v1/realtime-avatar/control?session_id=s',
  'wss://127.0.0.1:8443/control?session_id=s#part',
  'wss://127.0.0.1\\@staging.example/control',
  'https://127.0.0.1:8443/control',
  'wss://127.0.0.1@staging.example/control',
  '/v1/realtime-avatar/control',
])('a local target cannot send load to %s', (url) => {
  expect(controlUrl(url, 'secret', local)).toBeUndefined()
})

test.each([
  ['wss://api.staging.example/control?session_id=s', true],
  ['wss://rtc.staging.example/control?session_id=s', true],
  ['wss://API.STAGING.EXAMPLE./control?session_id=s', true],
  ['ws://api.staging.example/control?session_id=s', false],
  ['wss://elsewhere.example/control?session_id=s', false],
  ['wss://127.0.0.1/control?session_id=s', false],
])('a target on the network, %s: %s', (url, allowed) => {
  expect(controlUrl(url, 'secret', remote) !== undefined).toBe(allowed)
})

test('a registry is no parent', () => {
  const target = readTarget('https://api.example.co.uk', true)
  expect(controlUrl('wss://other.co.uk/control', 'secret', target)).toBeUndefined()
  expect(controlUrl('wss://rtc.example.co.uk/control', 'secret', target)).toBeDefined()
})

test('a control URL may lead to a host that the profile names, and to no other', () => {
  const target = readTarget('https://staging.example', true, ['Control.elsewhere'])
  expect(controlUrl('wss://control.elsewhere/c?session_id=1', 't', target)).toBe(
    'wss://control.elsewhere/c?session_id=1&token=t',
  )
  expect(controlUrl('wss://other.elsewhere/c?session_id=1', 't', target)).toBeUndefined()
  expect(controlUrl('ws://control.elsewhere/c?session_id=1', 't', target)).toBeUndefined()
})
