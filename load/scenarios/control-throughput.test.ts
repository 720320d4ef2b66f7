import { expect, test } from 'vitest'
import { timeOf } from '../core/histogram.ts'
import { type Quirks, refused } from '../testing/fake-avatars.ts'
import { type ClientEvent, cutShort, rightResponse, rightUpdate, type Step } from '../testing/right-answers.ts'
import { judgePartOf, runScenario } from '../testing/run-scenario.ts'
import { workloads } from '../workloads.ts'
import { controlThroughput } from './control-throughput.ts'
import { soak } from './soak.ts'

const scale = { turns: 2, patience_ms: 1_000, iteration_ms: 5_000 }

// The first iteration is due after a second, and takes a millisecond or two to set its clock.
const run = (quirks: Quirks = {}) => runScenario(controlThroughput, quirks, scale)

test('two turns are held, counted and timed, and the session is closed', async () => {
  const { tally, service, ran } = await run()
  expect(tally).toMatchObject({
    iterations: { begun: 1, ended: 1 },
    sessions: { opened: 1, closed: 1 },
    upgrades: { opened: 1 },
    conversations: { begun: 1, whole: 1 },
    responses: { whole: 2 },
    updates: { acknowledged: 2, done: 2 },
    events: { 'session.updated': 2, 'response.created': 2, 'response.output_text.delta': 4, 'response.done': 2 },
  })
  expect(tally).not.toHaveProperty('flaws')
  expect(tally).not.toHaveProperty('errors')
  expect(service.log).toEqual(['create at 1001', 'upgrade s1', 'hang up s1', 'close s1'])
  expect(ran.failures).toEqual([])
})

test('times are what they are', async () => {
  const { tally } = await run()
  const [bucket] = Object.keys(tally['first_delta_ms'] ?? {})
  expect(timeOf(Number(bucket))).toBeCloseTo(15, 0)
  expect(
    Object.keys(tally)
      .filter((name) => name.endsWith('_ms'))
      .toSorted(),
  ).toEqual([
    'close_ms',
    'connect_ms',
    'create_intended_ms',
    'create_ms',
    'created_intended_ms',
    'created_ms',
    'delta_gap_ms',
    'first_delta_intended_ms',
    'first_delta_ms',
    'handler_lag_ms',
    'response_intended_ms',
    'response_ms',
    'start_lag_ms',
    'timer_lag_ms',
    'update_intended_ms',
    'update_ms',
  ])
})

test('a response that is cut short in a session that goes on is held against the service', async () => {
  const ran = await run({ respond: (event) => cutShort(event, false) })
  expect(ran.tally).toMatchObject({ responses: { unfinished: 2 }, conversations: { whole: 1 } })
  expect(judgePartOf(controlThroughput, ran).verdict).toBe('fail')
})

test.each<[string, Quirks]>([
  [
    'tells it',
    {
      respond: () => [
        [5, { type: 'session.closed', session_id: 's1', reason: 'maintenance' }],
        [1, 'close'],
      ],
    },
  ],
  ['has ended it by the time that it is asked', { respond: () => [[5, 'drop']], endsWithConnection: true }],
  ['cuts its last response short, tells it and hangs up', { respond: (event) => cutShort(event, true) }],
  ['does not find it any more', { respond: () => [[5, 'drop']], endsWithConnection: true, get: 'not-found' }],
  ['tells no status in Get Session', { respond: () => [[5, 'drop']], endsWithConnection: true, get: 'no-status' }],
])('a session that the service ends by itself says nothing of it: the service %s', async (_, quirks) => {
  const ran = await run(quirks)
  expect(ran.tally).toMatchObject({ conversations: { begun: 1, ended: 1 } })
  const { verdict, findings } = judgePartOf(controlThroughput, ran)
  expect(verdict).toBe('invalid')
  expect(findings.map(({ text }) => text)).toEqual([expect.stringContaining('were ended by the service itself')])
})

test('an error that names no event may have rejected what is never answered', async () => {
  const error = { type: 'error', error: { type: 'server_error', message: 'Something went wrong.' } }
  const ran = await run({ respond: () => [[5, error]] })
  expect(ran.tally).toMatchObject({ responses: { failed: 1 } })
  expect(judgePartOf(controlThroughput, ran).findings.flatMap(({ requirement }) => requirement ?? [])).toEqual([])
})

const toResponse = (steps: (event: ClientEvent) => readonly Step[]): Quirks => ({ respond: steps })

