import { expect, test } from 'vitest'
import { workloads } from '../workloads.ts'
import { readMix, readSettings } from './settings.ts'

const given = { GREENROOM_TARGET: 'https://127.0.0.1:8443', GREENROOM_API_KEY: 'key-value' }

test('target and key are enough', () => {
  expect(readSettings(given, 'r')).toMatchObject({
    keys: [{ name: 'primary', requests_per_minute: 60, concurrent_sessions: undefined }],
    secrets: { primary: 'key-value' },
    workloadName: 'smoke',
    summaryFile: undefined,
  })
})

test.each([
  [{ ...given, GREENROOM_API_KEY: '' }, 'GREENROOM_API_KEY is not set'],
  [{ GREENROOM_API_KEY: 'key-value' }, 'GREENROOM_TARGET is not set'],
  [{ ...given, GREENROOM_WORKLOAD: 'constructor' }, 'GREENROOM_WORKLOAD is none of smoke, average'],
  [{ ...given, GREENROOM_TARGET: 'https://staging.example' }, 'only to loopback'],
  [{ ...given, GREENROOM_TARGET: 'https://staging.example', GREENROOM_ALLOW_LOAD: '1' }, 'only to loopback'],
])('%j is refused', (environment, message) => {
  expect(() => readSettings(environment, 'r')).toThrow(message)
})

test('a target elsewhere is taken when its owner allows load', () => {
  const allowed = { GREENROOM_TARGET: 'https://staging.example', GREENROOM_ALLOW_LOAD: 'true' }
  const { target } = readSettings({ ...given, ...allowed }, 'r')
  expect(target.base).toBe('https://staging.example')
})

test('several keys come with their budgets, each value in a variable of its own', () => {
  const keys = [
    { name: 'a', env: 'KEY_A', requests_per_minute: 600, concurrent_sessions: 10 },
    { name: 'b', env: 'KEY_B' },
  ]
  const settings = readSettings(
    { GREENROOM_TARGET: given.GREENROOM_TARGET, GREENROOM_KEYS: JSON.stringify(keys), KEY_A: 'va', KEY_B: 'vb' },
    'r',
  )
  expect(settings.keys).toEqual([
    { name: 'a', requests_per_minute: 600, concurrent_sessions: 10 },
    { name: 'b', requests_per_minute: 60, concurrent_sessions: undefined },
  ])
  expect(settings.secrets).toEqual({ a: 'va', b: 'vb' })
})

test.each([
  [{ GREENROOM_KEYS: '[]' }, 'GREENROOM_KEYS is no list'],
  [{ GREENROOM_KEYS: '[{"name":"a","env":"KEY_A"}]' }, 'KEY_A is not set'],
  [{ GREENROOM_SCALE: '{' }, 'GREENROOM_SCALE is no JSON'],
  [{ GREENROOM_SCALE: '{"users":3,"speed":9}' }, 'GREENROOM_SCALE has speed'],
])('%j is refused', (more, message) => {
  expect(() => readSettings({ ...given, ...more }, 'r')).toThrow(message)
})

test('numbers of a workload can be replaced', () => {
  const { workload } = readSettings({ ...given, GREENROOM_SCALE: '{"users":3}' }, 'r')
  expect(workload).toEqual({ ...workloads.smoke, users: 3 })
})

test('a mix has weights', () => {
  expect(readMix({ GREENROOM_MIX: '{"soak":2}' })).toEqual({ soak: 2 })
  expect(() => readMix({})).toThrow('GREENROOM_MIX is not set')
})

test('headers of gated staging come from variables of their own, and hosts of control URLs go with the target', () => {
  const settings = readSettings(
    {
      ...given,
      GREENROOM_HEADERS: '{"X-Gate":"GREENROOM_HEADER_1"}',
      GREENROOM_HEADER_1: 'gate-value',
      GREENROOM_CONTROL_HOSTS: '["Control.example"]',
      GREENROOM_SEED: '7',
    },
    'r1',
  )
  expect(settings).toMatchObject({ headers: { 'X-Gate': 'gate-value' }, seed: '7' })
  expect(settings.target.controlHosts).toEqual(['control.example'])
  expect(() => readSettings({ ...given, GREENROOM_HEADERS: '{"X-Gate":"NOT_SET"}' }, 'r1')).toThrow(
    'NOT_SET is not set',
  )
})
