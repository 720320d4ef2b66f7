import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RequirementResult, Results } from '#judge/results'
import { confirmFailures } from '#replay/send/confirm'
import { type RunningTarget, startTarget } from '#target/start'
import { row as handMadeRow } from '#testing/hand-made-results'
import { listen, LOOPBACK_HOST } from '#testing/listener'
import type { Draft } from '#trace/writer'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { toConfirm } from './confirm.ts'
import { newFolder } from '#testing/new-folder'

const row = 'voices.list.language'
let folder = ''
const stops: (() => Promise<void>)[] = []
beforeEach(() => {
  folder = newFolder()
})
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

async function start(...defects: readonly string[]): Promise<RunningTarget> {
  const target = await startTarget({ tls: false, defects: [...defects] })
  stops.push(() => target.stop())
  return target
}

/** Hands everything on, and spoils the first list of voices that it brings back. */
async function spoilsOnce({ base_url }: RunningTarget): Promise<string> {
  let spoiled = false
  const server = createServer((asked, answered) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of asked) parts.push(part as Buffer)
      const headers = {
        authorization: asked.headers.authorization ?? '',
        'content-type': asked.headers['content-type'],
      }
      const { method = 'GET', url = '' } = asked
      const given = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined)
      const body = method === 'GET' ? {} : { body: Buffer.concat(parts) }
      const reply = await fetch(`${base_url}${url}`, { method, headers: given, ...body })
      const text = await reply.text()
      const spoil = !spoiled && method === 'GET' && /\/v1\/voices(?:\?|$)/.test(url) && text.includes('"language"')
      if (spoil) spoiled = true
      answered.writeHead(reply.status, { 'content-type': 'application/json' })
      answered.end(spoil ? text.replaceAll(/"language":"[^"]*"/g, '"language":7') : text)
    })().catch(() => answered.destroy())
  })
  const { port, stop } = await listen(server)
  stops.push(stop)
  return `http://${LOOPBACK_HOST}:${port}`
}

interface Told {
  readonly row: RequirementResult | undefined
  readonly results: Results
  readonly text: string
  readonly files: string
  readonly exit: number
}

/** Checks one row of a target, and judges the trace once more. */
async function checked(target: RunningTarget, base_url: string, ...more: readonly string[]): Promise<Told> {
  const keys = Object.fromEntries(Object.keys(target.keys).map((name) => [name, `GR_${name.toUpperCase()}`]))
  const { limits, media, triggers } = target
  const profile = { base_url, keys, limits, media, triggers, allow_insecure_loopback: true }
  writeFileSync(join(folder, 'profile.json'), JSON.stringify(profile))
  const values = Object.entries(target.keys).map(([name, value]) => [`GR_${name.toUpperCase()}`, value])
  const env = { PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: join(folder, 'state'), ...Object.fromEntries(values) }
  const out = join(folder, 'out')
  const shell = fakeShell(env)
  const line = ['check', '--target', join(folder, 'profile.json'), '--out', out, '--seed', '5', '--only', row]
  const exit = await runProgram([...line, '--confirm', ...more], shell)
  const text = readFileSync(join(out, 'results.json'), 'utf8')
  const again = fakeShell()
  expect(await runProgram(['judge', join(out, 'trace.ndjson')], again)).toBe(exit)
  expect(again.stdout()).toBe(text)
  const results = JSON.parse(text) as Results
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = all.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n')
  const found = results.requirements.find(({ id }) => id === row)
  return { row: found, results, text: shell.stdout(), files, exit }
}

test('a failure that is there each time is seen again; where the budget leaves no room, the reason says so', async () => {
  const target = await start(row)
  const { row: told, results, text, files, exit } = await checked(target, target.base_url)
  expect(told).toMatchObject({ verdict: 'fail', sent_again: { outcome: 'reproduced' } })
  expect(told?.reason).toMatch(/^expected .+, got .+; seen again when it was sent again$/)
  expect(text).toContain('confirmed seen again when it was sent again')
  expect(exit).toBe(1)
  expect(results).toMatchObject({ leaked: [], harness_errors: [] })
  for (const key of Object.values(target.keys)) expect(files).not.toContain(key)
  expect(files).toContain(`"scenario":"confirm.${row}"`)
  const tight = await checked(target, target.base_url, '--max-requests', '8')
  expect(tight.row).toMatchObject({ verdict: 'fail', sent_again: { outcome: 'not_sent' } })
  expect(tight.row?.reason).toMatch(/; not sent again: it takes up to \d+ requests?, and of the 8 .+ 0 were left$/)
})

