import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { fakeShell } from './fake-shell.ts'
import { loadProfile } from './profile/load-profile.ts'
import { runProgram } from './program.ts'

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
  expect(shell.stderr()).toBe('greenroom serve: 1 requests served, 0 sessions were still open\n')
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
    message: `--port ${port} cannot be used: it is taken`,
  })
  shell.interrupt()
  await running
})
