import { expect, test } from 'vitest'
import { refused } from '../testing/fake-avatars.ts'
import { judgePartOf, runScenario } from '../testing/run-scenario.ts'
import { interruptStorm } from './interrupt-storm.ts'

const scale = { turns: 2, patience_ms: 1_000 }

test('what was interrupted ends, the last comes whole, one waits and runs, a second is rejected', async () => {
  const run = await runScenario(interruptStorm, { scheduling: 'right' }, scale)
  expect(run.tally).toMatchObject({
    rounds: { begun: 2, whole: 2 },
    interrupted: { cancelled: 6 },
    last: { whole: 2 },
    pending: { whole: 2 },
    second_pending: { rejected: 2 },
    sessions: { opened: 1, closed: 1 },
  })
  expect(run.tally).not.toHaveProperty('flaws')
  expect(Object.keys(run.tally)).toEqual(expect.arrayContaining(['interrupt_ms', 'created_ms', 'pending_start_ms']))
  expect(judgePartOf(interruptStorm, run)).toMatchObject({ verdict: 'pass', findings: [] })
})

test.each([
  ['causes-unnamed', { interrupted: { cancelled: 6 } }],
  ['names-empty', { interrupted: { cancelled: 6 } }],
  ['tries-again', { interrupted: { cancelled: 6 } }],
  ['texts-bounded', { interrupted: { cancelled: 6 } }],
  ['texts-bounded-unnamed', { interrupted: { cancelled: 6 } }],
  ['text-flows', { interrupted: { cancelled: 6 } }],
  ['hears-late', { interrupted: { cancelled: 6 } }],
  ['opening-speaks', {}],
  ['opening-speaks-unnamed', {}],
  ['unbegun-untold', { interrupted: { cancelled: 2, unbegun: 4 } }],
] as const)('a correct service is left alone: %s', async (scheduling, tally) => {
  const run = await runScenario(interruptStorm, { scheduling }, scale)
  const whole = { last: { whole: 2 }, pending: { whole: 2 }, second_pending: { rejected: 2 }, rounds: { whole: 2 } }
  expect(run.tally).toMatchObject({ ...whole, ...tally })
  expect(judgePartOf(interruptStorm, run)).toMatchObject({ verdict: 'pass', findings: [] })
})

test('what is sent at once may be handled in any order: it is judged by a round in which each is heard before the next', async () => {
  const run = await runScenario(interruptStorm, { scheduling: 'handled-side-by-side' }, { ...scale, turns: 3 })
  expect(run.tally).toMatchObject({
    rounds: { begun: 4, unordered: 1, whole: 3 },
    last: { whole: 3 },
    pending: { whole: 3 },
    second_pending: { rejected: 1, ran: 2 },
  })
  expect(run.tally).not.toHaveProperty('flaws')
  expect(judgePartOf(interruptStorm, run)).toMatchObject({ verdict: 'pass', findings: [] })
})

test('two that interrupt and are both spoken to their ends, beside each other, are told: no order explains that', async () => {
  const run = await runScenario(interruptStorm, { scheduling: 'interrupts-race' }, { ...scale, characters: 12_000 })
  expect(run.tally).toMatchObject({ rounds: { unordered: 1, whole: 2 }, flaws: { 'two-at-once': 2 } })
  expect(Object.keys(run.tally['flaws'] ?? {})).toEqual(['two-at-once'])
  expect(judgePartOf(interruptStorm, run).verdict).toBe('fail')
  const other = { scheduling: 'handled-side-by-side' } as const
  const right = await runScenario(interruptStorm, other, { ...scale, characters: 12_000 })
  expect(right.tally).toMatchObject({ rounds: { unordered: 1, whole: 2 } })
  expect(judgePartOf(interruptStorm, right)).toMatchObject({ verdict: 'pass', findings: [] })
})

test('of a round that has no time to come to its end, nothing is told that another order explains', async () => {
  const hurried = { ...scale, characters: 400_000, iteration_ms: 1_000 }
  const run = await runScenario(interruptStorm, { scheduling: 'handled-side-by-side' }, hurried)
  expect(run.tally).toMatchObject({ rounds: { begun: 1, overtime: 1 } })
  expect(run.tally).not.toHaveProperty('flaws')
})

