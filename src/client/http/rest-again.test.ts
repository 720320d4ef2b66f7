import type { RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { envelope, rig as makeRig, type Rig } from '#testing/rigs/client-rig'
import { BudgetSpent, RunAborted } from '../errors.ts'
import type { ClientOptions } from '../options.ts'
import { patientPauses } from '../transport-failures.ts'

const rigs: Rig[] = []

async function rig(handler: RequestListener, options: Partial<ClientOptions> = {}): Promise<Rig> {
  const made = await makeRig(handler, options)
  rigs.push(made)
  return made
}

afterEach(async () => {
  await Promise.all(rigs.splice(0).map((one) => one.stop()))
})

/** Time that sleeps only note. */
function patientClock(slept: number[]): ClientOptions['clock'] {
  let time = 0
  return {
    now: () => time,
    sleep: async (ms) => {
      slept.push(ms)
      time += ms
    },
  }
}

const patient = (slept: number[]) => ({ clock: patientClock(slept), pauses_ms: patientPauses })

test('a rate limit is waited out under the same exchange number', async () => {
  const slept: number[] = []
  let count = 0
  const one = await rig(
    (_request, response) => {
      count += 1
      if (count < 3) response.writeHead(429, { 'retry-after': '2' }).end(envelope(10008))
      else response.end(envelope(0))
    },
    { clock: patientClock(slept) },
  )
  expect(await one.scope.rest('list-voices')).toMatchObject({ exchange: 1, ok: true })
  expect(one.of('request').map((entry) => [entry.exchange, entry.attempt])).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
  ])
  expect(one.of('wait')).toMatchObject([
    { why: 'retry-after', ms: 3_000 },
    { why: 'retry-after', ms: 3_000 },
  ])
})

test('whoever never retries takes the first answer', async () => {
  const one = await rig((_request, response) => response.writeHead(429, { 'retry-after': '2' }).end(envelope(10008)))
  expect(await one.scope.rest('list-voices', { retry: 'never' })).toMatchObject({ code: 10008, status: 429 })
  expect(one.of('request')).toHaveLength(1)
})

test('a target that always limits costs bounded patience', async () => {
  const slept: number[] = []
  const one = await rig((_request, response) => response.writeHead(429, { 'retry-after': '60' }).end(envelope(10008)), {
    clock: patientClock(slept),
  })
  for (let call = 0; call < 20; call += 1) await one.scope.rest('list-voices')
  expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(900_000)
})

test('only what does no harm a second time is sent again after a 502, and what did not pass is not waited for again', async () => {
  const slept: number[] = []
  const one = await rig((_request, response) => response.writeHead(502).end('<html>'), patient(slept))
  await one.scope.rest('create-avatar-session', { body: { model: 'x' } })
  await one.scope.rest('create-avatar-session', { body: { model: 'x', idempotency_key: 'k' } })
  await one.scope.rest('close-avatar-session', { params: { session_id: 's' }, body: {} })
  await one.scope.rest('delete-character', { params: { character_id: 'c' } })
  await one.scope.rest('replace-character', { params: { character_id: 'c' }, body: { name: 'x' } })
  const attempts = Map.groupBy(one.of('request'), (entry) => entry.exchange)
  // Whether the target is there for others: no answer to that is worth another look.
  const look = 1
  expect([...attempts.values()].map((entries) => entries.length)).toEqual([1, 5, look, 5, 5, 3])
  await one.scope.rest('close-avatar-session', { params: { session_id: 't' }, body: {} })
  expect(slept).toEqual([...patientPauses, ...patientPauses, ...patientPauses, 1_000, 3_000, 1_000])
})

