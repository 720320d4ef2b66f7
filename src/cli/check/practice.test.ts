import { expect, test } from 'vitest'
import { TraceBuilder } from '#testing/trace-builder'
import type { Rule } from '#judge/rule'
import type { Entry } from '#trace/entry'
import { Parts, practise } from './practice.ts'

const start = (scenario: string): Entry => ({ kind: 'scenario-start', t: 1, scenario })
const end = (scenario: string): Entry => ({ kind: 'scenario-end', t: 2, scenario, outcome: 'completed' })

test('each scenario that has ended is a part once, behind the header', () => {
  const { entries } = new TraceBuilder()
  const parts = new Parts()
  expect(parts.next([])).toBeUndefined()
  const written = [...entries, start('a'), start('b'), end('b')]
  expect(parts.next(written)).toEqual([...entries, start('b'), end('b')])
  expect(parts.next(written)).toBeUndefined()
  expect(parts.next([...written, end('a')])).toEqual([...entries, start('a'), end('a')])
})

test('each rule judges the part, one that throws keeps none from it, and what ends a rest ends the practice', async () => {
  const judged: string[] = []
  const rule = (id: string, judge: Rule['judge'] = () => {}): Rule => ({
    id,
    proves: [],
    judge: (trace, report) => {
      judged.push(id)
      judge(trace, report)
    },
  })
  const busy = () => {
    for (const from = performance.now(); performance.now() - from < 10; );
  }
  const broken = () => {
    throw new Error('a part only')
  }
  const { entries } = new TraceBuilder()
  await practise(entries, [rule('broken', broken), rule('slow', busy), rule('last')], () => Promise.resolve())
  expect(judged).toEqual(['broken', 'slow', 'last'])
  const over = practise(entries, [rule('slow', busy), rule('never')], () =>
    Promise.reject(new Error('the run is over')),
  )
  await expect(over).rejects.toThrow('the run is over')
  expect(judged.at(-1)).toBe('slow')
})
