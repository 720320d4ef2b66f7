import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'
import { type ClusterRun, manifestsOf, RUN_PLACEHOLDER, secretKeys } from './manifests.ts'

const run: ClusterRun = {
  name: 'greenroom-soak',
  namespace: 'load',
  script: 'export default () => undefined\n',
  handed: {
    run: 'r1',
    seed: 1,
    profile: {
      base_url: 'https://staging.example',
      ca_file: '/etc/ca.pem',
      keys: { primary: 'GR_KEY' },
      headers: { 'X-Gate': 'GR_GATE' },
      allow_load: true,
    },
    keys: [{ name: 'primary', requests_per_minute: 60, concurrent_sessions: undefined }],
    workloadName: 'soak',
    scale: {},
    weights: undefined,
    sample: 10,
  },
  runners: 4,
  image: 'grafana/k6:2.2.0',
  secret: 'greenroom-keys',
  schedule: '0 3 * * *',
  ca: '-----BEGIN CERTIFICATE-----\n',
  outputs: ['opentelemetry'],
}

type Json = { readonly [field: string]: never }

const manifests = manifestsOf(run)
const schema = JSON.parse(readFileSync(join(packageRoot(), 'fixtures/kubernetes/test-run.json'), 'utf8')) as object
const isTestRun = new Ajv2020({ strict: false, allErrors: true }).compile(schema)

/** What the operator does not know of a TestRun. */
const trouble = (value: unknown): readonly string[] =>
  isTestRun(value) ? [] : (isTestRun.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)

test('the run is one that the operator takes, by hand and by night', () => {
  expect(trouble(manifests['testrun.json'])).toEqual([])
  const nightly = manifests['nightly/manifest.json'] as { readonly data: { readonly [file: string]: string } }
  expect(trouble(JSON.parse(nightly.data['testrun.json'] ?? ''))).toEqual([])
})

test('the schema of the operator notices what is wrong', () => {
  const whole = manifests['testrun.json'] as { readonly spec: Json }
  for (const spec of [{ ...whole.spec, parallelism: '4' }, { ...whole.spec, runners: 4 }, { parallelism: 4 }])
    expect(trouble({ ...whole, spec })).not.toEqual([])
})

test('no manifest holds the value of a secret, and each key comes from the Secret', () => {
  expect(secretKeys(run)).toEqual(['GR_KEY', 'GR_GATE'])
  const text = JSON.stringify(manifests['testrun.json'])
  for (const [variable, key] of [
    ['GREENROOM_KEY_PRIMARY', 'GR_KEY'],
    ['GREENROOM_HEADER_1', 'GR_GATE'],
  ])
    expect(text).toContain(
      JSON.stringify({ name: variable, valueFrom: { secretKeyRef: { name: 'greenroom-keys', key } } }),
    )
})

test('runners share one run, and every night has another', () => {
  const env = (text: string): string => /"GREENROOM_RUN","value":"([^"]+)"/.exec(text)?.[1] ?? ''
  expect(env(JSON.stringify(manifests['testrun.json']))).toBe('r1')
  const cron = JSON.stringify(manifests['nightly/cronjob.json'])
  expect(cron).toContain(RUN_PLACEHOLDER)
  expect(JSON.stringify(manifests['nightly/manifest.json'])).toContain(RUN_PLACEHOLDER)
})

test('every object that another one names is there', () => {
  const all = Object.values(manifests).flatMap((one) => ('items' in one ? (one['items'] as Json[]) : [one]))
  const names = all.map(({ kind, metadata }) => `${String(kind)} ${(metadata as { name: string }).name}`)
  expect(names).toEqual([
    'ConfigMap greenroom-soak',
    'TestRun greenroom-soak',
    'ConfigMap greenroom-soak-testrun',
    'ServiceAccount greenroom-soak',
    'Role greenroom-soak',
    'RoleBinding greenroom-soak',
    'CronJob greenroom-soak',
  ])
  const configMap = manifests['configmap.json'] as { readonly data: { readonly [file: string]: string } }
  expect(Object.keys(configMap.data)).toEqual(['load.js', 'ca.pem'])
})
