import { expect, test } from 'vitest'
import { environmentOf, type Handed, outputVariables, secretVariables, variablesOf } from './environment.ts'

const handed: Handed = {
  run: 'r1',
  seed: 7,
  profile: {
    base_url: 'https://staging.example',
    ca_file: '/etc/ca.pem',
    keys: { primary: 'GR_KEY', other_workspace: 'GR_OTHER' },
    headers: { 'X-Gate': 'GR_GATE' },
    proxy: 'GR_PROXY',
    allow_load: true,
    control_hosts: ['control.example'],
  },
  keys: [{ name: 'primary', requests_per_minute: 60, concurrent_sessions: undefined }],
  workloadName: 'smoke',
  scale: { users: 3 },
  weights: { soak: 1 },
  sample: 5,
}
const values = { GR_KEY: 'key-value', GR_OTHER: 'other-value', GR_GATE: 'gate-value', GR_PROXY: 'http://u:pw@proxy' }

test('variables name where secrets stand and hold none', () => {
  const variables = variablesOf(handed)
  expect(JSON.parse(variables['GREENROOM_KEYS'] ?? '')).toEqual([
    { name: 'primary', requests_per_minute: 60, env: 'GREENROOM_KEY_PRIMARY' },
  ])
  expect(variables).toMatchObject({
    GREENROOM_ALLOW_LOAD: 'true',
    GREENROOM_MIX: '{"soak":1}',
    SSL_CERT_FILE: '/etc/ca.pem',
  })
  for (const value of Object.values(values)) expect(JSON.stringify(variables)).not.toContain(value)
})

test('k6 gets the values of the keys that it uses, of headers and of the proxy, and of nothing else', () => {
  expect(Object.values(secretVariables(handed))).toEqual(['GR_KEY', 'GR_GATE', 'GR_PROXY', 'GR_PROXY'])
  expect(environmentOf(handed, values)).toMatchObject({
    GREENROOM_KEY_PRIMARY: 'key-value',
    GREENROOM_HEADERS: '{"X-Gate":"GREENROOM_HEADER_1"}',
    GREENROOM_HEADER_1: 'gate-value',
    HTTPS_PROXY: 'http://u:pw@proxy',
  })
  expect(JSON.stringify(environmentOf(handed, values))).not.toContain('other-value')
})

test('an authority that Node trusts is trusted by k6, unless the profile names one', () => {
  const environment = { ...values, NODE_EXTRA_CA_CERTS: '/etc/more.pem' }
  const { ca_file: _, ...profile } = handed.profile
  expect(environmentOf({ ...handed, profile }, environment)['SSL_CERT_FILE']).toBe('/etc/more.pem')
  expect(environmentOf(handed, environment)['SSL_CERT_FILE']).toBe('/etc/ca.pem')
  expect(environmentOf({ ...handed, profile }, values)).not.toHaveProperty('SSL_CERT_FILE')
})

test('load that nobody allowed is not allowed in k6 either', () => {
  const { allow_load: _, ...profile } = handed.profile
  expect(variablesOf({ ...handed, profile })).not.toHaveProperty('GREENROOM_ALLOW_LOAD')
})

test('outputs take their settings from the environment', () => {
  const environment = {
    K6_PROMETHEUS_RW_SERVER_URL: 'http://prom',
    K6_OTEL_SERVICE_NAME: 'load',
    K6_VUS: '9',
    HOME: '/',
  }
  expect(Object.keys(outputVariables(environment))).toEqual(['K6_PROMETHEUS_RW_SERVER_URL', 'K6_OTEL_SERVICE_NAME'])
})
