import { expect, test } from 'vitest'
import { controlThroughput } from '../scenarios/control-throughput.ts'
import { tallyFor } from './common-measures.ts'
import { judgeRun } from './judge-run.ts'
import { streamedMostly } from './streaming.ts'

const words = { serverEvents: [], errorCodes: [] }

/** A hundred conversations of three responses each. */
function talked(response_ms: number, first_delta_ms: number) {
  const tally = tallyFor(controlThroughput.measures(words), words)
  for (let count = 0; count < 300; count += 1) {
    tally.time('response_ms').record(response_ms)
    tally.time('first_delta_ms').record(first_delta_ms)
  }
  tally.count('iterations', 'begun', 100)
  tally.count('iterations', 'ended', 100)
  return tally
}

test.each([
  ['at the pace of speech', 20_000, 300, true],
  ['at once, beside much else that took long', 600, 100, false],
  ['after a long silence', 20_000, 15_000, false],
])('whether texts held the users that come %s', (_, response_ms, first_delta_ms, held) => {
  const tally = talked(response_ms, first_delta_ms)
  const streaming = streamedMostly(tally, { users: 100, rate: 5 })
  expect(streaming).toBe(held)
  const { trouble, invalid } = judgeRun(tally, { iterations: 300, dropped: 200, few_sessions: false, streaming })
  expect(trouble).toHaveLength(held ? 0 : 1)
  expect(
    invalid
      .map(({ text }) => text)
      .join()
      .includes('pace of speech'),
  ).toBe(held)
})
