import { parentPort } from 'node:worker_threads'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { readTrace } from '#trace/reader'
import { failedBy, type Question } from './failed-so-far.ts'

// A thread of `check`: judges the trace so far, as often as it is asked.
const rules = await loadRules()
const port = parentPort

port?.on('message', ({ trace, ended }: Question) => {
  const { requirements } = judge(readTrace(trace), register(), rules)
  port.postMessage(failedBy(requirements, new Set(ended)))
})
