import { expect, test } from 'vitest'
import { answered, type Quirks, refused } from '../testing/fake-avatars.ts'
import { type ClientEvent, rightUpdate } from '../testing/right-answers.ts'
import { judgePartOf, runScenario } from '../testing/run-scenario.ts'
import { reconnectStorm } from './reconnect-storm.ts'

const scale = { turns: 3, patience_ms: 1_000 }

test('connections come back to their session, which still answers', async () => {
  const run = await runScenario(reconnectStorm, {}, scale)
  expect(run.tally).toMatchObject({
    reconnects: { begun: 3, opened: 3 },
    alive: { answered: 3 },
    upgrades: { opened: 4 },
    sessions: { opened: 1, closed: 1 },
  })
  expect(run.service.log.filter((line) => line === 'upgrade s1')).toHaveLength(4)
  expect(judgePartOf(reconnectStorm, run).verdict).toBe('pass')
})

test('a session that forgets on the way what an update has set is found', async () => {
  const told = (avatar: (event: ClientEvent) => string): Quirks => ({
    update: (event) => rightUpdate({ ...event, session: { active_avatar_id: avatar(event) } }),
  })
  const forgets = await runScenario(
    reconnectStorm,
    told(({ session }) => session?.active_avatar_id ?? 'ada'),
    scale,
  )
  expect(judgePartOf(reconnectStorm, forgets)).toMatchObject({
    verdict: 'fail',
    findings: [{ requirement: 'control-channel.secret.reconnect-keeps-state' }],
  })
  let kept = 'ada'
  const keeps = await runScenario(
    reconnectStorm,
    told(({ session }) => (kept = session?.active_avatar_id ?? kept)),
    scale,
  )
  expect(judgePartOf(reconnectStorm, keeps).verdict).toBe('pass')
})

test('all users hang up at the same moments, however they began', async () => {
  const { service, part } = await runScenario(
    reconnectStorm,
    {},
    { ...scale, start_rate: 3, stages: [{ seconds: 1, rate: 3 }], users: 5 },
  )
  expect(part.iterations).toEqual({ 'reconnect-storm': 3 })
  const storms = service.hangUps.filter(({ at }) => at % 2_000 < 10)
  const moments = new Set(storms.map(({ at }) => Math.floor(at / 2_000)))
  // Three storms for each of three sessions, which hang up once more as soon as they are done.
  expect([storms.length, service.hangUps.length]).toEqual([12, 12])
  expect(moments.size).toBeLessThanOrEqual(4)
})

test('a refused upgrade is tried again, and some are explained', async () => {
  const upgrades = Array.from({ length: 5 }, () => refused(429, 30_008))
  const run = await runScenario(reconnectStorm, { upgrades }, scale)
  const { refused_because, errors, retries } = run.tally
  expect(refused_because?.['capacity']).toBeGreaterThan(0)
  expect((refused_because?.['capacity'] ?? 0) + (refused_because?.['unexplained'] ?? 0)).toBe(5)
  expect(errors).toEqual({ 'upgrade 429 30008': refused_because?.['capacity'] })
  expect(retries).toEqual({ 'backed-off': 5 })
  expect(judgePartOf(reconnectStorm, run).verdict).toBe('pass')
})

test.each([false, true])(
  'a service that notices late that a connection is gone lets the next one in then (%j)',
  async (refusesByClose) => {
    const run = await runScenario(reconnectStorm, { leavesSlowly: 1_500, refusesByClose }, { ...scale, turns: 12 })
    expect(run.tally).toMatchObject({ reconnects: { begun: 12, opened: 12 } })
    expect(judgePartOf(reconnectStorm, run)).toMatchObject({ verdict: 'pass', findings: [] })
  },
)

test.each([
  ['upgrades that are always refused', { upgrade: refused(503, 0) }, 'no connection came back'],
  ['sessions that say nothing on a new connection', { update: () => [] }, 'did not answer on their new connection'],
] as const)('%s are found', async (_, quirks, reason) => {
  const run = await runScenario(reconnectStorm, quirks, scale)
  const { verdict, findings } = judgePartOf(reconnectStorm, run)
  expect(verdict).toBe('fail')
  expect(findings.map(({ text }) => text).join()).toContain(reason)
  expect(run.service.log.at(-1)).toBe('close s1')
})

