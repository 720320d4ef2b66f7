import { describe, expect, test } from 'vitest'
import { outcomeIn } from '#testing/outcome-in'
import { TraceBuilder } from '#testing/trace-builder'
import * as say from '#trace/conditions'

const create = 'create-avatar-session'
const list = 'list-avatar-sessions'
const page = (status: number) => ({ status, text: '<html>', headers: { 'content-type': 'text/html' } })
const gateways = (status: number) => ({ status, body: { message: 'no Route matched with those values' } })
const fine = { body: { code: 0, message: 'ok', data: {} } }

type Response = Parameters<TraceBuilder['rest']>[1]

/** The same create, again and again after these pauses; others are answered meanwhile where `beside`. */
function failedTimes(
  response: Response,
  pauses: readonly number[],
  beside = true,
): { trace: TraceBuilder; last: number } {
  const trace = new TraceBuilder()
  let last = 0
  for (const pause of [0, ...pauses]) {
    trace.pass(pause)
    if (beside) trace.rest(list, fine)
    last = trace.rest(create, response, { model: 'x' })
  }
  return { trace, last }
}

const patient = [1_000, 3_000, 9_000, 27_000]

describe('a request that never brings anything of the target', () => {
  test.each<[string, Response, readonly number[], string]>([
    ['a page of a 5xx for 40 s', page(503), patient, 'broken'],
    ['a bare 5xx for 40 s', { status: 502 }, patient, 'broken'],
    ['a reset for 40 s', 'reset', patient, 'broken'],
    ['a page of a 4xx for 13 s', page(403), patient.slice(0, 3), 'broken'],
    ['a page of a 5xx for 13 s', page(503), patient.slice(0, 3), 'unobserved: network'],
    ['a page of a 4xx for 4 s', page(403), patient.slice(0, 2), 'unobserved: network'],
    ['a page, once', page(403), [], 'unobserved: network'],
    ['a redirect for 13 s', page(302), patient.slice(0, 3), 'broken'],
    ['a redirect for 4 s', page(302), patient.slice(0, 2), 'unobserved: network'],
    ['JSON of a gateway for 13 s', gateways(404), patient.slice(0, 3), 'broken'],
    ['JSON of a gateway for 4 s', gateways(404), patient.slice(0, 2), 'broken'],
    ['JSON of a gateway, twice', gateways(404), patient.slice(0, 1), 'unobserved: network'],
    ['JSON of a gateway, once', gateways(404), [], 'unobserved: network'],
    ['two pages with a minute between', page(503), [60_000], 'unobserved: network'],
  ])('%s', (_, response, pauses, expected) => {
    const { trace, last } = failedTimes(response, pauses)
    expect(outcomeIn(trace, say.accepted(last))).toBe(expected)
  })

  test('may be the way’s where every third request meets the same, and passes when it comes again', () => {
    const trace = new TraceBuilder()
    for (let count = 0; count < 20; count += 1) {
      trace.again(trace.rest(list, page(503)), fine)
      trace.rest(list, fine)
    }
    let last = 0
    for (const pause of [0, ...patient]) {
      trace.pass(pause).rest('list-characters', fine)
      last = trace.rest(create, page(503), { model: 'x' })
    }
    expect(outcomeIn(trace, say.accepted(last))).toBe('unobserved: network')
  })

  test('counts against the target only while others are answered', () => {
    const { trace, last } = failedTimes(page(503), patient, false)
    expect(outcomeIn(trace, say.accepted(last))).toBe('unobserved: network')
  })

  test.each<[string, Response, string]>([
    ['JSON of a gateway', gateways(404), 'broken'],
    ['a redirect', page(302), 'broken'],
    ['a page of a 404', page(404), 'unobserved: network'],
  ])('where never anything else came at all, %s is the target’s, a page that of an edge', (_, response, expected) => {
    const trace = new TraceBuilder()
    let last = 0
    for (const pause of [0, ...patient.slice(0, 3)]) {
      trace.pass(pause).rest('list-characters', response)
      last = trace.rest(create, response, { model: 'x' })
    }
    expect(outcomeIn(trace, say.accepted(last))).toBe(expected)
  })

  test.each<[string, Response, number]>([
    ['a page of a 4xx', page(404), 3],
    ['JSON of a gateway', gateways(404), 3],
    ['a redirect', page(302), 3],
    ['a page of a 5xx', page(502), 4],
  ])('is the way’s where all others met %s meanwhile, and were answered before and after', (_, response, times) => {
    const trace = new TraceBuilder()
    let last = 0
    trace.rest(list, fine)
    for (const pause of [0, ...patient.slice(0, times)]) {
      trace.pass(pause).rest('list-characters', response)
      last = trace.rest(create, response, { model: 'x' })
    }
    trace.rest(list, fine)
    expect(outcomeIn(trace, say.accepted(last))).toBe('unobserved: network')
  })

  test('is the way’s where it passes when the same is asked for anew, by other names', () => {
    const trace = new TraceBuilder({ run: 'r1' })
    const named = (count: number) => ({ model: 'x', avatars: [{ avatar_id: `host-r1-${count}` }] })
    let last = 0
    for (const pause of [0, ...patient]) {
      trace.pass(pause).rest(list, fine)
      last = trace.rest(create, page(503), named(1))
    }
    expect(outcomeIn(trace, say.accepted(last))).toBe('broken')
    trace.rest(create, fine, named(2))
    expect(outcomeIn(trace, say.accepted(last))).toBe('unobserved: network')
  })

  test.each<[string, Response, string]>([
    ['is the target’s where what was sent beside each try was answered', fine, 'broken'],
    ['is a machine’s or the way’s where nothing sent beside a try was answered', 'timeout', 'unobserved: network'],
  ])('%s', (_, beside, expected) => {
    const trace = new TraceBuilder()
    let last = 0
    for (const pause of [0, ...patient]) {
      trace.pass(pause + 10_000).rest(list, fine)
      last = trace.rest(create, 'timeout', { model: 'x' })
      const failure = trace.entries.at(-1)
      if (failure?.kind === 'failure') Object.assign(failure, { t: failure.t + 10_000 })
      trace.rest(list, beside)
    }
    expect(outcomeIn(trace, say.accepted(last))).toBe(expected)
  })

  test.each([302, 401, 403, 404])(
    'is the way’s where upgrades were refused with %s meanwhile, and nothing else came',
    (status) => {
      const trace = new TraceBuilder()
      trace.rest(list, fine)
      let last = 0
      for (const pause of patient.slice(0, 3)) {
        trace.pass(pause).rest('list-voices', gateways(404))
        last = trace.rest(create, gateways(404), { model: 'x' })
        trace.refused(status)
      }
      trace.pass(6_000).rest(list, fine)
      expect(outcomeIn(trace, say.accepted(last))).toBe('unobserved: network')
    },
  )

  test.each([page(404), gateways(400)])(
    'is the target’s where others met the same just then, and were answered later',
    (response) => {
      const trace = new TraceBuilder()
      let last = 0
      for (const pause of [0, ...patient.slice(0, 3)]) {
        last = trace.pass(pause).rest(create, response, { model: 'x' })
        const answer = trace.entries.at(-1)
        if (answer?.kind === 'response') Object.assign(answer, { t: answer.t + 5 })
        trace.rest(create, response, { model: 'y' })
        trace.pass(100).rest(list, fine)
      }
      expect(outcomeIn(trace, say.accepted(last))).toBe('broken')
    },
  )

  test('may be the way’s as long as the same request once brought something else', () => {
    const { trace, last } = failedTimes(page(503), patient)
    trace.rest(create, fine, { model: 'x' })
    expect(outcomeIn(trace, say.accepted(last))).toBe('unobserved: network')
  })

  test('once it is proven, the same page counts for every request that brought nothing else', () => {
    const { trace } = failedTimes(page(503), patient)
    const other = trace.rest(create, page(503), { model: 'y' })
    const failed = trace.rest(create, page(504), { model: 'z' })
    expect([other, failed].map((one) => outcomeIn(trace, say.accepted(one)))).toEqual(['broken', 'unobserved: network'])
  })

  test('a page that always comes for a fault is no rejection with a code', () => {
    const { trace, last } = failedTimes(page(404), patient.slice(0, 3))
    const positiveControl = trace.created()
    expect(outcomeIn(trace, say.rejected(last, positiveControl, [30004]))).toBe('unobserved: prerequisite')
  })
})

