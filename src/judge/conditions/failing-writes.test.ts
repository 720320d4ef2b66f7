import { expect, test } from 'vitest'
import { accepted } from '#trace/conditions'
import { TraceBuilder } from '#testing/trace-builder'
import { judgeClaim } from '../findings.ts'
import { indexTrace } from '../trace-index.ts'
import { accidentsIn } from './accidents.ts'

const failure = { status: 503, body: { code: 50300, message: 'read only for a moment' } }

function answerReader(trace: TraceBuilder): void {
  trace.rest('list-voices', { body: { code: 0, message: 'ok', data: { items: [] } } })
}

function stateOf(trace: TraceBuilder, exchange: number): string {
  const index = indexTrace(trace.claim('part.a.must', accepted(exchange)).entries)
  const [claim] = index.claims.slice(-1)
  return claim === undefined ? 'none' : judgeClaim(index, claim.entry).state
}

test('a service that takes no writes for some seconds may answer whoever reads', () => {
  const trace = new TraceBuilder()
  const exchange = trace.rest('upload-audio', failure)
  for (const pause of [1_000, 3_000]) {
    answerReader(trace)
    trace.pass(pause).again(exchange, failure)
  }
  answerReader(trace)
  expect(stateOf(trace, exchange)).toBe('unobserved')
  const index = indexTrace(trace.entries)
  expect(accidentsIn(index, index.exchanges.get(exchange))).toBe(1)
  const read = trace.rest('list-characters', failure)
  for (let time = 0; time < 2; time += 1) {
    answerReader(trace)
    trace.again(read, failure)
  }
  expect(stateOf(trace, read)).toBe('broken')
})

test('what is never done for half a minute is no accident, though only readers are answered meanwhile', () => {
  const trace = new TraceBuilder()
  const attempts = [1, 2, 3].map((name) => {
    const exchange = trace.rest('clone-voice', failure, { name })
    trace.pass(15_000).again(exchange, failure)
    answerReader(trace)
    return exchange
  })
  for (const exchange of attempts) expect(stateOf(trace, exchange)).toBe('broken')
})

test.each<[who: 'primary' | 'other_workspace', state: string]>([
  ['primary', 'unobserved'],
  ['other_workspace', 'broken'],
])('a write of a workspace fails while one of %s is done: another workspace may lie elsewhere', (who, state) => {
  const trace = new TraceBuilder()
  const write = (key: string): void =>
    void trace.rest('create-character', { body: { code: 0, message: 'ok', data: {} } }, {}, key)
  write('other_workspace')
  const exchange = trace.rest('upload-audio', failure, {}, 'other_workspace')
  for (const pause of [1_000, 3_000]) {
    write(who)
    trace.pass(pause).again(exchange, failure)
  }
  expect(stateOf(trace, exchange)).toBe(state)
})
