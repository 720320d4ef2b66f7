import { parentPort } from 'node:worker_threads'
import { loadScenarios } from '#scenario/plan/catalogue'
import { loadRules } from '#scenario/plan/load-rules'
import type { Job } from './job.ts'
import { runJob } from './run-job.ts'

// A thread of `prove`: runs every job that it is sent, side by side, and sends its result back.
const suites = { scenarios: await loadScenarios(), rules: await loadRules() }
const port = parentPort

port?.on('message', (job: Job) => {
  void runJob(job, suites).then((result) => port.postMessage(result))
})
port?.postMessage('ready')
