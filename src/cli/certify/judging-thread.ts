import { parentPort, workerData } from 'node:worker_threads'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { parseTrace } from '#trace/reader'

// A thread of `verify`: judges one trace, from its bytes, and ends.
parentPort?.postMessage(judge(parseTrace(workerData as Uint8Array), register(), await loadRules()))
