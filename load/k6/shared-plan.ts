import { SharedArray } from 'k6/data'
import type { Lane } from '../core/plan.ts'
import type { Settings } from './settings.ts'

/** What users have to know of a run. */
export interface SharedPlan {
  readonly settings: Settings
  /** When this process began. A command that is given twice, or a manifest applied again, has the same run: keys of the run before must not come again. */
  readonly began: string
  /** By the names of executors; a scenario whose users begin together has no lane. */
  readonly executors: { readonly [executor: string]: { readonly scenario: string; readonly lane?: Lane | undefined } }
}

/** What an executor runs. */
export type SharedExecutor = SharedPlan['executors'][string]

/** What a user keeps of the plan. */
export interface OwnPlan extends Omit<SharedPlan, 'executors'> {
  /** Read anew for each iteration: what stands in it takes more memory than its text. */
  executor(name: string): SharedExecutor | undefined
}

/** Made once in a process and read by every user: settings, keys and schedules are read and computed only once. */
export function sharedPlan(make: () => SharedPlan): OwnPlan {
  const texts = new SharedArray('plan', () => {
    const { executors, ...plan } = make()
    return [JSON.stringify(plan), JSON.stringify(executors)]
  })
  return {
    ...(JSON.parse(texts[0] ?? '') as Omit<SharedPlan, 'executors'>),
    executor: (name) => (JSON.parse(texts[1] ?? '') as SharedPlan['executors'])[name],
  }
}