test.each<[string, Quirks, object]>([
  ['silence', toResponse(() => []), { conversations: { begun: 1, stopped: 1 }, responses: { silent: 1 } }],
  [
    'a lost connection',
    toResponse(() => [[5, 'drop']]),
    { conversations: { begun: 1, cut: 1 }, responses: { cut: 1 }, cuts: expect.objectContaining({}) },
  ],
  ['a closed one', toResponse(() => [[5, 'close']]), { conversations: { begun: 1, cut: 1 }, responses: { cut: 1 } }],
  [
    'a session that closes',
    toResponse(() => [[5, { type: 'session.closed', session_id: 's1', reason: 'maintenance' }]]),
    { conversations: { begun: 1, ended: 1 }, responses: { cut: 1 } },
  ],
  [
    'a rejection',
    toResponse(({ event_id }) => [
      [5, { type: 'error', error: { type: 'invalid_request_error', message: 'no', event_id } }],
    ]),
    { conversations: { begun: 1, stopped: 1 }, responses: { rejected: 1 } },
  ],
  [
    'failed responses',
    toResponse(({ event_id }) => [
      [5, { type: 'response.created', response: { id: event_id }, request_event_id: event_id }],
      [5, { type: 'response.done', response: { id: event_id, status: 'failed' } }],
    ]),
    { conversations: { begun: 1, whole: 1 }, responses: { failed: 2 } },
  ],
  [
    'text that got lost',
    toResponse((event) => rightResponse(event).toSpliced(1, 1)),
    { conversations: { begun: 1, whole: 1 }, responses: { broken: 2 }, flaws: { 'text-lost': 2 } },
  ],
  [
    'a delta twice',
    toResponse((event) => rightResponse(event).toSpliced(1, 0, rightResponse(event)[1] as Step)),
    { responses: { broken: 2 }, flaws: { 'text-repeated': 2 } },
  ],
  [
    'deltas that changed places',
    toResponse((event) => {
      const [created, one, two, ...rest] = rightResponse(event) as [Step, Step, Step, ...Step[]]
      return [created, two, one, ...rest]
    }),
    { responses: { broken: 2 }, flaws: { 'text-reordered': 2 } },
  ],
  [
    'a delta after the end',
    toResponse((event) => [...rightResponse(event), rightResponse(event)[1] as Step]),
    { flaws: { 'after-done': expect.any(Number) } },
  ],
  [
    "another session's response",
    toResponse((event) => [
      [1, { type: 'response.created', response: { id: 'x' }, request_event_id: 'run-control-throughput-77-r0' }],
      ...rightResponse(event),
    ]),
    { responses: { whole: 2 }, flaws: { 'events-of-another': 2 } },
  ],
  [
    'events without end',
    toResponse(() => Array.from({ length: 3_000 }, (): Step => [0, { type: 'service.changed' }])),
    { conversations: { begun: 1, stopped: 1 }, responses: { flooded: 1 } },
  ],
  [
    'updates without an answer',
    { update: () => [] },
    { conversations: { begun: 1, stopped: 1 }, updates: { silent: 1 } },
  ],
  [
    'updates without an end',
    { update: (event) => rightUpdate(event).slice(0, 1) },
    { conversations: { begun: 1, stopped: 1 }, updates: { acknowledged: 2, unended: 1 }, responses: { whole: 2 } },
  ],
  [
    'updates that end before they are told',
    { update: (event) => rightUpdate(event).toReversed() },
    { updates: { acknowledged: 2, done: 2 }, flaws: { 'update-done-early': 2 } },
  ],
  [
    'updates that are told twice',
    { update: (event) => [...rightUpdate(event).slice(0, 1), ...rightUpdate(event)] },
    { updates: { acknowledged: 2, done: 2 }, flaws: { 'updated-again': 2 } },
  ],
  [
    'updates that end twice',
    { update: (event) => [...rightUpdate(event), ...rightUpdate(event).slice(1)] },
    { updates: { acknowledged: 2, done: 2 }, flaws: { 'update-done-again': expect.any(Number) } },
  ],
  [
    'updates that show another avatar',
    {
      update: (event) =>
        rightUpdate(event).map(([after, what]) => [
          after,
          { ...(what as object), session: { mode: 'text_chat', active_avatar_id: 'nobody' } },
        ]),
    },
    { updates: { acknowledged: 2, done: 2 }, flaws: { 'avatar-differs': 2 } },
  ],
  [
    'updates that fail over a step of the service, one of them in the end',
    {
      update: (event) =>
        event.event_id.endsWith('u0')
          ? rightUpdate(event).map(([after, what]) => [after, { ...(what as object), status: 'failed' }])
          : [[1, { type: 'error', error: { type: 'server_error', message: 'no', event_id: event.event_id } }]],
    },
    { conversations: { begun: 1, stopped: 1 }, updates: { acknowledged: 1, done: 1, failed: 2 } },
  ],
  [
    'a rejected update',
    {
      update: ({ event_id }) => [
        [1, { type: 'error', error: { type: 'invalid_request_error', message: 'no', event_id } }],
      ],
    },
    { conversations: { begun: 1, stopped: 1 }, updates: { rejected: 1 } },
  ],
])('%s is told as what it is', async (_, quirks, expected) => {
  const { tally, service } = await run(quirks)
  expect(tally).toMatchObject(expected)
  expect(service.log.at(-1)).toBe('close s1')
})

