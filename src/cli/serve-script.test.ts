import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'
import { newFolder } from '#testing/new-folder'
import { SmallClient } from '#testing/stand-in/small-client'
import { fakeShell } from './testing/fake-shell.ts'
import { runProgram } from './program.ts'

const folder = newFolder()
const scripts = join(packageRoot(), 'fixtures/scripts')

/** Lets a client talk to a stand-in that follows a script, and gives back what it did and the trace of it. */
async function played(script: string, play: (client: SmallClient) => Promise<void>) {
  const shell = fakeShell()
  const trace = join(folder, `${script}.ndjson`)
  const file = join(scripts, `${script}.json`)
  const running = runProgram(['serve', '--no-tls', '--script', file, '--record', trace], shell)
  await expect.poll(shell.stdout).toContain('GREENROOM_API_KEY')
  const exported = (name: string): string => new RegExp(`^export ${name}=(.*)$`, 'm').exec(shell.stdout())?.[1] ?? ''
  const client = new SmallClient(exported('GREENROOM_TARGET'), exported('GREENROOM_API_KEY'))
  await play(client)
  await client.close()
  shell.interrupt()
  expect(await running).toBe(0)
  const judged = fakeShell()
  const exit = await runProgram(['judge', trace], judged)
  return { did: client.did, text: readFileSync(trace, 'utf8'), exit, results: JSON.parse(judged.stdout()) }
}

test('a third create that is refused for want of capacity is tried again under its key', async () => {
  const { did, text, exit, results } = await played('busy-platform', async (client) => {
    for (let session = 1; session <= 3; session += 1) await client.start()
  })
  expect(did).toEqual(['tried again after 30008'])
  expect(text.match(/"idempotency_key":"start-3"/g)).toHaveLength(2)
  expect(results.traffic).toMatchObject({ sessions_created: 3, rest_requests: 4 })
  expect(exit).toBe(0)
})

test('a response that stalls is asked for again, and the answer comes', async () => {
  const answers: string[] = []
  const { did, exit } = await played('slow-model', async (client) => {
    await client.start()
    for (const question of ['one', 'two']) answers.push(await client.ask(question, 1_000))
  })
  expect(did).toEqual(['asked again'])
  expect(answers.every((answer) => answer.length > 0)).toBe(true)
  expect(exit).toBe(0)
})

test('a channel that breaks in the middle is connected again with the same secret', async () => {
  const { did, results, exit } = await played('broken-channel', async (client) => {
    await client.start()
    for (let question = 1; question <= 8; question += 1) await client.ask(`question ${question}`)
  })
  expect(did).toEqual(['connected again'])
  expect(results.traffic.sessions_created).toBe(1)
  expect(exit).toBe(0)
})

test('a session that has expired is made anew', async () => {
  const { did, results, exit } = await played('expired-session', async (client) => {
    await client.start()
    expect(await client.ask('are you there')).not.toBe('')
  })
  expect(did).toEqual(['made a new session'])
  expect(results.traffic.sessions_created).toBe(2)
  expect(exit).toBe(0)
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