test('a failure that came once is not seen again, and fails all the same', async () => {
  const target = await start()
  const { row: told, exit } = await checked(target, await spoilsOnce(target))
  expect(told).toMatchObject({ verdict: 'fail', sent_again: { outcome: 'not_reproduced' } })
  expect(told?.reason).toMatch(/; not seen again when it was sent again: it may come only now and then$/)
  expect(exit).toBe(1)
})

test('of more failures than are sent again each of the others says why it is not', () => {
  const failures = [{ expected: 'a', got: 'b', evidence: [1] }]
  const broken = Array.from({ length: 53 }, (_, place) => handMadeRow(`a.b.row-${place}`, 'fail', { failures }))
  const all = toConfirm(broken, () => [].values())
  expect(new Set(all.map(({ requirement }) => requirement)).size).toBe(53)
  const reasons = all.map((one) => ('obstacle' in one ? one.obstacle.reason_code : undefined))
  expect(reasons.filter((code) => code === 'budget')).toHaveLength(3)
  expect(all.at(-1)).toMatchObject({ obstacle: { reason: expect.stringContaining('50 other failures') } })
})

test('another failure of a row is cut only where it is asked for', () => {
  const cut: number[] = []
  function* replays() {
    for (const place of [0, 2]) {
      cut.push(place)
      yield { place, replay: { got: `failure ${place}` } as never }
    }
    return undefined
  }
  const [one] = toConfirm([handMadeRow('a.b.row', 'fail', { failures: [] })], replays)
  expect(cut).toEqual([0])
  if (one === undefined || 'obstacle' in one) throw new Error('it can be sent again')
  expect([one.replay.got, one.another()?.got, one.another()]).toEqual(['failure 0', 'failure 2', undefined])
})

/** Confirms failures of which each can only be left out, and is interrupted after some. @returns whose were left out */
async function interruptedAfter(count: number, ...requirements: readonly string[]): Promise<readonly string[]> {
  const abort = new AbortController()
  if (count === 0) abort.abort('SIGINT')
  const written: string[] = []
  const write = ({ kind, scenario }: Draft & { readonly scenario?: string }): void => {
    if (kind === 'scenario-end') written.push(scenario ?? '')
    if (written.length === count) abort.abort('SIGINT')
  }
  const open = { plan: {}, client: { traffic: () => ({ rest_requests: 0 }) }, trace: { write, now: () => 0 } }
  const obstacle = { reason_code: 'prerequisite', reason: 'it is a test' } as const
  const tools = { open, earlier: [], more: () => [], signal: abort.signal }
  const failures = requirements.map((requirement) => ({ requirement, obstacle }))
  await confirmFailures(failures, tools as never)
  return written
}

test('after an interrupt no further failure is looked at', async () => {
  expect(await interruptedAfter(0, 'a.one', 'a.two')).toEqual([])
  expect(await interruptedAfter(1, 'a.one', 'a.two', 'a.three')).toEqual(['confirm.a.one'])
  expect(await interruptedAfter(9, 'a.one', 'a.two')).toEqual(['confirm.a.one', 'confirm.a.two'])
})

test('sending again takes as long as the run took, and a minute at least', async () => {
  const ends: unknown[] = []
  const write = (entry: Draft): void => void (entry.kind === 'scenario-end' && ends.push(entry.reason))
  let now = 5_000
  const open = {
    plan: { profile: {} },
    client: { traffic: () => ({ rest_requests: 0 }) },
    trace: { write, now: () => (now += 61_000) - 61_000 },
  }
  const replay = { requirement: 'a.one', run: 'abcdefgh', steps: [], short: [], evidence: [] }
  const failures = [{ requirement: 'a.one', replay, another: () => undefined }]
  const tools = { open, earlier: [], more: () => [], signal: new AbortController().signal }
  await confirmFailures(failures as never, tools as never)
  expect(ends).toEqual(['the 60 s that sending again may take were over'])
})
