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
