import { beforeAll, expect, test } from 'vitest'
import { loadScenarios } from '#scenario/plan/catalogue'
import { loadRules } from '#scenario/plan/load-rules'
import { redRows, type WatchedRun, watchedRun } from './watched-run.ts'

const suites = { scenarios: await loadScenarios(), rules: await loadRules() }

/**
 * What these rows speak of is under way at once, for the client; a target that is quicker than the second request on its
 * way through the proxy has answered the first one before.
 */
const underWayAtOnce = /newest-wins|concurrent|volley|once-under-load/

let whole: WatchedRun
beforeAll(async () => {
  whole = await watchedRun(suites)
})

test('the proxy’s trace of a whole check brings the verdicts that the run’s own trace brings by the same rules', () => {
  const { own, seen } = whole
  const verdicts = new Map(seen.requirements.map(({ id, verdict }) => [id, verdict]))
  const others = own.requirements.filter(({ id, verdict }) => verdicts.get(id) !== verdict)
  expect(others.map(({ id }) => id).filter((id) => !underWayAtOnce.test(id))).toEqual([])
  expect(own.summary.pass).toBeGreaterThan(600)
  expect(redRows(seen)).toEqual([])
})

test('the proxy sends what the client sent, and nothing else', () => {
  const { own, seen } = whole
  const { rest_requests, client_events, server_events } = seen.traffic
  expect({ rest_requests, client_events }).toEqual({
    rest_requests: own.traffic.rest_requests,
    client_events: own.traffic.client_events,
  })
  expect(server_events).toBeGreaterThanOrEqual(own.traffic.server_events)
})

test('no secret of a key or a session stands in the trace', () => {
  const { trace, secrets } = whole
  expect(secrets.length).toBeGreaterThan(100)
  expect(secrets.filter((secret) => trace.includes(secret))).toEqual([])
})

test.each([
  ['avatar-sessions.session.id-unique', 'avatar-sessions'],
  ['control-channel.text-delta.concatenate-to-final-text', 'control-channel.responses'],
])('a defect that breaks %s is seen through the proxy', async (requirement, only) => {
  const defect = (await import('#target/deviations'))
    .deviations()
    .defects.find((one) => one.requirement === requirement)
  const { seen } = await watchedRun({ ...suites, defects: [defect?.id ?? ''], only: [only] })
  expect(redRows(seen)).toContain(requirement)
})