test('JSON of a 2xx without a code is the target’s own at once', () => {
  const trace = new TraceBuilder()
  const exchange = trace.rest(create, { body: { session_id: 's' } })
  expect(outcomeIn(trace, say.accepted(exchange))).toBe('broken')
})

test('what was deleted or closed by an attempt whose answer was lost is not blamed for being gone', () => {
  for (const operation of ['delete-character', 'close-avatar-session']) {
    const trace = new TraceBuilder()
    const exchange = trace.rest(operation, 'reset')
    trace.again(exchange, { body: { code: 20005, message: 'not found' } })
    expect(outcomeIn(trace, say.accepted(exchange))).toBe('unobserved: network')
    trace.again(exchange, fine)
    expect(outcomeIn(trace, say.accepted(exchange))).toBe('held')
  }
})

describe('an upgrade', () => {
  const refusedUpgrades = (trace: TraceBuilder, statuses: readonly (number | undefined)[], pauses: readonly number[]) =>
    trace.pass(1).refusedUpgrades(statuses.map((status, place) => ({ status, after: pauses[place - 1] ?? 0 })))
  const five = (status: number | undefined) => [status, status, status, status, status]

  test.each([408, 429, 500, 502, 503, 504])('refused once with %s is undecided, whatever was expected', (status) => {
    const trace = new TraceBuilder()
    const positiveControl = trace.opened()
    trace.received(positiveControl, { type: 'session.updated' })
    const channel = refusedUpgrades(trace, [status], [])
    expect(outcomeIn(trace, say.admitted(channel))).toBe('unobserved: network')
    expect(outcomeIn(trace, say.refused(channel, positiveControl))).toBe('unobserved: network')
  })

  test('refused with 401 is the target’s answer', () => {
    const trace = new TraceBuilder()
    expect(outcomeIn(trace, say.admitted(refusedUpgrades(trace, [401], [])))).toBe('broken')
  })

  test.each([302, 403, 404])(
    'refused once with %s may have met an edge without a way; twice, it is the target’s',
    (status) => {
      const trace = new TraceBuilder()
      expect(outcomeIn(trace, say.admitted(refusedUpgrades(trace, [status], [])))).toBe('unobserved: network')
      expect(outcomeIn(trace, say.admitted(refusedUpgrades(trace, [status, status], [1_000])))).toBe('broken')
    },
  )

  test('refused twice with 404 may have met an edge without a way still, where requests met trouble at that moment', () => {
    const trace = new TraceBuilder()
    trace.rest(list, gateways(404))
    const channel = refusedUpgrades(trace, [404, 404], [1_000])
    expect(outcomeIn(trace, say.admitted(channel))).toBe('unobserved: network')
    const calm = new TraceBuilder()
    calm.rest(list, gateways(404))
    expect(outcomeIn(calm, say.admitted(refusedUpgrades(calm.pass(5_000), [404, 404], [1_000])))).toBe('broken')
  })

  test.each([302, 403, 404])('refused with %s where it had to be is refused', (status) => {
    const trace = new TraceBuilder()
    const positiveControl = trace.opened()
    trace.received(positiveControl, { type: 'session.updated' })
    trace.closed(positiveControl, 'us')
    expect(outcomeIn(trace, say.refused(refusedUpgrades(trace, [status], []), positiveControl))).toBe('held')
  })

  test('always refused with 503 while requests are answered is the target’s', () => {
    const trace = new TraceBuilder()
    trace.rest(list, fine)
    const channel = refusedUpgrades(trace, five(503), patient)
    trace.rest(list, fine)
    expect(outcomeIn(trace, say.admitted(channel))).toBe('broken')
  })

  test('refused at each of several tries is a refusal where one was expected', () => {
    const trace = new TraceBuilder()
    const positiveControl = trace.opened()
    trace.received(positiveControl, { type: 'session.updated' })
    trace.closed(positiveControl, 'us')
    const channel = refusedUpgrades(trace, [503, 503, 503], patient)
    expect(outcomeIn(trace, say.refused(channel, positiveControl))).toBe('held')
  })

  test('that is admitted at a later try is admitted', () => {
    const trace = new TraceBuilder()
    const channel = refusedUpgrades(trace, [503, 502], patient)
    trace.reopened(channel)
    trace.received(channel, { type: 'session.updated' })
    expect(outcomeIn(trace, say.admitted(channel))).toBe('held')
  })

  test('whose connection breaks at once is undecided', () => {
    const trace = new TraceBuilder()
    const channel = trace.opened()
    trace.closed(channel, 'network', 1006)
    expect(outcomeIn(trace, say.admitted(channel))).toBe('unobserved: network')
  })
})
