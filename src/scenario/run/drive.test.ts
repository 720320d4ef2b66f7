import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { TargetOptions } from '#target/start'
import { startTarget } from '#target/start'
import { environmentOf, profileOf } from '#target/profile'
import type { Context } from '../author/context.ts'
import type { DriveOptions } from './drive.ts'
import { driveTarget } from './drive.ts'
import type { Scenario } from '../author/scenario.ts'
import { newFolder } from '#testing/new-folder'

const stops: (() => Promise<void>)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

async function embedded(options: TargetOptions = {}) {
  const target = await startTarget(options)
  stops.push(() => target.stop())
  const folder = newFolder()
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, target.ca_pem ?? '')
  const whole = profileOf(target, { caFile })
  const drive = (scenarios: readonly Scenario[], extra: Partial<DriveOptions> = {}) =>
    driveTarget({ profile: whole, environment: environmentOf(target), scenarios, seed: 1, ...extra })
  return { target, folder, drive }
}

const body = {
  model: 'svc-a1-stream',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'host', instructions: 'Be brief.', visual: { source_images: [] } }],
}

function scenario(id: string, drive: (context: Context) => Promise<unknown>, extra: Partial<Scenario> = {}): Scenario {
  const price = { requests: { primary: 3 }, sessions: { primary: 1 } }
  return { id, proves: [], price, ...extra, drive: async (context) => void (await drive(context)) }
}

const talk = (id: string, extra: Partial<Scenario> = {}) =>
  scenario(
    id,
    async (context) => {
      const channel = await context.connect(await context.create(body))
      const { frame } = channel.send({
        type: 'response.create',
        response: { script: { vocal: { type: 'speech', text: 'Hi.' } } },
      })
      const done = await channel.next({ type: 'response.done' }, { after: frame })
      if (done === undefined) throw new Error('no response.done')
    },
    extra,
  )

test('scenarios run against the reference target and leave nothing behind', async () => {
  const { target, drive } = await embedded()
  const { trace, outcomes, end } = await drive([talk('t.one'), talk('t.two'), talk('t.three')])
  expect(outcomes.map(({ outcome, reason }) => reason ?? outcome)).toEqual(['completed', 'completed', 'completed'])
  expect(end).toBe('completed')
  expect(trace.entries.at(0)?.kind).toBe('header')
  expect(trace.entries.at(-1)).toMatchObject({ kind: 'end', outcome: 'completed' })
  expect(trace.entries.at(-2)).toMatchObject({ kind: 'cleanup', closed: [], leaked: [] })
  await expect.poll(() => target.openSessions()).toBe(0)
  const requests = trace.entries.filter((entry) => entry.kind === 'request')
  expect(requests).toHaveLength(target.requestsServed())
})

test('a run notes when its process stood still, since nobody listened then', async () => {
  const { drive } = await embedded()
  const stand = scenario('t.still', async (context) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)
    await context.wait(450, 'lag')
  })
  const { trace } = await drive([stand])
  expect(trace.entries.some((entry) => entry.kind === 'halt' && entry.ms > 700)).toBe(true)
})

test.each([1, 2])('a workspace of %i sessions serves many scenarios', async (concurrentSessions) => {
  const { drive } = await embedded({ concurrentSessions })
  const { outcomes } = await drive(Array.from({ length: 6 }, (_, index) => talk(`t.n${index}`)))
  expect(outcomes.filter(({ outcome }) => outcome !== 'completed')).toEqual([])
})

test('a place that somebody else holds for a while is waited for', async () => {
  const { target, drive } = await embedded({ concurrentSessions: 1 })
  const leaves = Promise.withResolvers<void>()
  const other = drive([
    scenario('t.other', async (context) => {
      await context.create(body)
      await leaves.promise
    }),
  ])
  await expect.poll(() => target.openSessions()).toBe(1)
  const ours = drive([talk('t.one'), talk('t.two')])
  await expect.poll(() => target.requestsServed()).toBeGreaterThan(4)
  leaves.resolve()
  const outcomes = [...(await ours).outcomes, ...(await other).outcomes]
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'completed'])
})

test('neither trace nor journal hold a key or a session secret', async () => {
  const { target, folder, drive } = await embedded()
  const secrets: string[] = Object.values(target.keys)
  const sees = scenario('t.sees', async (context) => {
    const session = await context.create(body)
    secrets.push(String((session.data['control'] as { client_secret?: string }).client_secret))
    await context.connect(session)
    context.block('model_choice', `the secret is ${secrets.at(-1)}`)
  })
  await drive([sees], { out: join(folder, 'trace.ndjson'), journal: join(folder, 'run.journal') })
  const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(written.join('')).toContain('the secret is [client_secret')
  for (const secret of secrets) expect(written.join('')).not.toContain(secret)
})

test('an interrupted run closes what it made and says so', async () => {
  const { target, drive } = await embedded()
  const abort = new AbortController()
  const hangs = scenario('t.hangs', async (context) => {
    await context.create(body)
    expect(target.openSessions()).toBe(1)
    setTimeout(() => abort.abort(), 20)
    await context.wait(60_000, 'timer')
  })
  const { trace, outcomes } = await drive([hangs, talk('t.later', { runs: 'last' })], { signal: abort.signal })
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['interrupted', 'interrupted'])
  expect(trace.entries.at(-2)).toMatchObject({ kind: 'cleanup', closed: [expect.any(String)], leaked: [] })
  expect(trace.entries.at(-1)).toMatchObject({ kind: 'end', outcome: 'interrupted' })
  await expect.poll(() => target.openSessions()).toBe(0)
})

test('a spent budget blocks what is left, and cleanup goes on', async () => {
  const { target, drive } = await embedded()
  const { outcomes } = await drive([talk('t.one'), talk('t.two'), talk('t.three'), talk('t.four')], {
    max_requests: 6,
    at_once: 1,
  })
  expect(outcomes.map(({ reason_code, outcome }) => reason_code ?? outcome)).toContain('budget')
  expect(outcomes[0]?.outcome).toBe('completed')
  await expect.poll(() => target.openSessions()).toBe(0)
  expect(target.requestsServed()).toBeLessThanOrEqual(6)
})

test('the same seed gives the same draws in another run', async () => {
  const { drive } = await embedded()
  const draws: number[] = []
  const draw = scenario('t.draw', async (context) => draws.push(context.random(1e6)))
  await drive([draw, talk('t.one')])
  await drive([draw])
  expect(draws[0]).toBe(draws[1])
})

test('whoever connects to a session that was asked to close is refused once, and waits for nothing', async () => {
  const { drive } = await embedded()
  const returns = scenario('t.returns', async (context) => {
    const session = await context.create(body)
    await (await context.connect(session)).close()
    await context.close(session)
    await context.closed(session)
    expect((await context.open(session)).state).toBe('refused')
  })
  const { trace, outcomes } = await drive([returns])
  expect(outcomes.map(({ reason, outcome }) => reason ?? outcome)).toEqual(['completed'])
  expect(trace.entries.filter(({ kind }) => kind === 'channel-open')).toHaveLength(2)
  expect(trace.entries.some((entry) => entry.kind === 'wait' && entry.why === 'lag')).toBe(false)
})
