import { expect, test } from 'vitest'
import { requirements } from '#spec/register'
import type { JobResult } from './job.ts'
import { holds, isExcused, isReported, matrixOf } from './matrix.ts'

const requirement = 'avatar-sessions.session.region-echoed'

function defect(more: Partial<JobResult>): JobResult {
  const id = requirement
  const job = { id, kind: 'defect', variations: [], requirement, verdict: 'fail', red: [requirement] } as const
  return { ...job, conformant: false, open: [], errors: [], rest_requests: 1, ms: 1, ...more }
}

const variation = (more: Partial<JobResult>): JobResult => ({
  ...defect({ id: 'slow', variations: ['slow'], red: [], conformant: true, ...more }),
  kind: 'variation',
})

test('a proof holds when every defect is killed and no correct target is reported', () => {
  expect(holds(matrixOf([defect({}), variation({})], false))).toBe(true)
})

test.each([
  ['a defect that its row lets pass', defect({ verdict: 'pass' })],
  ['a defect that its row could not judge', defect({ verdict: 'inconclusive' })],
  ['a run that broke in itself', defect({ errors: ['x'] })],
  ['a correct target that was reported', variation({ red: ['a.b.c'], conformant: false })],
  ['a correct target that could not be judged', variation({ conformant: null })],
])('%s breaks it', (_, result) => {
  expect(holds(matrixOf([defect({}), result], false))).toBe(false)
})

test('whole, it names the testable requirements without a killed defect', () => {
  const { unproven, testable } = matrixOf([defect({})], true)
  expect(unproven).not.toContain(requirement)
  expect(unproven).toHaveLength(testable - 1)
  expect(testable).toBeLessThanOrEqual(requirements.size)
})

test('what a second run decided is told', () => {
  const { second, reported } = matrixOf([defect({}), variation({ at_first: 'a.b.c' })], false)
  expect(second.map(({ id }) => id)).toEqual(['slow'])
  expect(reported).toEqual([])
})

test('on a target that answers at once a row may say that there was nothing to see, and may not pass', () => {
  const instant = { id: `${requirement} (instant)`, variations: ['instant'] }
  expect(isExcused(defect({ ...instant, verdict: 'inconclusive' }))).toBe(true)
  expect(isExcused(defect({ ...instant, verdict: 'pass' }))).toBe(false)
  expect(isExcused(defect({ ...instant, id: `${requirement}~late (instant)`, verdict: 'pass' }))).toBe(true)
  expect(isExcused(defect({ verdict: 'inconclusive' }))).toBe(false)
  expect(isReported(variation({}))).toBe(false)
})
