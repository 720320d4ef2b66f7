import { expect, test } from 'vitest'
import { allMeasures } from './common-measures.ts'
import { flawFindings } from './events/chain-laws.ts'
import { clocked } from './silence.ts'
import { Tally } from './tally.ts'

const counts = new Map([
  ['interrupt-waited', 2],
  ['text-lost', 1],
])

/** The numbers of a generator that was late once. */
function lateBy(ms: number): Tally {
  const words = { serverEvents: [], errorCodes: [] }
  const tally = new Tally(allMeasures({ counts: {}, times: [] }, words))
  for (let pulse = 0; pulse < 1_000; pulse += 1) tally.time('timer_lag_ms').record(pulse === 0 ? ms : 1)
  return tally
}

test('flaws that are told by a clock are told apart from those that no delay explains', () => {
  expect(flawFindings(counts, true).map(({ text }) => text)).toEqual([expect.stringContaining('interrupt-waited')])
  expect(flawFindings(counts, false).map(({ text }) => text)).toEqual([expect.stringContaining('text-lost')])
  expect(flawFindings(counts)).toHaveLength(2)
})

test("what went on for too long is the target's only where the generator did not stand still for about as long", () => {
  const found = flawFindings(counts, true)
  expect(clocked(found, lateBy(700), 1_500)).toEqual({ broken: found, invalid: [] })
  const { broken, invalid } = clocked(found, lateBy(3_000), 1_500)
  expect(broken).toEqual([])
  expect(invalid.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^2 times interrupt-waited: .* stood still for up to 3\.0 s, which may be the cause/),
  ])
})
