import { expect, test } from 'vitest'
import type { Quirks } from '../testing/fake-avatars.ts'
import { type ClientEvent, rightResponse, rightUpdate, type Step } from '../testing/right-answers.ts'
import { judgePartOf, runScenario, type ScenarioRun } from '../testing/run-scenario.ts'
import { controlThroughput } from './control-throughput.ts'

/** "Most errors are recoverable" (6.2): a service may fail over a step, and may try it again. */
const failure = ({ event_id }: ClientEvent, type: string): Step => [
  2,
  { type: 'error', error: { type, message: 'a step failed', event_id } },
]

const run = (quirks: Quirks, turns = 2): Promise<ScenarioRun> =>
  runScenario(controlThroughput, quirks, { turns, patience_ms: 1_000 })

test.each(['server_error', 'provider_error'])('what fails with %s and is tried again has not failed', async (type) => {
  const ran = await run({
    update: (event) => [failure(event, type), ...rightUpdate(event)],
    respond: (event) => [failure(event, type), ...rightResponse(event)],
  })
  expect(ran.tally).toMatchObject({ updates: { acknowledged: 2, completed: 2 }, responses: { whole: 2 } })
  expect(ran.tally['updates']).not.toHaveProperty('failed')
  expect(judgePartOf(controlThroughput, ran)).toMatchObject({ verdict: 'pass', findings: [] })
})

test('an error over a response that goes on does not end it', async () => {
  const ran = await run({ respond: (event) => rightResponse(event).toSpliced(2, 0, failure(event, 'server_error')) })
  expect(ran.tally).toMatchObject({ responses: { whole: 2 } })
})

test.each(['failed', 'incomplete'])(
  'a response of 120 that ends %s midway is not held against the service',
  async (status) => {
    let count = 0
    const respond = (event: ClientEvent): readonly Step[] => {
      const response = { id: `r ${event.event_id}`, status }
      const cut: Step = [1, { type: 'response.done', response }]
      const [created, delta, , , itemDone] = rightResponse(event) as [Step, Step, Step, Step, Step]
      return (count += 1) === 50 ? [created, delta, itemDone, cut] : rightResponse(event)
    }
    const ran = await run({ respond }, 120)
    expect(ran.tally).toMatchObject({ responses: { whole: 119, failed: 1 } })
    expect(judgePartOf(controlThroughput, ran)).toMatchObject({ verdict: 'pass', findings: [] })
  },
)

test('one that says no more after that has failed', async () => {
  const ran = await run({ respond: (event) => [...rightResponse(event).slice(0, 2), failure(event, 'server_error')] })
  expect(ran.tally).toMatchObject({ responses: { failed: 1 } })
})

test.each([
  ['server_error', {}],
  ['provider_error', {}],
  ['server_error', { event_id: undefined }],
])('a response of 120 that ends in %s %j is told and not held against the service', async (type, unnamed) => {
  let count = 0
  const respond = (event: ClientEvent): readonly Step[] =>
    (count += 1) === 120 ? [failure({ ...event, ...unnamed } as ClientEvent, type)] : rightResponse(event)
  const ran = await run({ respond }, 120)
  // It may be the text's length that it says no to.
  expect(ran.tally).toMatchObject({ responses: { whole: 120, shortened: 1 } })
  expect(judgePartOf(controlThroughput, ran)).toMatchObject({ verdict: 'pass', findings: [] })
})

test.each(['invalid_request_error', 'server_error', 'text_too_long'])(
  'a service that says %s to long texts speaks shorter ones',
  async (type) => {
    const respond = (event: ClientEvent): readonly Step[] =>
      (event.response?.script.vocal.text.length ?? 0) > 400 ? [failure(event, type)] : rightResponse(event)
    const ran = await runScenario(controlThroughput, { respond }, { turns: 2, characters: 600, patience_ms: 1_000 })
    expect(ran.tally).toMatchObject({ responses: { whole: 2 } })
    expect(judgePartOf(controlThroughput, ran)).toMatchObject({ verdict: 'pass', findings: [] })
  },
)

test.each(['server_error', 'provider_error'])('a service that always says %s has failed', async (type) => {
  const ran = await run({ respond: (event) => [failure(event, type)] })
  expect(ran.tally).toMatchObject({ responses: { failed: 1 } })
  expect(judgePartOf(controlThroughput, ran).verdict).toBe('fail')
})

test('a server that says that it restarts speaks against nobody', async () => {
  let count = 0
  const respond = (event: ClientEvent): readonly Step[] =>
    (count += 1) === 2 ? [[1, 'restart']] : rightResponse(event)
  const ran = await run({ respond }, 3)
  expect(ran.tally).toMatchObject({ conversations: { begun: 1, moved: 1 }, responses: { whole: 1, cut: 1 } })
  expect(judgePartOf(controlThroughput, ran)).toMatchObject({
    verdict: 'invalid',
    findings: [{ text: expect.stringContaining('went away or restarted') }],
  })
})
