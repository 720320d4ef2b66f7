import { SharedArray } from 'k6/data'
import type { Lane } from '../core/plan.ts'
import type { Settings } from './settings.ts'

/** What users have to know of a run. */
export interface SharedPlan {
  readonly settings: Omit<Settings, 'secrets'> & { readonly secrets?: undefined }
  readonly secrets: readonly (readonly [key: string, value: string])[]
  /** By the names of executors; a scenario whose users begin together has no lane. */
  readonly executors: { readonly [executor: string]: { readonly scenario: string; readonly lane?: Lane | undefined } }
}

/** Made once in a process and read by every user: settings, keys and schedules are read and computed only once. */
export function sharedPlan(make: () => SharedPlan): SharedPlan {
  const [text = ''] = new SharedArray('plan', () => [JSON.stringify(make())])
  return JSON.parse(text) as SharedPlan
}
