import { expect, test } from 'vitest'
import { saidOf } from '#testing/said-of'
import { TraceBuilder } from '#testing/trace-builder'
import { pauses } from './pause.rules.ts'

const refused = {
  status: 429,
  headers: { 'retry-after': '5', date: 'Sun, 06 Nov 1994 08:49:30 GMT' },
  body: { code: 10008, message: 'no' },
}
const admitted = { body: { code: 0, message: '', data: {} } }

test('Retry-After is borne out behind a refusal beside which, on a slow way, another request was admitted', () => {
  const trace = new TraceBuilder()
  const slowly = (response: typeof refused | typeof admitted): void => {
    trace.rest('list-avatar-sessions', response, {}, 'rate_limited')
    const answer = trace.entries.at(-1)
    if (answer?.kind === 'response') Object.assign(answer, { t: answer.t + 600 })
  }
  slowly(refused)
  slowly(admitted)
  trace.pass(7_000)
  slowly(admitted)
  expect(saidOf([pauses], trace)).toContain('held errors.code-10008.retry-after-truthful')
})

test('refusals of long before are over with an admission, and what comes again then is no chance', () => {
  const limit = 10
  const limits = { rate_limited: { requests_per_minute: limit } }
  const profile = { base_url: 'https://target.example', keys: { primary: 'KEY' }, limits }
  const trace = new TraceBuilder({ profile })
  const send = (response: typeof refused | typeof admitted) =>
    trace.rest('list-avatar-sessions', response, {}, 'rate_limited')
  const lie = (): void => {
    for (let time = 0; time < 3; time += 1) {
      trace.pass(6_100)
      send(refused)
    }
  }
  const fill = (): void => {
    for (let place = 0; place < limit; place += 1) send(admitted)
  }
  fill()
  send(refused)
  lie()
  trace.pass(60_000)
  // The next refusal is on its way while others are admitted.
  const slow = send(refused)
  const [answer] = trace.entries.splice(-1)
  fill()
  if (answer?.kind === 'response') trace.add({ ...answer, exchange: slow, t: answer.t + limit * 2 })
  lie()
  expect(saidOf([pauses], trace)).toContain('broken errors.code-10008.retry-after-truthful')
})
