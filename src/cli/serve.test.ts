import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { fakeShell } from './testing/fake-shell.ts'
import { loadProfile } from './profile/load-profile.ts'
import { runProgram } from './program.ts'
import { newFolder } from '#testing/new-folder'

/** What a shell would have after the lines were run. */
function exported(lines: string): { readonly [name: string]: string } {
  return Object.fromEntries([...lines.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
}

test('serve prints what is needed to use it, serves until it is interrupted, and leaves nothing behind', async () => {
  const shell = fakeShell()
  const running = runProgram(['serve', '--no-tls', '--seed', '3'], shell)
  await expect.poll(shell.stdout).toContain('Ctrl-C ends it')
  const env = exported(shell.stdout())
  const file = /check --target (\S+)/.exec(shell.stdout())?.[1] ?? ''
  expect(loadProfile(file, env)).toMatchObject({ profile: { base_url: env['GREENROOM_TARGET'] }, unset: [] })
  const headers = { authorization: `Bearer ${env['GREENROOM_API_KEY']}` }
  const reply = await fetch(`${env['GREENROOM_TARGET']}/v1/realtime-avatar/sessions`, { headers })
  expect(await reply.json()).toMatchObject({ code: 0 })
  shell.interrupt()
  expect(await running).toBe(0)
  expect(shell.stderr()).toBe('greenroom serve: 1 request served, 0 sessions were still open\n')
  expect(existsSync(dirname(file))).toBe(false)
})

test('with TLS the certificate is written where Node looks for it', async () => {
  const shell = fakeShell()
  const running = runProgram(['serve'], shell)
  await expect.poll(shell.stdout).toContain('Ctrl-C ends it')
  const env = exported(shell.stdout())
  expect(env['GREENROOM_TARGET']).toMatch(/^https:/)
  expect(existsSync(env['NODE_EXTRA_CA_CERTS'] ?? '')).toBe(true)
  shell.interrupt()
  expect(await running).toBe(0)
})

test('the same seed brings the same keys', async () => {
  const [one, other] = await Promise.all(
    ['3', '3'].map(async (seed) => {
      const shell = fakeShell()
      const running = runProgram(['serve', '--no-tls', '--seed', seed], shell)
      await expect.poll(shell.stdout).toContain('Ctrl-C ends it')
      shell.interrupt()
      await running
      return exported(shell.stdout())['GREENROOM_API_KEY']
    }),
  )
  expect(one).toBe(other)
})

test('a port that is taken is a wrong use', async () => {
  const shell = fakeShell()
  const running = runProgram(['serve', '--no-tls'], shell)
  await expect.poll(shell.stdout).toContain('Ctrl-C ends it')
  const { port } = new URL(exported(shell.stdout())['GREENROOM_TARGET'] ?? '')
  await expect(runProgram(['serve', '--no-tls', '--port', port], fakeShell())).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining(`--port ${port} cannot be used: it is taken`),
  })
  shell.interrupt()
  await running
})

test.for([{ tls: true }, { tls: false }])(
  'the lines for curl and Node work as printed (TLS $tls), and the log shows no secret',
  async ({ tls }) => {
    const folder = newFolder()
    const log = join(folder, 'requests.log')
    const shell = fakeShell()
    const running = runProgram(['serve', '--log', log, ...(tls ? [] : ['--no-tls'])], shell)
    await expect.poll(shell.stdout).toContain('Ctrl-C ends it')
    const env: { readonly [name: string]: string } = { PATH: process.env['PATH'] ?? '', ...exported(shell.stdout()) }
    const line = (start: RegExp) => {
      const [found = ''] = shell
        .stdout()
        .split('\n')
        .filter((one) => start.test(one))
      return found.replace(start, '')
    }
    const run = promisify(execFile)
    const said = async (text: string) => (await run('bash', ['--norc', '-c', text], { env })).stdout
    try {
      expect(JSON.parse(await said(line(/^# a first session: /)))).toMatchObject({ code: 0 })
      const visit = await said(line(/^# a session and its control channel: /))
      expect(visit).toMatch(/^conversation\.item\.created/m)
      expect(visit).toMatch(/^response\.done/m)
      expect(JSON.parse(await said(line(/^# the interface as OpenAPI: /)))).toMatchObject({ openapi: '3.1.0' })
      const written = readFileSync(log, 'utf8')
      expect(written).toMatch(/ POST \/v1\/realtime-avatar\/sessions 200 \d+ ms \(key primary\)$/m)
      expect(written).toMatch(/ UPGRADE \/v1\/realtime-avatar\/control\?session_id=\S+$/m)
      expect(written).toMatch(/ GET \/openapi\.json 200 \d+ ms$/m)
      expect(written).not.toMatch(/token|Bearer/)
      expect(written).not.toContain(env['GREENROOM_API_KEY'])
    } finally {
      shell.interrupt()
      await running
    }
  },
)

test('a defect that there is not is answered with those that are near', async () => {
  const message = (id: string) =>
    runProgram(['serve', '--defect', id], fakeShell()).catch((error: unknown) => String(error))
  expect(await message('voices.clone.langage-missing')).toMatch(/did you mean "[^"]*voices[^"]*", or /)
  expect(await message('qqqq')).toContain('--defect "qqqq" is not known. See "npx greenroom list --defects"')
})

test('defects are listed by part and word', async () => {
  const shell = fakeShell()
  await runProgram(['list', '--defects', '--part', 'limits', '--word', 'Retry-After'], shell)
  const lines = shell.stdout().trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(/ limits\..*retry-after/i)
})
