import { afterAll, test } from 'vitest'
import { joinRun } from '../run/run-join.ts'
import { loadEvaluator } from './evaluator.ts'

// The only test file of a run: one test a scenario of the plan. The executor decides what runs when and beside what, so
// all tests start at once and wait. They fail by our own mistakes, or by what an evaluator says; verdicts come of the trace.
const joined = await joinRun(process.env)
const evaluate = await loadEvaluator(process.env)

test.for(joined.plan.scenarios)('%s', { concurrent: true }, async (id, { skip }) => {
  const { outcome, reason } = await joined.run(id)
  if (outcome === 'failed') throw new Error(reason)
  const broken = evaluate(id, joined.trace)
  if (broken.length > 0) throw new Error(broken.join('\n'))
  if (outcome !== 'completed') skip(reason)
})

afterAll(() => joined.close())
