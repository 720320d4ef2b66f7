import { expect, test } from 'vitest'
import { tallyFor } from '../core/common-measures.ts'
import { type Judgement, judgementOf } from '../core/findings.ts'
import { type ClientEvent, rightUpdate, type Step } from '../testing/right-answers.ts'
import { judgePartOf, runScenario } from '../testing/run-scenario.ts'
import { workloads } from '../workloads.ts'
import { soak } from './soak.ts'

const scale = { turns: 4, patience_ms: 1_000, turn_interval_ms: 500 }

test('a session is held over two connections, closed, and gone', async () => {
  const run = await runScenario(soak, {}, scale)
  expect(run.tally).toMatchObject({
    conversations: { begun: 2, whole: 2 },
    responses: { whole: 4 },
    open_status: { active: 1 },
    closed_status: { closed: 1 },
    old_secret: { refused: 1 },
    got: { own: 1 },
    stays: { closed: 1 },
    sessions: { opened: 1, closed: 1 },
  })
  expect(judgePartOf(soak, run)).toMatchObject({ verdict: 'pass', findings: [] })
})

test.each([false, true])(
  'a service that notices late that a connection is gone lets the next one in then (%j)',
  async (refusesByClose) => {
    const run = await runScenario(soak, { leavesSlowly: 1_500, refusesByClose }, scale)
    expect(run.tally).toMatchObject({ conversations: { begun: 2, whole: 2 } })
    expect(judgePartOf(soak, run)).toMatchObject({ verdict: 'pass', findings: [] })
  },
)

test('turns keep to their schedule', async () => {
  const { ran } = await runScenario(soak, {}, { ...scale, turns: 10, turn_interval_ms: 2_000 })
  // One second to the first iteration, twice five turns, four seconds until it is gone.
  expect(ran.duration_ms).toBeGreaterThan(1_000 + 2 * 4 * 2_000 + 4_000)
  expect(ran.duration_ms).toBeLessThan(1_000 + 2 * 5 * 2_000 + 4_000)
})

test.each([0, 500, 1_000])(
  'an old secret that is let in and shut out %s ms later does not work',
  async (oldSecretsWork) => {
    const run = await runScenario(soak, { oldSecretsWork }, scale)
    expect(run.tally).toMatchObject({ old_secret: { refused: 1 } })
    expect(judgePartOf(soak, run)).toMatchObject({ verdict: 'pass', findings: [] })
  },
)

test('a Get Session that tells of a closed connection says nothing of its session', async () => {
  const { tally } = await runScenario(soak, { get: 'connection' }, scale)
  expect(tally['old_secret']).toEqual({ refused: 1 })
})

/** The first update of the second connection, with the end of one of the first connection. */
function toldAgain(event: ClientEvent): readonly Step[] {
  const before = event.event_id.replace(/-u2$/, '-u0')
  const done = { event_id: 'again', type: 'session.update.done', request_event_id: before, status: 'completed' }
  return before === event.event_id ? rightUpdate(event) : [...rightUpdate(event), [1, done]]
}

test.each([
  ['a session that stays active', { closedStatus: 'active' }, 'still active'],
  ['one that closes for ever', { closedStatus: 'closing' }, 'still closing'],
  ['one that fails', { closedStatus: 'failed' }, 'failed as they closed'],
  ['one that is active again', { revivesAfter: 3 }, 'active again after they had been closed'],
  ['a Get Session that names another one', { get: 'another' }, 'named another session'],
  ['an end of an update that is told again', { update: toldAgain }, 'update-done-again'],
  ['an old secret that works', { closedStatus: 'closed', oldSecretsWork: true }, 'let their old secret in'],
] as const)('%s is found', async (_, quirks, reason) => {
  const { verdict, findings } = judgePartOf(soak, await runScenario(soak, quirks, scale))
  expect(verdict).toBe('fail')
  expect(findings.map(({ text }) => text).join()).toContain(reason)
})

/** Ten sessions that were held and closed, of which one ended otherwise, on a generator that was late by so much. */
function judgedWith(count: 'closed_status' | 'old_secret', key: string, lag_ms: number): Judgement {
  const tally = tallyFor(soak.measures({ serverEvents: [], errorCodes: [] }), { serverEvents: [], errorCodes: [] })
  tally.count('conversations', 'begun', 20)
  tally.count('conversations', 'whole', 20)
  tally.count('responses', 'whole', 40)
  tally.count('open_status', 'active', 10)
  tally.count(count, key)
  tally.time('timer_lag_ms').record(lag_ms)
  const facts = {
    workloadName: 'smoke',
    workload: workloads.smoke,
    keys: [],
    iterations: 10,
    dropped: 0,
    scenarios: 1,
  } as const
  const { broken, trouble, invalid } = soak.judge(tally, facts)
  return judgementOf({ broken, trouble, invalid: [...invalid, { text: 'the generator was behind' }] })
}

test.each([
  ['closed_status', 'active', 700, 900],
  ['closed_status', 'closing', 3_000, 4_000],
  ['old_secret', 'opened', 150, 300],
] as const)('%s %s is the target’s where the generator was late by %s ms, not by %s', (count, key, little, much) => {
  expect(judgedWith(count, key, little).verdict).toBe('fail')
  expect(judgedWith(count, key, much).verdict).toBe('invalid')
})

test('a session that fails by itself has ended by itself, and so have few of many nothing said of them', async () => {
  const run = await runScenario(soak, { get: 'failed' }, scale)
  expect(run.tally).toMatchObject({ open_status: { failed: 1 } })
  const { verdict, findings } = judgePartOf(soak, run)
  expect(verdict).toBe('invalid')
  expect(findings.map(({ text }) => text).join()).toMatch(/^1 of 1 sessions were ended by the service itself/)
})

test('a session whose close nobody took is not watched as if it had been closed', async () => {
  const run = await runScenario(soak, { closes: { status: 200, body: '{"code":30004,"message":"no"}' } }, scale)
  expect(run.tally).toMatchObject({ sessions: { unclosed: 1 } })
  expect(run.tally['closed_status']).toBeUndefined()
})

test('a close that is refused because it was carried out before, unheard, has closed its session', async () => {
  const firstCloses = [
    { status: 500, headers: {}, body: '{"code":50000,"message":"","data":null}', after_ms: 1 },
    { status: 400, headers: {}, body: '{"code":30004,"message":"","data":null}', after_ms: 1 },
  ]
  const run = await runScenario(soak, { firstCloses }, scale)
  expect(run.tally).toMatchObject({ closed_status: { closed: 1 }, old_secret: { refused: 1 }, sessions: { closed: 1 } })
  expect(judgePartOf(soak, run)).toMatchObject({ verdict: 'pass', findings: [] })
})

test.each([
  ['nested', {}, { closed_status: { closed: 1 }, old_secret: { refused: 1 } }, 'pass'],
  ['nested', { closedStatus: 'active' }, { closed_status: { active: 1 } }, 'fail'],
  ['no-status', {}, { closed_status: { unknown: 1 }, old_secret: { refused: 1 } }, 'pass'],
  ['no-status', { oldSecretsWork: true }, { closed_status: { unknown: 1 }, old_secret: { opened: 1 } }, 'fail'],
] as const)('where Get Session is %s, %j is %j: %s', async (get, quirks, tally, verdict) => {
  const run = await runScenario(soak, { get, ...quirks }, scale)
  expect(run.tally).toMatchObject(tally)
  expect(judgePartOf(soak, run).verdict).toBe(verdict)
})
