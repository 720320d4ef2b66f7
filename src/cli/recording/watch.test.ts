import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environmentOf, profileOf } from '#target/profile'
import { type RunningTarget, startTarget } from '#target/start'
import { newFolder } from '#testing/new-folder'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'

const folder = newFolder()
let right: RunningTarget
let wrong: RunningTarget
beforeAll(async () => {
  right = await startTarget({ tls: false })
  wrong = await startTarget({ tls: false, defects: ['audio-files.file.id-string'] })
})
afterAll(() => Promise.all([right.stop(), wrong.stop()]))

/** Watches a target while `use` does something to it. */
async function watching(target: RunningTarget, name: string, use: (base: string, key: string) => Promise<void>) {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(profileOf(target)))
  const shell = fakeShell(environmentOf(target))
  const out = join(folder, name)
  const running = runProgram(['watch', '--target', file, '--out', out], shell)
  await expect.poll(shell.stdout).toContain('Ctrl-C ends it')
  const base = /GREENROOM_WATCHED=(\S+)/.exec(shell.stdout())?.[1] ?? ''
  await use(base, target.keys.primary)
  const page = await (await fetch(`${base}/`)).text()
  shell.interrupt()
  return { exit: await running, out, shell, page }
}

const body = {
  model: 'svc-a1-stream',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'host' }],
}

async function create(base: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sessions = `${base}/v1/realtime-avatar/sessions`
  await (await fetch(sessions, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  await (await fetch(sessions, { method: 'POST', headers, body: '{"model":"svc-a1-stream"}' })).text()
}

test('what a client did is judged, and judged again byte by byte', async () => {
  const { exit, out, shell, page } = await watching(right, 'right', create)
  expect(shell.stderr()).toMatch(
    /Nothing broken was seen: \d+ requirements held, [\d,]+ not observed\. \(exit code 0\)/,
  )
  expect(shell.stderr()).toContain('what passed is judged. A second Ctrl-C ends that, without a result')
  expect(exit).toBe(0)
  expect(page).toContain('Greenroom watch')
  const again = fakeShell()
  expect(await runProgram(['judge', join(out, 'trace.ndjson')], again)).toBe(0)
  expect(again.stdout()).toBe(readFileSync(join(out, 'results.json'), 'utf8'))
})

test('mistakes of the client stand apart and change no verdict', async () => {
  const { out, shell, exit } = await watching(right, 'mistaken', create)
  const mistakes = JSON.parse(readFileSync(join(out, 'client-mistakes.json'), 'utf8'))
  expect(mistakes).toMatchObject({ total: 1, kinds: [{ kind: 'invalid-request', count: 1 }] })
  expect(shell.stdout()).toContain('clients: invalid-request once')
  expect(exit).toBe(0)
})

test('a service that breaks a requirement ends with 1', async () => {
  const upload = async (base: string, key: string): Promise<void> => {
    await create(base, key)
    for (const word of ['one', 'two']) {
      const form = new FormData()
      const wav = readFileSync(new URL('../../../fixtures/media/speech.wav', import.meta.url))
      form.append('file', new File([new Uint8Array(wav)], `${word}.wav`, { type: 'audio/wav' }))
      const headers = { authorization: `Bearer ${key}` }
      await (await fetch(`${base}/v1/files/audios`, { method: 'POST', headers, body: form })).text()
    }
  }
  const { exit, shell } = await watching(wrong, 'wrong', upload)
  expect(shell.stdout()).toContain('fail audio-files.file.id-string')
  expect(exit).toBe(1)
})

test('without traffic there is nothing to judge', async () => {
  const { exit } = await watching(right, 'silent', async () => {})
  expect(exit).toBe(3)
})

test('no target and a taken port are wrong uses', async () => {
  await expect(runProgram(['watch'], fakeShell())).rejects.toMatchObject({ exit: 2 })
  const file = join(folder, 'taken.json')
  writeFileSync(file, JSON.stringify(profileOf(right)))
  const { port } = new URL(right.base_url)
  await expect(
    runProgram(['watch', '--target', file, '--port', port], fakeShell(environmentOf(right))),
  ).rejects.toMatchObject({ exit: 2, message: expect.stringContaining('it is taken') })
})
