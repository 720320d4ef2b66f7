import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTarget } from '#target/start'
import { writeFakeK6 } from '#testing/fake-k6'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { newFolder } from '#testing/new-folder'

const folder = newFolder()

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const away = { base_url: 'https://staging.example', keys: { primary: 'GR_KEY' } }
const here = { ...away, base_url: 'https://127.0.0.1:1' }
const target = (profile: object): readonly string[] => ['--target', file('profile.json', profile)]

/** What a command line is told, with a k6 that would say so if it ran. */
async function told(args: readonly string[], env: { readonly [name: string]: string } = {}): Promise<string> {
  const K6_BIN = writeFakeK6(folder, 'throw new Error("k6 ran")')
  const shell = fakeShell({ GR_KEY: 'key-value', XDG_STATE_HOME: folder, K6_BIN, ...env })
  const out = args[1] === 'list' || args[1] === 'explain' ? [] : ['--out', join(folder, 'out')]
  const error: unknown = await runProgram([...args, ...out], shell).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ exit: 2 })
  const { message } = error as Error
  expect(message).not.toContain('\n')
  expect(message).not.toContain('key-value')
  return message
}

test.each<[string, readonly string[], object, RegExp]>([
  [
    'an unknown scenario',
    ['control-troughput'],
    here,
    /^there is no scenario "control-troughput"; did you mean "control-throughput"\?/,
  ],
  [
    'an unknown workload',
    ['soak', '--workload', 'averge'],
    here,
    /^there is no workload "averge"; did you mean "average"\?/,
  ],
  ['a weight without a mix', ['soak', '--weight', 'soak=1'], here, /^--weight is for "mix" only/],
  ['a weight that is none', ['mix', '--weight', 'soak'], here, /^--weight "soak" is not of the form/],
  ['an unknown scenario in a mix', ['mix', '--weight', 'sook=1'], here, /did you mean "soak"\?/],
  ['a mix of one that runs alone', ['mix', '--weight', 'rate-limit=1'], here, /^--weight: rate-limit runs alone/],
  [
    'a target elsewhere',
    ['soak'],
    away,
    /^load goes only to targets on a loopback address, and https:\/\/staging\.example is none;.*"allow_load": true/,
  ],
  ['a target elsewhere that forbids load', ['soak'], { ...away, allow_load: false }, /"allow_load": true/],
  [
    'an objective of nothing',
    ['soak'],
    { ...here, objectives: { latency: { cretae: { p99_ms: 1 } } } },
    /^objectives\.latency names "cretae", which no scenario measures; did you mean "create"\?/,
  ],
  [
    'a percentile that there isn’t',
    ['soak'],
    { ...here, objectives: { latency: { create: { p98_ms: 1 } } } },
    /unknown field "p98_ms"/,
  ],
  ['no objective for a knee', ['knee', 'soak'], here, /^the profile has no objectives for this scenario/],
  [
    'an objective of a knee that is none',
    ['knee', 'soak', '--objective', 'create<5'],
    here,
    /^--objective "create<5" is not of the form/,
  ],
  [
    'an objective of a knee that is not measured',
    ['knee', 'soak', '--objective', 'creat:p99=5'],
    here,
    /^--objective names "creat", which soak does not measure; did you mean "create"\?/,
  ],
  ['manifests for a target that forbids load', ['k8s', 'soak'], away, /"allow_load": true/],
  ['a scenario that is a workload', ['smoke'], here, /^"smoke" is a workload, no scenario/],
  ['a command that is misspelt', ['liste'], here, /did you mean "list"\?/],
  ['a weight given twice', ['mix', '--weight', 'soak=1', '--weight', 'soak=2'], here, /^--weight names soak twice/],
  ['a rate for what goes by none', ['concurrency-limit', '--rate', '5'], here, /runs once, .*: leave out --rate; /],
  [
    'a length and processes for what runs once',
    ['rate-limit', '--seconds', '5', '--processes', '2'],
    here,
    /^rate-limit runs once, .*: leave out --seconds and --processes; /,
  ],
  [
    'a rate for a knee',
    ['knee', 'soak', '--objective', 'create:p99=5', '--rate', '3'],
    here,
    /leave out --rate, or say --start$/,
  ],
  [
    'a knee of what goes by no rate',
    ['knee', 'create-storm', '--objective', 'create:p99=5'],
    here,
    /so that it has no knee/,
  ],
  [
    'a knee that ends before it starts',
    ['knee', 'soak', '--objective', 'create:p99=5', '--start', '9', '--most', '2'],
    here,
    /^--start 9 is above --most 2$/,
  ],
  [
    'a tolerance of all',
    ['knee', 'soak', '--objective', 'create:p99=5', '--tolerance', '1'],
    here,
    /^--tolerance 1 is not below 1/,
  ],
  ['outputs of its own in the cloud', ['cloud', 'soak', '--k6-out', 'json'], here, /leave out --k6-out/],
  ['more runners than users', ['k8s', 'soak', '--processes', '9'], here, /^--processes 9 is more than 5 users/],
  ['a schedule that is none', ['k8s', 'soak', '--schedule', 'nightly'], here, /^--schedule "nightly" is no schedule/],
  ['a namespace that can be none', ['k8s', 'soak', '--namespace', 'A B'], here, /^--namespace "A B" is no name/],
  ['a secret that can be none', ['k8s', 'soak', '--secret', ''], here, /^--secret "" is no name/],
  ['an image without a name', ['k8s', 'soak', '--image', ''], here, /^--image "" names no image/],
  [
    'a name that no object can have',
    ['k8s', 'soak', '--name', 'My_Load'],
    { ...away, allow_load: true },
    /^--name "My_Load" is no name/,
  ],
])('%s', async (_, args, profile, sentence) => {
  expect(await told(['load', ...args, ...target(profile)])).toMatch(sentence)
})