test('what passes at a later attempt is waited for as long the next time', async () => {
  let asked = 0
  const slept: number[] = []
  const one = await rig(({ url }, response) => {
    if (url === '/v1/voices') asked += 1
    if (url !== '/v1/voices' || asked % 4 === 0) response.end(envelope(0))
    else response.writeHead(503, { 'content-type': 'text/html' }).end('<html>')
  }, patient(slept))
  for (let call = 0; call < 3; call += 1) {
    expect(await one.scope.rest('list-voices')).toMatchObject({ ok: true, repeated: true, attempts: 4 })
  }
  expect(slept).toEqual([1, 2, 3].flatMap(() => patientPauses.slice(0, 3)))
})

test('a page of a 4xx is asked for again, whatever was sent, and so is JSON of a 4xx that may be a gateway’s', async () => {
  const one = await rig(
    ({ url }, response) =>
      url === '/v1/voices'
        ? response.writeHead(403, { 'content-type': 'text/html' }).end('<html>')
        : response.writeHead(404).end('{"error":"no"}'),
    patient([]),
  )
  expect(await one.scope.rest('clone-voice', { body: { name: 'x' } })).toMatchObject({
    status: 403,
    trouble: 'clone-voice HTTP 403 with page of HTML',
  })
  expect(await one.scope.rest('get-character', { params: { character_id: 'c' } })).toMatchObject({
    trouble: 'get-character HTTP 404 with JSON',
  })
  const looks = one.of('request').filter(({ operation }) => operation === 'list-avatar-sessions')
  expect(one.of('request').length - looks.length).toBe(8)
  expect(looks).toHaveLength(1)
})

test.each([
  ['answers others', [...Array(7).fill(3), 2, 1, 1]],
  ['answers nobody', [3, 2, 2, 2, ...Array(6).fill(1)]],
])(
  'a create that a target which %s says has failed is sent again until that was in vain too often',
  async (who, times) => {
    const answersOthers = who === 'answers others'
    const handler: RequestListener = (request, response) => {
      if (answersOthers && request.method === 'GET') response.end(envelope(0))
      else response.writeHead(500).end(envelope(50000))
    }
    const one = await rig(handler, { clock: patientClock([]) })
    for (let call = 0; call < 10; call += 1) {
      if (answersOthers) await one.scope.rest('list-voices')
      await one.scope.rest('create-character', { body: { name: 'x' } })
    }
    const creates = one.of('request').filter(({ operation }) => operation === 'create-character')
    const attempts = Map.groupBy(creates, (entry) => entry.exchange)
    expect([...attempts.values()].map((entries) => entries.length)).toEqual(times)
  },
)

test.each([
  ['answers others is asked for something else each time', true, 2],
  ['answers nobody is asked for something else once', false, 1],
])('a target that fails over a request each time and %s', async (_, answersOthers, looks) => {
  const handler: RequestListener = (request, response) => {
    if (answersOthers && request.method === 'GET') response.end(envelope(0))
    else response.writeHead(500).end(envelope(50000))
  }
  const slept: number[] = []
  const one = await rig(handler, patient(slept))
  await one.scope.rest('create-character', { body: { name: 'x' } })
  const sent = one.of('request').map(({ operation }) => operation)
  expect(sent).toEqual(['create-character', 'create-character', 'list-avatar-sessions', 'create-character'])
  await one.scope.wait(10_000, 'timer')
  await one.scope.rest('create-character', { body: { name: 'y' } })
  expect(one.of('request').filter(({ operation }) => operation === 'list-avatar-sessions')).toHaveLength(looks)
})

test('a target that is down is not asked three times for ever', async () => {
  const one = await rig((request) => request.socket.destroy(), { clock: patientClock([]) })
  for (let call = 0; call < 10; call += 1) await one.scope.rest('list-voices')
  expect(one.of('request').length).toBeLessThan(20)
  expect(one.of('failure')[0]).toMatchObject({ reason: 'reset' })
})