test('an update that fails in the end may have shown another avatar', async () => {
  const session = { mode: 'text_chat', active_avatar_id: 'nobody' }
  const { tally } = await run({
    update: (event) =>
      rightUpdate(event).map(([after, what]) => [after, { ...(what as object), status: 'failed', session }]),
  })
  expect(tally).not.toHaveProperty('flaws')
})

test('a slow answer is awaited as long as something moves', async () => {
  const { tally } = await run(toResponse((event) => rightResponse(event).map(([, what]) => [300, what])))
  expect(tally).toMatchObject({ responses: { whole: 2 } })
})

const longest =
  (characters: number, isRejected = () => true) =>
  (event: ClientEvent): readonly Step[] => {
    const error = { type: 'invalid_request_error', message: 'too long', event_id: event.event_id }
    const isLong = (event.response?.script.vocal.text ?? '').length > characters
    return isLong && isRejected() ? [[5, { type: 'error', error }]] : rightResponse(event)
  }

test('a service whose texts are shorter than those of the workload is judged by shorter ones', async () => {
  const bounded = await runScenario(controlThroughput, toResponse(longest(400)), { ...scale, characters: 600 })
  expect(bounded.tally).toMatchObject({ responses: { whole: 2, bounded: 2 } })
  expect(judgePartOf(controlThroughput, bounded)).toMatchObject({ verdict: 'pass', findings: [] })
})

test('what is rejected now and then is told, though a shorter text was not', async () => {
  let count = 0
  const respond = longest(400, () => (count += 1) === 1)
  const ran = await runScenario(controlThroughput, { respond }, { ...scale, characters: 600 })
  expect(ran.tally).toMatchObject({ responses: { whole: 2, bounded: 1 } })
  const { verdict, findings } = judgePartOf(controlThroughput, ran)
  expect([verdict, findings[0]?.text]).toEqual(['fail', '1 response was rejected'])
})

test.each(['smoke', 'average', 'soak'] as const)('text at the pace of speech is judged: %s', async (workload) => {
  const { characters, turns, turn_interval_ms, iteration_ms } = workloads[workload]
  const respond = (event: ClientEvent): readonly Step[] => {
    const [created, delta, , ...ends] = rightResponse(event)
    const text = event.response?.script.vocal.text ?? ''
    if (created === undefined || delta === undefined) return []
    const pieces = Array.from({ length: Math.ceil(text.length / 30) }, (_, index): Step => {
      return [2_000, { ...(delta[1] as object), delta: text.slice(index * 30, index * 30 + 30) }]
    })
    return [created, ...pieces, ...ends]
  }
  for (const scenario of [controlThroughput, soak]) {
    const spoken = await runScenario(scenario, { respond }, { characters, turns, turn_interval_ms, iteration_ms })
    expect(judgePartOf(scenario, spoken)).toMatchObject({ verdict: 'pass', findings: [] })
    expect(spoken.ran.duration_ms).toBeLessThan(iteration_ms + 65_000)
  }
})

test('a conversation that goes on for ever is stopped', async () => {
  const { tally } = await run(
    toResponse((event) => [
      ...rightResponse(event).slice(0, 2),
      ...Array.from({ length: 60 }, (): Step => [900, rightResponse(event)[1]?.[1] as object]),
    ]),
  )
  expect(tally).toMatchObject({ responses: { overtime: 1 } })
})

test.each<[string, Quirks, object]>([
  ['a handshake that never ends', { upgrade: 'silence' }, { late: 1 }],
  ['one that is always refused', { upgrade: refused(503, 0) }, { refused: 6 }],
  ['one that is refused for good', { upgrade: refused(401, 20_005) }, { refused: 1 }],
])('%s leaves the session closed', async (_, quirks, upgrades) => {
  const { tally, service } = await run(quirks)
  expect(tally).toMatchObject({
    conversations: { begun: 1, unopened: 1 },
    upgrades,
    sessions: { opened: 1, closed: 1 },
  })
  expect(service.log.at(-1)).toBe('close s1')
})