test('results where no folder can be', async () => {
  const shell = fakeShell({ GR_KEY: 'key-value', XDG_STATE_HOME: folder, K6_BIN: writeFakeK6(folder, '') })
  const taken = file('taken', 'a file')
  for (const out of [taken, join(taken, 'below')])
    await expect(runProgram(['load', 'soak', ...target(here), '--out', out], shell)).rejects.toMatchObject({
      exit: 2,
      message: `--out ${out} cannot be written: a part of its path is a file`,
    })
})

test('what runs elsewhere does not reach a target on this machine: it is written all the same, and said', async () => {
  const shell = fakeShell({ GR_KEY: 'key-value' })
  const cluster = ['load', 'k8s', 'uploads', ...target(here), '--out', join(folder, 'k8s')]
  const cloud = ['load', 'cloud', 'uploads', ...target(here), '--out', join(folder, 'cloud.js')]
  expect(await runProgram(cluster, shell)).toBe(0)
  expect(shell.stderr()).toContain('https://127.0.0.1:1 is this machine only: a cluster does not reach it there')
  expect(await runProgram(cloud, shell)).toBe(0)
  expect(shell.stderr()).toContain('Grafana Cloud does not reach it there')
})

test('no k6 and no Go to build it', async () => {
  const path = process.env['PATH']
  process.env['PATH'] = folder
  try {
    rmSync(join(folder, 'k6'), { force: true })
    const sentence = await told(['load', 'soak', ...target(here)], { K6_BIN: join(folder, 'no-such-k6') })
    expect(sentence).toMatch(/^K6_BIN is no k6 v2: /)
  } finally {
    process.env['PATH'] = path
  }
})

test('an output that k6 does not have', async () => {
  const said = `console.log("invalid output type 'nosuch', available types are: csv, json"); process.exit(255)`
  const running = await startTarget({ tls: false })
  const { base_url, keys } = running
  const env = { GR_KEY: keys.primary, XDG_STATE_HOME: folder, K6_BIN: writeFakeK6(folder, said) }
  const profile = { base_url, keys: { primary: 'GR_KEY' }, allow_insecure_loopback: true }
  const args = ['load', 'soak', '--target', file('profile.json', profile), '--out', join(folder, 'out')]
  try {
    await expect(runProgram([...args, '--k6-out', 'nosuch'], fakeShell(env))).rejects.toMatchObject({
      exit: 2,
      message: '--k6-out "nosuch" is no output of this k6; it has csv, json',
    })
  } finally {
    await running.stop()
  }
})

test('a k6 that is too old', async () => {
  const K6_BIN = writeFakeK6(folder, '', 'k6 v1.8.1 (go1.25.0, linux/amd64)')
  const shell = fakeShell({ GR_KEY: 'key-value', K6_BIN })
  const run = runProgram(['load', 'soak', ...target(here)], shell)
  await expect(run).rejects.toMatchObject({ exit: 2, message: `K6_BIN is k6 v1.8.1, which is too old: v2 is needed` })
})

test.each<[string, unknown, RegExp]>([
  ['no JSON', '{"runs": [', /^the plan .* is not JSON/],
  ['no runs', { runs: [] }, /^the plan .*runs: expected an array with 1 or more in it/],
  [
    'a field that there isn’t',
    { runs: [{ scenario: 'mix', workload: 'smoke', weight: { soak: 3 } }] },
    /^the plan .*, run 1, has an unknown field "weight"; did you mean "weights"\?$/,
  ],
  ['a scenario that there isn’t', { runs: [{ scenario: 'sook', workload: 'smoke' }] }, /did you mean "soak"\?/],
  [
    'a rate that changes nothing',
    {
      runs: [
        { scenario: 'soak', workload: 'smoke' },
        { scenario: 'rate-limit', workload: 'smoke', rate: 5 },
      ],
    },
    /^the plan .*, run 2: rate-limit runs once, .*: leave out "rate"; /,
  ],
  [
    'weights without a mix',
    { runs: [{ scenario: 'soak', workload: 'smoke', weights: { soak: 1 } }] },
    /^the plan .*, run 1: "weights" is for "mix" only/,
  ],
  [
    'a run twice',
    {
      runs: [
        { scenario: 'soak', workload: 'smoke' },
        { scenario: 'soak', workload: 'smoke' },
      ],
    },
    /^the plan .*, runs 1 and 2: both are soak-smoke/,
  ],
])('a plan of a night with %s', async (_, plan, sentence) => {
  expect(await told(['load', 'nightly', file('plan.json', plan)])).toMatch(sentence)
})
