import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import { indexTrace } from './trace-index.ts'
import { type DrawnBodies, judgeDrawn } from './refused-values.ts'
import type { Breach } from './rule.ts'

const drawn: DrawnBodies = {
  operation: 'clone-voice',
  shape: 'rest/clone-voice.request',
  row: 'voices.clone.accepted',
  aside: [30007],
}

const body = (length: number) => ({ name: 'n'.repeat(length), file_id: 'f' })

/** What is said of clones with names of these lengths, answered with these codes. */
function said(...clones: readonly (readonly [length: number, code: number | 'lost'])[]) {
  const trace = new TraceBuilder()
  for (const [length, code] of clones) {
    const answer = code === 'lost' ? 'reset' : { body: { code, message: '', data: {} } }
    trace.rest('clone-voice', answer, body(length))
  }
  for (const entry of trace.entries) Object.assign(entry, { scenario: 's' })
  const [held, broken]: [number[], Breach[]] = [[], []]
  const report = {
    held: (_: string, ...lines: readonly number[]) => void held.push(...lines),
    broken: (_: string, breach: Breach) => void broken.push(breach),
    unobserved: () => undefined,
    saw: () => undefined,
  }
  judgeDrawn(indexTrace(trace.entries), drawn, ['s'], report)
  return { held: held.length, got: broken.map(({ got }) => got) }
}

test('of valid bodies that are refused the smallest is told, and the largest that was not', () => {
  const { got } = said([10, 0], [60, 20004], [40, 20004], [30, 0])
  expect(got).toEqual([
    `code 20004; the smallest that was refused has ${JSON.stringify(body(40)).length} characters, the largest that was not has ${JSON.stringify(body(30)).length} characters: ${JSON.stringify(body(40))}`,
  ])
})

test('a refusal counts beside a body that was taken, and for no reason that lies elsewhere', () => {
  expect(said([10, 20004])).toEqual({ held: 0, got: [] })
  expect(said([10, 0], [20, 30007], [30, 10008])).toEqual({ held: 1, got: [] })
})

test('a body that has to be refused, or that was taken when it came again, is none that is refused', () => {
  expect(said([10, 0], [129, 20004]).got).toEqual([])
  expect(said([10, 0], [20, 40901], [20, 0]).got).toEqual([])
})

test('a body that was sent without an answer may be under way when it comes again', () => {
  expect(said([10, 0], [20, 'lost'], [20, 40901]).got).toEqual([])
  expect(said([10, 0], [30, 'lost'], [20, 40901]).got).toHaveLength(1)
})
