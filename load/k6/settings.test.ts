import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const given = { GREENROOM_TARGET: 'https://127.0.0.1:8443', GREENROOM_API_KEY: 'key-value' }

test('target and key are enough', () => {
  expect(readSettings(given)).toMatchObject({
    keys: [{ name: 'primary', requests_per_minute: 60, concurrent_sessions: undefined }],
    secrets: new Map([['primary', 'key-value']]),
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
  expect(() => readSettings(environment)).toThrow(message)
})

test('a target elsewhere is taken when its owner allows load', () => {
  const { target } = readSettings({
    ...given,
    GREENROOM_TARGET: 'https://staging.example',
    GREENROOM_ALLOW_LOAD: 'true',
  })
  expect(target.base).toBe('https://staging.example')
})
