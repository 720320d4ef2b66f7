import { expect, test } from 'vitest'
import { buckets, FORMAT, type LoadPart } from '../../../load/core/summary.ts'
import { workloads } from '../../../load/workloads.ts'
import type { EndedProcess } from '../k6/run-all.ts'
import { type PartFacts, wholePart } from './whole-part.ts'

const facts: PartFacts = {
  format: FORMAT,
  run: 'r1',
  scenario: 'soak',
  workload: 'smoke',
  scale: workloads.smoke,
  keys: [{ name: 'primary', requests_per_minute: 60, concurrent_sessions: undefined }],
  buckets,
}

const part: LoadPart = {
  ...facts,
  keys: [{ name: 'primary', requests_per_minute: 60 } as LoadPart['keys'][number]],
  iterations: { soak: 2 },
  segments: ['0:1'],
  parts: 1,
  duration_ms: 1_000,
  dropped: { soak: 0 },
  tallies: { soak: { iterations: { begun: 2, ended: 2 } } },
}

const said = new Map([['soak', { iterations: { begun: 2, ended: 1 }, create_ms: { '7': 2 } }]])

const ended = (more: Partial<EndedProcess>): EndedProcess => ({
  code: 0,
  output: '',
  part,
  segment: '0:1',
  said,
  ...more,
})

test('times that k6 did not get are what its process said; all else is what k6 counted', () => {
  const { part: whole, lost } = wholePart([ended({})], facts, 1_000)
  expect(whole.tallies).toEqual({ soak: { iterations: { begun: 2, ended: 2 }, create_ms: { '7': 2 } } })
  expect(lost).toEqual([])
})

test('where k6 got no numbers, they are what its process said', () => {
  const whole = wholePart([ended({ part: { ...part, tallies: { soak: {} } } })], facts, 1_000)
  expect(whole.part.tallies).toEqual({ soak: { iterations: { begun: 2, ended: 1 }, create_ms: { '7': 2 } } })
})

test('times of several processes add up', () => {
  const halves = [ended({ segment: '0:1/2' }), ended({ segment: '1/2:1' })]
  expect(wholePart(halves, facts, 1_000).part.tallies['soak']).toMatchObject({ create_ms: { '7': 4 } })
})

test('times that k6 got all the same do not count twice', () => {
  const tallies = { soak: { ...part.tallies['soak'], create_ms: { '7': 2 } } }
  const whole = wholePart([ended({ part: { ...part, tallies } })], facts, 1_000)
  expect(whole.part.tallies['soak']).toMatchObject({ create_ms: { '7': 2 } })
})

test('of a process that left no part, there is what it said', () => {
  const whole = wholePart([ended({ part: undefined, code: null })], facts, 1_000)
  expect(whole.part.tallies['soak']).toEqual({ iterations: { begun: 2, ended: 1 }, create_ms: { '7': 2 } })
  expect(whole.lost).toEqual(['k6 process 1 of 1 ended with a signal and left no result'])
})
