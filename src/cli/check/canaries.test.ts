import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyNames } from '#spec/profile'
import { startTarget } from '#target/start'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { WHOLE_RUN_MS } from '#testing/hang'
import { newFolder } from '#testing/new-folder'

const secretNames = ['client_secret', 'token', 'user_sig', 'tts_api_key', 'llm_api_key']
const gate = 'canary-gate-5f0c9e71'

/**
 * All that a run wrote: results, trace, reports, journals. A character a byte, since secrets are ASCII: in megabytes of
 * wider text each would take several times as long to look for.
 */
function everythingIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
}

/** Forms in which a secret may travel, and what is as good as the secret. */
const forms = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
  secret.slice(1),
  secret.slice(0, -1),
]

test('no secret reaches a file, a report or the screen, in any form', { timeout: WHOLE_RUN_MS }, async () => {
  const folder = newFolder()
  const target = await startTarget({ variations: ['get-like-create'] })
  try {
    const { base_url, ca_pem = '', limits, media, triggers } = target
    const ca_file = join(folder, 'ca.pem')
    writeFileSync(ca_file, ca_pem)
    const keys = Object.fromEntries(keyNames.map((name) => [name, `CANARY_${name.toUpperCase()}`]))
    const profile = { base_url, ca_file, keys, limits, media, triggers, headers: { 'X-Gate': 'CANARY_GATE' } }
    writeFileSync(join(folder, 'profile.json'), JSON.stringify(profile))
    const values = Object.fromEntries(keyNames.map((name) => [`CANARY_${name.toUpperCase()}`, target.keys[name]]))
    const env = { PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: folder, CANARY_GATE: gate, ...values }
    const shell = fakeShell(env)
    const reports = ['junit', 'ctrf', 'github', 'allure'].flatMap((kind) => ['--report', kind])
    await runProgram(
      ['check', '--target', join(folder, 'profile.json'), '--out', join(folder, 'out'), '--verbose', ...reports],
      shell,
    )
    const written = [...everythingIn(folder), shell.stdout(), shell.stderr()]
    const secrets = [...Object.values(target.keys), ...target.secretsGiven(), gate]
    expect(secrets.length).toBeGreaterThan(20)
    const sought = [...new Set(secrets.flatMap(forms))]
    expect(Buffer.byteLength(sought.join(''))).toBe(sought.join('').length)
    expect(sought.filter((form) => written.some((text) => text.includes(form))).length).toBe(0)
    expect(unmasked(readFileSync(join(folder, 'out', 'trace.ndjson'), 'utf8'))).toEqual([])
  } finally {
    await target.stop()
  }
})

/** Names of secret fields that hold anything but a stand-in; never their values. */
function unmasked(trace: string): string[] {
  const found = trace.matchAll(new RegExp(`"(${secretNames.join('|')})":"([^"]+)"`, 'gi'))
  return [...found].flatMap(([, name = '', value = '']) => (/^(Bearer )?\[[^\]]+\]$/.test(value) ? [] : [name]))
}
