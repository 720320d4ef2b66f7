import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFullServer } from '#testing/full-server/start'
import { startMinimalServer } from '#testing/minimal-server/start'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { Visitor } from '#testing/visitor'
import { fakeShell } from '../testing/fake-shell.ts'
import { loadProfile } from '../profile/load-profile.ts'
import { seeControl } from './control-seen.ts'
import { runProgram } from '../program.ts'
import { newFolder } from '#testing/new-folder'

const folder = newFolder()

interface Asking {
  readonly url: string
  readonly key: string
  readonly ca_pem: string
  readonly image?: string
}

/** What `init --probe` writes and says. */
async function probed({ url, key, ca_pem, image }: Asking) {
  const name = crypto.randomUUID()
  const [ca, file] = [join(folder, `${name}.pem`), join(folder, `${name}.jsonc`)]
  writeFileSync(ca, ca_pem)
  const env = { GREENROOM_API_KEY: key, XDG_STATE_HOME: join(folder, name) }
  const shell = fakeShell(env)
  const more = image === undefined ? [] : ['--image-url', image]
  const exit = await runProgram(['init', file, '--probe', url, '--ca-file', ca, ...more], shell)
  expect(readFileSync(file, 'utf8')).not.toContain(key)
  expect(shell.stdout()).not.toContain(key)
  return { exit, out: shell.stdout(), text: readFileSync(file, 'utf8'), profile: loadProfile(file, env).profile }
}

async function examined(profile: object, env: Readonly<Record<string, string>>, ca_pem: string) {
  const name = crypto.randomUUID()
  const [ca_file, file] = [join(folder, `${name}.pem`), join(folder, `${name}.json`)]
  writeFileSync(ca_file, ca_pem)
  writeFileSync(file, JSON.stringify({ ...profile, ca_file }))
  const shell = fakeShell({ ...env, XDG_STATE_HOME: join(folder, name) })
  const exit = await runProgram(['doctor', '--target', file], shell)
  return { exit, out: shell.stdout() }
}

const words = /^ {2}(\w+) +(offered|not offered|not known): /gm

/** What the terminal says of each ability. */
function said(out: string): { readonly [ability: string]: string } {
  return Object.fromEntries([...out.matchAll(words)].map(([, name = '', verdict = '']) => [name, verdict]))
}

function requestsIn(out: string): number {
  return Number(/^(\d+) requests of at most 12/m.exec(out)?.[1])
}

const everything = {
  characters: 'offered',
  voices: 'offered',
  audio_files: 'offered',
  world_sessions: 'offered',
  // Nobody tells who made a voice.
  public_voices: 'not known',
  video: 'offered',
  resolution_480p: 'offered',
  rtc_b: 'offered',
  lite_model: 'offered',
  tool_calls: 'not known',
}

test('of the minimal server it says what that server declares', async () => {
  const server = await startMinimalServer()
  try {
    const { base_url: url, ca_pem, keys, profile: own } = server
    const { exit, out, profile } = await probed({ url, key: keys.primary, ca_pem, image: own.media.image_url })
    expect(exit).toBe(0)
    expect(profile.abilities).toEqual({ ...own.abilities, tool_calls: true })
    expect(said(out)['tool_calls']).toBe('not known')
    expect(out).toContain(`Control channels are at ${new URL(url).host}, which opened`)
    expect(requestsIn(out)).toBeLessThanOrEqual(12)
    await expect.poll(() => server.openSessions()).toEqual([])
    // Without an image nobody knows why the create was refused.
    const blind = await probed({ url, key: keys.primary, ca_pem })
    expect(said(blind.out)).toMatchObject({ video: 'not known', rtc_b: 'not known', lite_model: 'offered' })
  } finally {
    await server.stop()
  }
})

test('of the complete server it says that all is offered', async () => {
  const server = await startFullServer()
  try {
    const { base_url: url, media } = server.profile
    const key = server.environment[server.profile.keys.primary] ?? ''
    const { exit, out, text, profile } = await probed({ url, key, ca_pem: server.ca_pem, image: media.image_url })
    expect(exit).toBe(0)
    expect(said(out)).toEqual(everything)
    expect(profile).toMatchObject({ base_url: url, media: { image_url: media.image_url } })
    // Every key, medium and trigger stands there, with what it adds.
    for (const name of ['same_workspace', 'capacity_exhausted', 'audio_url', 'voice_sample', 'tool_call_text']) {
      expect(text).toContain(`// "${name}": `)
    }
    expect(text).toMatch(/\/\/ 34 more rows\.\n.*"other_workspace"/)
    expect(requestsIn(out)).toBeLessThanOrEqual(12)
    expect(server.openSessions()).toEqual([])
  } finally {
    await server.stop()
  }
})

test.for([
  { variations: ['list-paged', 'extra-headers'], rate: 'The target sent ratelimit: 60;w=60' },
  { variations: ['created-with-201', 'failures-with-200'], rate: 'No header told a rate limit' },
  { variations: ['closing-holds-slot', 'cleanup-slow', 'strict-bodies', 'cap-1'], rate: 'No header told a rate limit' },
])('of the reference target with $variations it says that all is offered', async ({ variations, rate }) => {
  const target = await startTarget({ variations })
  try {
    const asking = { url: target.base_url, key: target.keys.primary, ca_pem: target.ca_pem ?? '' }
    const { exit, out, text } = await probed({ ...asking, image: target.media.image_url })
    expect(exit).toBe(0)
    expect(said(out)).toEqual(everything)
    expect(text).toContain(`${rate}; sessions open in its workspace: 0`)
    expect(requestsIn(out)).toBeLessThanOrEqual(12)
    expect(target.left()).toEqual({ sessions: [], worlds: [], characters: [] })
    const { out: told, exit: found } = await examined(profileOf(target), environmentOf(target), target.ca_pem ?? '')
    expect(found).toBe(0)
    // A place that is freed late is all that there is to look at.
    expect(told.match(/^(look|WRONG) +(?! |sessions ).*$/gm)).toBeNull()
    expect(told).toMatch(/^ok +clock +as ours$/m)
    expect(requestsIn(told)).toBeLessThanOrEqual(12)
    expect(target.left()).toEqual({ sessions: [], worlds: [], characters: [] })
  } finally {
    await target.stop()
  }
})

