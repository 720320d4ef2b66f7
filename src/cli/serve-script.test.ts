import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'
import { newFolder } from '#testing/new-folder'
import { writtenIn } from '#testing/written-in-docs'
import { fakeShell } from './testing/fake-shell.ts'
import { runProgram } from './program.ts'

const folder = newFolder()
const page = 'docs/stand-in.md'

/** The examples of the page: script, arguments of the client, and what the page says that it prints. */
const examples = [
  ...readFileSync(join(packageRoot(), page), 'utf8').matchAll(
    /--script ([\w-]+)\.json.*\nnpx node (docs\/\S+) (.*?) #.*\n```\n\n```text\n([^`]*)```/g,
  ),
].map(([, script = '', client = '', args = '', printed = '']) => ({ script, client, args, printed }))

/** By script, what the client makes and sends. */
const traffic: { readonly [script: string]: object } = {
  'busy-platform': { sessions_created: 3, rest_requests: 7 },
  'slow-model': { sessions_created: 1, rest_requests: 2 },
  'broken-channel': { sessions_created: 1, rest_requests: 2 },
  'expired-session': { sessions_created: 2, rest_requests: 4 },
}

test.for(examples)('the client of $script prints what the page says, and does nothing wrong', async (example) => {
  const { script, client, args, printed } = example
  const file = join(folder, `${script}.json`)
  writeFileSync(file, writtenIn(page).get(`${script}.json`) ?? '')
  const shell = fakeShell()
  const trace = join(folder, `${script}.ndjson`)
  const running = runProgram(['serve', '--no-tls', '--script', file, '--record', trace], shell)
  await expect.poll(shell.stdout).toContain('Ctrl-C ends it')
  const env = Object.fromEntries(
    [...shell.stdout().matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  const words = [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const { stdout } = await promisify(execFile)(process.execPath, [join(packageRoot(), client), ...words], { env })
  expect(stdout).toBe(printed)
  shell.interrupt()
  expect(await running).toBe(0)
  expect(shell.stderr()).toContain('clients: nothing was wrong')
  const judged = fakeShell()
  expect(await runProgram(['judge', trace], judged)).toBe(0)
  const results = JSON.parse(judged.stdout())
  expect(results.traffic).toMatchObject(traffic[script] ?? {})
  // Each session was asked for by one key, however often.
  const keys = readFileSync(trace, 'utf8').match(/"idempotency_key":"[^"]+"/g)
  expect(new Set(keys).size).toBe(results.traffic.sessions_created)
})

test('the page has an example for each thing that a script can do', () => {
  expect(examples.map(({ script }) => script)).toEqual(Object.keys(traffic))
})

test('all faults of a script are told at once, with near names', async () => {
  const file = join(folder, 'faulty.json')
  const faulty = { refuse: [{ operation: 'create-avatar-sesion', nth: 0, code: 30008 }], stal: [], break: [{}] }
  writeFileSync(file, JSON.stringify(faulty))
  await expect(runProgram(['serve', '--no-tls', '--script', file], fakeShell())).rejects.toMatchObject({ exit: 2 })
  const said = await runProgram(['serve', '--no-tls', '--script', file], fakeShell()).catch(String)
  expect(said).toContain('unknown field "stal"; did you mean "stall"?')
  expect(said).toContain('"create-avatar-sesion" is no operation; did you mean "create-avatar-session"?')
  expect(said).toContain('refuse.0.nth: expected')
  expect(said).toContain('break.0 lacks after_deltas')
})

test('the folder of a recording is made, an earlier trace gives way, and no other file does', async () => {
  const trace = join(folder, 'made/for/it.ndjson')
  const recorded = async (): Promise<number> => {
    const shell = fakeShell()
    const running = runProgram(['serve', '--no-tls', '--record', trace], shell)
    await expect.poll(shell.stdout).toContain('GREENROOM_API_KEY')
    shell.interrupt()
    return running
  }
  expect([await recorded(), await recorded()]).toEqual([0, 0])
  expect(readFileSync(trace, 'utf8').match(/"kind":"header"/g)).toHaveLength(1)
  writeFileSync(trace, 'notes')
  await expect(runProgram(['serve', '--no-tls', '--record', trace], fakeShell())).rejects.toThrow(
    'would overwrite a file that is no trace',
  )
  expect(readFileSync(trace, 'utf8')).toBe('notes')
  await expect(runProgram(['serve', '--no-tls', '--record', folder], fakeShell())).rejects.toThrow(
    'cannot be written: it is a folder',
  )
})

test('a script that cannot be read, and a recording over TLS, are wrong uses', async () => {
  await expect(runProgram(['serve', '--script', join(folder, 'none')], fakeShell())).rejects.toMatchObject({
    exit: 2,
  })
  await expect(runProgram(['serve', '--record', join(folder, 'x')], fakeShell())).rejects.toMatchObject({ exit: 2 })
})

test('at its end a recording says what the client did wrong, and judging it says so again', async () => {
  const shell = fakeShell()
  const trace = join(folder, 'mistakes.ndjson')
  const running = runProgram(['serve', '--no-tls', '--record', trace], shell)
  await expect.poll(shell.stdout).toContain('GREENROOM_API_KEY')
  const base = /^export GREENROOM_TARGET=(.*)$/m.exec(shell.stdout())?.[1] ?? ''
  await fetch(`${base}/v1/voices`)
  shell.interrupt()
  expect(await running).toBe(0)
  const said = 'clients: missing-key once (line 2: GET /v1/voices with no API key)\n'
  expect(shell.stderr()).toContain(said)
  const judged = fakeShell()
  await runProgram(['judge', trace], judged)
  expect(judged.stderr()).toContain(said)
})

test('the script that talks on a control channel says why there was no session', async () => {
  const file = join(folder, 'full.json')
  writeFileSync(file, JSON.stringify({ refuse: [{ operation: 'create-avatar-session', nth: 1, code: 30008 }] }))
  const shell = fakeShell()
  const running = runProgram(['serve', '--no-tls', '--script', file], shell)
  await expect.poll(shell.stdout).toContain('Ctrl-C ends it')
  const exported = [...shell.stdout().matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])
  const visit = /^# a session and its control channel: \S+ (\S+)$/m.exec(shell.stdout())?.[1] ?? ''
  const said = promisify(execFile)(process.execPath, [visit], { env: Object.fromEntries(exported) })
  await expect(said).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^\/v1\/realtime-avatar\/sessions was refused: HTTP 429, 30008 .+\n$/),
  })
  shell.interrupt()
  await running
})
