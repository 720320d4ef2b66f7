import { runJobs } from './worker-pool.ts'
import type { JobResult } from './job.ts'
import { refusalsOf } from './refusals.ts'
import { type Means, quiet } from './run-all.ts'
import {
  isCaught,
  isListed,
  validationJobs,
  validationProof,
  type ValidationProof,
  type ValidationWishes,
} from './validations.ts'

/**
 * Switches off alone each validation of the reference target for which something is refused in a run, and looks whether a
 * requirement turns red. What a busy machine misses has another run on quiet threads.
 */
export async function proveValidations(wishes: ValidationWishes, means: Means): Promise<ValidationProof> {
  const { scenarios, seed } = wishes
  const refusals = await refusalsOf(scenarios, seed)
  const latest = new Map<string, JobResult>()
  let jobs = validationJobs(refusals, wishes)
  for (const load of [means.load, quiet]) {
    const told = means.progress(jobs.length)
    await runJobs(jobs, {
      ...means,
      load,
      done(result, job) {
        latest.set(result.id, result)
        const [next, ...wider] = isCaught(result, scenarios) ? [] : job.wider
        if (next !== undefined) return [{ ...job, ...next, wider }]
        told()
        return []
      },
    })
    jobs = jobs.filter(({ id }) => {
      const result = latest.get(id)
      return result !== undefined && !isCaught(result, scenarios) && !isListed(id)
    })
    if (jobs.length === 0 || means.signal.aborted) break
  }
  return validationProof(refusals, [...latest.values()], wishes)
}