test('where there is no time to play a round again, the run is invalid', async () => {
  const hurried = { ...scale, characters: 60_000, iteration_ms: 1_000 }
  const run = await runScenario(interruptStorm, { scheduling: 'handled-side-by-side' }, hurried)
  expect(run.tally).toMatchObject({ rounds: { begun: 1, unordered: 1, unplayed: 1 } })
  const { verdict, findings } = judgePartOf(interruptStorm, run)
  expect([verdict, findings.map(({ text }) => text).join()]).toEqual(['invalid', expect.stringContaining('no time')])
})

test.each(['fails-once', 'fails-once-by-its-own-name'] as const)(
  'of few failures of the service, of many responses, nothing is said: %s',
  async (scheduling) => {
    const run = await runScenario(interruptStorm, { scheduling }, { ...scale, turns: 60 })
    expect(run.tally).toMatchObject({ last: { whole: 59, failed: 1 }, pending: { whole: 59, failed: 1 } })
    expect(run.tally).toMatchObject({ rounds: { begun: 60, whole: 60 } })
    expect(judgePartOf(interruptStorm, run)).toMatchObject({ verdict: 'pass', findings: [] })
  },
)

test('a failure of the service that is told without the event that caused it is no silence', async () => {
  const run = await runScenario(interruptStorm, { scheduling: 'fails-once-unnamed' }, { ...scale, turns: 4 })
  expect(run.tally).toMatchObject({ last: { whole: 3, failed: 1 } })
  expect(judgePartOf(interruptStorm, run).findings.map(({ text }) => text)).toEqual([
    expect.stringContaining('ended failed or incomplete'),
  ])
})

test('where text comes a character at a time, a round has few enough deltas to be judged', async () => {
  const run = await runScenario(interruptStorm, { scheduling: 'text-by-characters' }, { ...scale, characters: 600 })
  expect(run.tally).toMatchObject({ rounds: { whole: 2 }, last: { whole: 2 }, second_pending: { rejected: 2 } })
  expect(run.tally['events']?.['response.output_text.delta']).toBeLessThan(1_000)
  expect(judgePartOf(interruptStorm, run)).toMatchObject({ verdict: 'pass', findings: [] })
})

test('a service whose texts are shorter than those of the workload is judged by shorter ones', async () => {
  const run = await runScenario(interruptStorm, { scheduling: 'texts-bounded-tightly' }, { ...scale, characters: 300 })
  expect(run.tally).toMatchObject({ rounds: { whole: 2 }, interrupted: { cancelled: 6 }, last: { whole: 2 } })
  expect(judgePartOf(interruptStorm, run)).toMatchObject({ verdict: 'pass', findings: [] })
})

test('of responses without id nothing is said, and why', async () => {
  const run = await runScenario(interruptStorm, { scheduling: 'ids-missing' }, scale)
  const { verdict, findings } = judgePartOf(interruptStorm, run)
  expect(verdict).toBe('invalid')
  expect(findings.map(({ text }) => text)).toEqual([expect.stringContaining('without `id`')])
})

test('with texts that take a quarter of a minute, rounds begin as long as there is time', async () => {
  const run = await runScenario(interruptStorm, { scheduling: 'text-trickles' }, { ...scale, turns: 5 })
  expect(run.tally).toMatchObject({
    iterations: { begun: 1, ended: 1 },
    rounds: { begun: 1, whole: 1 },
    sessions: { opened: 1, closed: 1 },
  })
  expect(judgePartOf(interruptStorm, run)).toMatchObject({ verdict: 'pass', findings: [] })
})

test('a round that goes on for ever is left before k6 breaks it off, so that its session is closed', async () => {
  const run = await runScenario(interruptStorm, { scheduling: 'text-never-ends' }, scale)
  expect(run.tally).toMatchObject({
    iterations: { begun: 1, ended: 1 },
    rounds: { begun: 1, overtime: 1 },
    sessions: { opened: 1, closed: 1 },
  })
  const { verdict, findings } = judgePartOf(interruptStorm, run)
  expect(verdict).toBe('invalid')
  expect(findings.map(({ text }) => text).join()).toContain('time was over')
})