const failing =
  (type: string, isDue: (event: ClientEvent) => boolean, rest: typeof rightUpdate = rightUpdate) =>
  (event: ClientEvent): ReturnType<typeof rightUpdate> => {
    const error = { type, message: 'a step failed', event_id: event.event_id }
    return isDue(event) ? [[1, { type: 'error', error }], ...rest(event)] : rightUpdate(event)
  }

test('a step of the service that is tried again leaves its update answered', async () => {
  const run = await runScenario(reconnectStorm, { update: failing('server_error', () => true) }, scale)
  expect(run.tally).toMatchObject({ alive: { answered: 3 } })
  expect(judgePartOf(reconnectStorm, run)).toMatchObject({ verdict: 'pass', findings: [] })
})

test.each([
  ['server_error', { failed: 1, answered: 99 }, 'pass'],
  ['provider_error', { failed: 1, answered: 99 }, 'pass'],
  ['invalid_request_error', { rejected: 1, answered: 99 }, 'fail'],
] as const)('one update of a hundred that ends in %s', async (type, alive, verdict) => {
  let count = 0
  const update = failing(
    type,
    () => (count += 1) === 50,
    () => [],
  )
  const run = await runScenario(reconnectStorm, { update }, { ...scale, turns: 100 })
  expect(run.tally).toMatchObject({ alive })
  expect(judgePartOf(reconnectStorm, run).verdict).toBe(verdict)
})

test('an event of another session on a new connection is found', async () => {
  const update: NonNullable<Quirks['update']> = (event) => {
    const theirs = event.event_id.replace(/-\d+-(\d+)$/, '-99-$1')
    return [...rightUpdate(event), [1, { type: 'session.updated', event_id: theirs, session: { mode: 'text_chat' } }]]
  }
  const run = await runScenario(reconnectStorm, { update }, scale)
  const { verdict, findings } = judgePartOf(reconnectStorm, run)
  expect(verdict).toBe('fail')
  expect(findings.map(({ requirement }) => requirement)).toContain('control-channel.isolation.events-not-shared')
})

/** Answers to updates of which those of one type are others. */
const changed =
  (type: string, change: (event: object) => readonly object[]): NonNullable<Quirks['update']> =>
  (event) =>
    rightUpdate(event).flatMap(([after, what]) => {
      const events = (what as { type?: string }).type === type ? change(what as object) : [what]
      return events.map((one): ReturnType<typeof rightUpdate>[number] => [after, one])
    })

test.each([
  [
    'updates that are acknowledged twice',
    { update: changed('session.updated', (event) => [event, event]) },
    'control-channel.session-update.updated-once',
  ],
  [
    'updates that end twice',
    { update: changed('session.update.done', (event) => [event, event]) },
    'control-channel.session-update.done-once',
  ],
  [
    'updates that never end',
    { update: changed('session.update.done', () => []) },
    'control-channel.session-update.accepted-yields-done',
  ],
  ['sessions that any secret opens', { takesAnySecret: true }, 'control-channel.admission.wrong-token-refused'],
] as const)('an update on a new connection that is %s is found', async (_, quirks, requirement) => {
  const { verdict, findings } = judgePartOf(reconnectStorm, await runScenario(reconnectStorm, quirks, scale))
  expect(verdict).toBe('fail')
  expect(findings.map((one) => one.requirement)).toEqual([requirement])
})

test('an end that is told again on the next connection is found: it is not retained', async () => {
  let kept: object | undefined
  const update: NonNullable<Quirks['update']> = (event) => {
    const again: ReturnType<typeof rightUpdate> = kept === undefined ? [] : [[1, kept]]
    const right = rightUpdate(event)
    kept = right.at(-1)?.[1] as object
    return [...again, ...right]
  }
  const { findings } = judgePartOf(reconnectStorm, await runScenario(reconnectStorm, { update }, scale))
  expect(findings.map((one) => one.requirement)).toEqual(['control-channel.session-update.done-once'])
})

test('updates that end failed are told where they are many', async () => {
  const update = changed('session.update.done', (event) => [{ ...event, status: 'failed' }])
  const { verdict, findings } = judgePartOf(reconnectStorm, await runScenario(reconnectStorm, { update }, scale))
  expect([verdict, findings[0]?.text]).toEqual(['fail', '3 updates failed on their new connection'])
})

test('a create without a session is told', async () => {
  const run = await runScenario(reconnectStorm, { creates: [answered({})] }, scale)
  expect(run.tally).toMatchObject({ turned_away: { 'no-session': 1 } })
})