test('the budget ends before a request is recorded or sent, and cleanup goes on', async () => {
  const one = await rig((_request, response) => response.end(envelope(0)), { max_requests: 3, reserve: () => 1 })
  const calls = await Promise.allSettled(Array.from({ length: 5 }, () => one.scope.rest('list-voices')))
  expect(calls.filter((call) => call.status === 'fulfilled')).toHaveLength(2)
  expect(calls.find((call) => call.status === 'rejected')?.reason).toBeInstanceOf(BudgetSpent)
  expect(one.of('request')).toHaveLength(2)
  expect(await one.client.scope(undefined, 'cleanup').rest('list-voices')).toMatchObject({ ok: true })
  expect(one.client.traffic()).toMatchObject({ rest_requests: 3, by_key: { primary: { rest_requests: 3 } } })
})

test('once it is enough nobody waits for a turn or another try', async () => {
  const enough = new AbortController()
  const limits = { primary: { requests_per_minute: 3 } }
  const one = await rig(
    (request, response) => {
      if (request.url === '/v1/audio_files/voices') response.end(envelope(0))
      else response.writeHead(429, { 'retry-after': '50' }).end(envelope(10008))
    },
    { limits, enough: enough.signal },
  )
  const trying = one.scope.rest('list-avatar-sessions')
  const turns = [one.scope.rest('list-voices'), one.scope.rest('list-voices'), one.scope.rest('list-voices')]
  setTimeout(() => enough.abort('left out by --max-failures 1'), 100)
  const last = await Promise.allSettled(turns)
  expect(last.at(-1)).toMatchObject({ reason: { name: 'BudgetSpent', message: 'left out by --max-failures 1' } })
  expect(await trying).toMatchObject({ code: 10008, status: 429 })
  expect(one.of('request').length).toBeLessThan(4)
})

test('a budget that ends between two attempts leaves the answer of the first', async () => {
  const one = await rig((_request, response) => response.writeHead(502).end(), {
    max_requests: 1,
    clock: patientClock([]),
  })
  expect(await one.scope.rest('list-voices')).toMatchObject({ status: 502 })
  expect(one.of('request')).toHaveLength(1)
})

test('after an abort nothing is sent but cleanup, and what was under way ends', async () => {
  const asked = Promise.withResolvers<void>()
  let count = 0
  const one = await rig((_request, response) => {
    count += 1
    if (count === 1) asked.resolve()
    else response.end(envelope(0))
  })
  const waiting = one.scope.rest('list-voices')
  const sleeping = one.scope.wait(60_000, 'timer')
  await asked.promise
  one.abort()
  expect(await waiting).toMatchObject({ failure: 'aborted', status: 0 })
  await expect(sleeping).rejects.toThrow(RunAborted)
  await expect(one.scope.rest('list-voices')).rejects.toThrow(RunAborted)
  expect(await one.client.scope(undefined, 'cleanup').rest('list-voices')).toMatchObject({ ok: true })
  expect(count).toBe(2)
  expect(one.of('wait')).toMatchObject([{ why: 'timer' }])
})

test.each([
  [40, []],
  [2, [expect.any(Number)]],
])('cleanup after an abort waits for a limit that asks for %i s %j', async (seconds, waits) => {
  const slept: number[] = []
  let count = 0
  const limited: RequestListener = (_request, response) => {
    count += 1
    if (count === 1) response.writeHead(429, { 'retry-after': String(seconds) }).end(envelope(10008))
    else response.end(envelope(0))
  }
  const one = await rig(limited, patient(slept))
  one.abort()
  const answer = await one.client
    .scope(undefined, 'cleanup')
    .rest('close-avatar-session', { params: { session_id: 'a' } })
  expect([answer.ok, slept]).toEqual([waits.length > 0, waits])
})

test('who awaits answers after an abort gets those that are on their way, and sends nothing more', async () => {
  const [asked, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const one = await rig(
    (_request, response) => {
      asked.resolve()
      void aborted.promise.then(() => response.end(envelope(0)))
    },
    { awaits_answers: true },
  )
  const waiting = one.scope.rest('list-voices')
  await asked.promise
  one.abort()
  aborted.resolve()
  expect(await waiting).toMatchObject({ ok: true })
  await expect(one.scope.rest('list-voices')).rejects.toThrow(RunAborted)
})