test('a model without 480p is told by the probe, and judged in 720p', async () => {
  const target = await startTarget({ variations: ['output-480p-missing'] })
  try {
    const asking = { url: target.base_url, key: target.keys.primary, ca_pem: target.ca_pem ?? '' }
    const { out, profile } = await probed({ ...asking, image: target.media.image_url })
    expect(said(out)).toEqual({ ...everything, resolution_480p: 'not offered' })
    expect(profile.abilities).toMatchObject({ video: true, resolution_480p: false })
    expect(requestsIn(out)).toBeLessThanOrEqual(12)
    const blithe = { ...profileOf(target), abilities: {} }
    const { out: told } = await examined(blithe, environmentOf(target), target.ca_pem ?? '')
    expect(told).toMatch(/^look +abilities\.resolution_480p +declared as offered, and it seems not to be/m)
    expect(target.left()).toEqual({ sessions: [], worlds: [], characters: [] })
  } finally {
    await target.stop()
  }
})

test('the doctor says which key is none, what is missing, and what that would add', async () => {
  const server = await startFullServer()
  try {
    const { profile, environment, ca_pem } = server
    const keys = { primary: profile.keys.primary, capped: 'GR_NO_KEY', same_workspace: 'GR_UNSET' }
    const abilities = { world_sessions: false }
    const bare = { base_url: profile.base_url, keys, abilities, limits: { primary: { concurrent_sessions: 3 } } }
    const { exit, out } = await examined(bare, { ...environment, GR_NO_KEY: 'no-key' }, ca_pem)
    expect(exit).toBe(2)
    expect(out).toMatch(/^WRONG +keys\.capped +refused with 10003; put a valid key into GR_NO_KEY/m)
    expect(out).toMatch(/^look +keys\.same_workspace +GR_UNSET is not set/m)
    expect(out).toMatch(/^look +abilities\.world_sessions +declared away, and yet it seems to be offered/m)
    expect(out).toMatch(/sessions open in the workspace of the primary key: 0 of at most 3/)
    expect(out).toMatch(/`media\.image_url`: \d+ more rows/)
    expect(out).not.toContain('no-key')
    expect(requestsIn(out)).toBeLessThanOrEqual(12)
    expect(server.openSessions()).toEqual([])
  } finally {
    await server.stop()
  }
})

test('the doctor says that a full workspace lets nothing be judged', async () => {
  const server = await startMinimalServer({ concurrent_sessions: 1 })
  try {
    const { base_url, keys, profile, environment, ca_pem } = server
    const body = { model: 'svc-a1-stream', session: { mode: 'text_chat' }, avatars: [{ avatar_id: 'ada' }] }
    await new Visitor({ base_url, ca_pem }).send('POST', '/v1/realtime-avatar/sessions', keys.primary, body)
    const { exit, out } = await examined(profile, environment, ca_pem)
    expect(exit).toBe(3)
    expect(out).toMatch(/^WRONG +sessions +no session can be created: .*30006.*sessions open .*: 1 of at most 1/m)
    expect(server.openSessions()).toHaveLength(1)
  } finally {
    await server.stop()
  }
})

test('the doctor tells what stays open where a close does nothing, and counts what it sent for that apart', async () => {
  const target = await startTarget({ defects: ['avatar-sessions.close.leaves-active'] })
  try {
    const ca = target.ca_pem ?? ''
    const { out } = await examined(profileOf(target), environmentOf(target), ca)
    const [open] = target.left().sessions
    expect(out).toContain(`left open: ${open}`)
    expect(out).toMatch(/^12 requests of at most 12, and \d+ more to see that nothing stays open; /m)
  } finally {
    await target.stop()
  }
})

test('where nobody listens the doctor says so, and the probe writes nothing', async () => {
  const profile = { base_url: 'https://127.0.0.1:1', keys: { primary: 'GR_KEY' } }
  const server = await startMinimalServer()
  await server.stop()
  const { exit, out } = await examined(profile, { GR_KEY: 'a-key' }, server.ca_pem)
  expect(exit).toBe(3)
  expect(out).toMatch(/^WRONG +address +the target was not reached: nothing listens there/m)
  const file = join(folder, 'never.jsonc')
  const shell = fakeShell({ GREENROOM_API_KEY: 'a-key', XDG_STATE_HOME: folder })
  await expect(runProgram(['init', file, '--probe', profile.base_url], shell)).rejects.toMatchObject({
    exit: 3,
    message: expect.stringContaining('nothing listens there'),
  })
  expect(existsSync(file)).toBe(false)
})

test('a control host outside of the target is told, and gets no secret', async () => {
  const profile = { base_url: 'https://api.target.example', keys: {} }
  const data = { control: { url: 'wss://control.elsewhere.example/v1/realtime-avatar/control?session_id=s' } }
  const open = () => Promise.reject(new Error('nothing may be opened'))
  const seen = await seeControl({ profile, open }, { id: 's', exchange: 1, key: 'primary', data })
  expect(seen).toMatchObject({ host: 'control.elsewhere.example', foreign: true, opened: false })
  expect(seen.why).toContain('"control_hosts": ["control.elsewhere.example"]')
})
