import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { pinnedVersion } from '#load/k6/binary'
import { packageRoot } from '#spec/package-root'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { WHOLE_RUN_MS } from '../hang.ts'
import { newFolder } from '../new-folder.ts'

const load = createRequire(import.meta.url)
const { validateAction } = load('@action-validator/core') as {
  validateAction: (source: string) => { errors: unknown[] }
}
const { parse, parseAllDocuments } = load('yaml') as {
  parse: (source: string) => unknown
  parseAllDocuments: (source: string) => readonly { errors: readonly unknown[]; toJS: () => unknown }[]
}
const { validate } = load('dockerfile-utils') as { validate: (source: string) => readonly { message: string }[] }

const read = (...path: readonly string[]): string => readFileSync(join(packageRoot(), ...path), 'utf8')
const gate = join(packageRoot(), 'ci', 'gate.sh')

test('the action is one by its schema, and the schema notices what is wrong', () => {
  expect(validateAction(read('action.yml')).errors).toEqual([])
  expect(validateAction(read('action.yml').replace('using: composite', 'using: magic')).errors).not.toEqual([])
})

test('the action caches nothing, and hands inputs to scripts as variables only', () => {
  const { runs } = parse(read('action.yml')) as { runs: { steps: readonly { run?: string; uses?: string }[] } }
  expect(runs.steps.filter(({ uses }) => uses?.includes('cache') === true)).toEqual([])
  expect(runs.steps.filter(({ run }) => run?.includes('${{') === true)).toEqual([])
})

test('a comment that is refused fails no job: the exit code is that of the gate', () => {
  const { runs } = parse(read('action.yml')) as { runs: { steps: readonly Record<string, unknown>[] } }
  const soft = runs.steps.filter((one) => one['continue-on-error'] === true)
  expect(soft.map(({ name }) => name)).toEqual(['Comment'])
  const [workflow = ''] = /(?<=```yaml\n)on: [^`]+/.exec(read('docs/gate.md')) ?? []
  const { jobs } = parse(workflow) as { jobs: { gate: { permissions: object } } }
  expect(jobs.gate.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' })
})

test('a gate without a target is a wrong use, and no verdict on a service', async () => {
  const run = promisify(execFile)('bash', [gate], { env: { PATH: process.env['PATH'] ?? '' } })
  await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('GREENROOM_PROFILE') })
})

interface Job {
  readonly script: readonly string[]
  readonly cache: readonly unknown[]
  readonly variables: { readonly [name: string]: string }
  readonly artifacts: { readonly when: string; readonly reports: { readonly junit: string } }
}

test('the GitLab template has one job that keeps its reports, whatever came of it, and no cache', () => {
  const template = parse(read('ci', 'gitlab.yml')) as { readonly [job: string]: Job }
  expect(Object.keys(template)).toEqual(['greenroom'])
  const job = template['greenroom']
  expect(job?.cache).toEqual([])
  expect(job?.artifacts).toMatchObject({
    when: 'always',
    // Whoever names another folder finds the reports there, too.
    paths: ['$GREENROOM_OUT'],
    reports: { junit: '$GREENROOM_OUT/junit.xml' },
  })
})

test('the container file has no fault, pins the k6 of this checkout, and does not run as root', () => {
  const file = read('ci', 'Containerfile')
  expect(validate(file)).toEqual([])
  expect(validate(file.replace('USER node', 'USR node'))).not.toEqual([])
  expect(file).toContain(`ARG K6_VERSION=${pinnedVersion().replace('v', '')}\n`)
  expect(file).toContain('\nUSER node\n')
})

test('the nightly is a CronJob that waits for the one before, keeps its history, and gets keys from a secret', () => {
  const documents = parseAllDocuments(read('ci', 'nightly.yaml'))
  expect(documents.flatMap(({ errors }) => errors)).toEqual([])
  const [claim, job] = documents.map((one) => one.toJS())
  expect(claim).toMatchObject({ apiVersion: 'v1', kind: 'PersistentVolumeClaim' })
  const container = {
    args: ['load', 'nightly', '/plan/nightly.json', '--out', '/history'],
    envFrom: [{ secretRef: { name: 'greenroom-keys' } }],
  }
  expect(job).toMatchObject({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    spec: {
      concurrencyPolicy: 'Forbid',
      jobTemplate: {
        spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', containers: [container] } } },
      },
    },
  })
})

interface Ran {
  readonly code: number
  readonly said: string
}

/** The script of the action, with this checkout in the place of the published package. */
async function runGate(folder: string, more: { readonly [name: string]: string }): Promise<Ran> {
  const bin = `${process.execPath} ${join(packageRoot(), 'src', 'bin.js')}`
  const { PATH = '' } = process.env
  const given = { PATH, GREENROOM_COMMAND: bin, GREENROOM_OUT: join(folder, 'out'), XDG_STATE_HOME: folder, ...more }
  const { promise, resolve } = Promise.withResolvers<Ran>()
  execFile('bash', [gate], { env: given }, (error, out, err) => {
    resolve({ code: Number(error?.code ?? 0), said: out + err })
  })
  return promise
}

test('the script of the action judges a target and leaves all reports', { timeout: WHOLE_RUN_MS }, async () => {
  const folder = newFolder()
  const target = await startTarget()
  try {
    writeFileSync(join(folder, 'ca.pem'), target.ca_pem ?? '')
    const profile = profileOf(target, { caFile: join(folder, 'ca.pem') })
    writeFileSync(join(folder, 'profile.json'), JSON.stringify(profile))
    const job = { ...environmentOf(target), GREENROOM_PROFILE: join(folder, 'profile.json') }
    const ran = await runGate(folder, { ...job, GREENROOM_ARGUMENTS: '--tier smoke --seed 3' })
    expect(ran.said).toContain('Conformant')
    expect(ran.code).toBe(0)
    const files = ['report.html', 'junit.xml', 'ctrf.json', 'summary.md', 'results.json', 'trace.ndjson']
    expect(readdirSync(join(folder, 'out'))).toEqual(expect.arrayContaining(files))
  } finally {
    await target.stop()
  }
})

test('what is missing or wrong is the exit code of the script', { timeout: WHOLE_RUN_MS }, async () => {
  const folder = newFolder()
  expect((await runGate(folder, {})).said).toContain('GREENROOM_PROFILE')
  const ran = await runGate(folder, {
    GREENROOM_PROFILE: join(folder, 'none.json'),
    GREENROOM_ARGUMENTS: '--within 1m',
  })
  expect(ran).toMatchObject({ code: 2, said: expect.stringContaining('none.json') })
})