test('what the service cuts short because it ends the session says nothing of it', async () => {
  const run = await runScenario(interruptStorm, { scheduling: 'session-ends' }, scale)
  expect(run.tally).toMatchObject({ rounds: { begun: 1, ended: 1 } })
  const { verdict, findings } = judgePartOf(interruptStorm, run)
  expect(findings.map(({ text }) => text)).toEqual([expect.stringContaining('ended by the service itself')])
  expect(verdict).toBe('invalid')
})

test.each([
  [
    'interrupted-never-end',
    { rounds: { silent: 1 }, interrupted: { undone: 1, unbegun: 2 } },
    '1 interrupted response never ended',
  ],
  ['pending-never-starts', { rounds: { silent: 1 }, pending: { stuck: 1 } }, 'that waited never began'],
  ['pending-is-lost', { rounds: { silent: 1 }, pending: { stuck: 1 } }, 'that waited never began'],
  ['cleared-starts-later', { flaws: { 'cleared-ran': 1 } }, 'cleared-ran'],
  ['pending-survives-interrupt', { flaws: { 'cleared-ran': 2 } }, 'cleared-ran'],
  ['interrupts-wait', { flaws: { 'interrupt-waited': 3 } }, 'interrupt-waited'],
  ['interrupts-wait-for-ever', { flaws: { 'interrupt-waited': 1 } }, 'interrupt-waited'],
  ['many-wait', { second_pending: { ran: 2 }, flaws: { 'second-waited': 1 } }, 'second-waited'],
  ['rejects-all', { last: { rejected: 2 } }, 'responses that interrupt were rejected'],
  ['last-is-cut-short', { last: { failed: 2 } }, 'ended failed or incomplete'],
] as const)('%s is found', async (scheduling, tally, reason) => {
  const run = await runScenario(interruptStorm, { scheduling }, scale)
  expect(run.tally).toMatchObject(tally)
  const { verdict, findings } = judgePartOf(interruptStorm, run)
  expect(verdict).toBe('fail')
  expect(findings.map(({ text }) => text).join()).toContain(reason)
})

test('what the first interruption leaves undone, and the next one puts right, is found where there is but one', async () => {
  const scheduling = 'pending-survives-one-interrupt'
  const run = await runScenario(interruptStorm, { scheduling }, { ...scale, turns: 3 })
  expect(run.tally).toMatchObject({ rounds: { whole: 3 }, flaws: { 'cleared-ran': 1 } })
  expect(judgePartOf(interruptStorm, run).verdict).toBe('fail')
  const right = await runScenario(interruptStorm, { scheduling: 'right' }, { ...scale, turns: 3 })
  expect(right.tally).toMatchObject({ rounds: { whole: 3 }, interrupted: { cancelled: 7 } })
  expect(judgePartOf(interruptStorm, right)).toMatchObject({ verdict: 'pass', findings: [] })
})

test('a refused upgrade is tried again; one that is refused for good is told', async () => {
  const upgrades = [refused(503, 0), refused(429, 0)]
  const comes = await runScenario(interruptStorm, { scheduling: 'right', upgrades }, scale)
  expect(comes.tally).toMatchObject({ rounds: { whole: 2 }, upgrades: { refused: 2, opened: 1 } })
  expect(judgePartOf(interruptStorm, comes).verdict).toBe('pass')
  const never = await runScenario(interruptStorm, { scheduling: 'right', upgrade: refused(401, 20_005) }, scale)
  expect(never.tally).toMatchObject({ rounds: { unopened: 1 }, upgrades: { refused: 1 } })
  const { verdict, findings } = judgePartOf(interruptStorm, never)
  expect([verdict, findings[0]?.text]).toEqual(['fail', '1 control channel did not open'])
})

test('a session that was refused for our quota says nothing about the target', async () => {
  const creates = Array.from({ length: 4 }, () => ({ status: 429, body: '{"code":30006,"message":"no"}' }))
  const run = await runScenario(interruptStorm, { creates }, scale)
  expect(run.tally).toMatchObject({ turned_away: { concurrency: 1 }, errors: { 'create 429 30006': 4 } })
  expect(judgePartOf(interruptStorm, run).verdict).toBe('invalid')
})
