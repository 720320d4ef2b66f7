import { readTarget, type Target } from '../core/address.ts'
import { type Workload, type WorkloadName, workloads } from '../workloads.ts'

export interface Settings {
  readonly target: Target
  readonly apiKey: string
  /** Names the run in ids and in the User-Agent. */
  readonly run: string
  readonly workloadName: WorkloadName
  readonly workload: Workload
  /** Where the summary goes; undefined for nowhere but the terminal. */
  readonly summaryFile: string | undefined
}

/**
 * Reads the environment: `GREENROOM_TARGET`, `GREENROOM_API_KEY`, and where wanted `GREENROOM_ALLOW_LOAD` (`true`),
 * `GREENROOM_WORKLOAD`, `GREENROOM_RUN`, `GREENROOM_SUMMARY`. A CA of the target's own goes into `SSL_CERT_FILE`.
 * @throws Error that names the variable, never its value
 */
export function readSettings(environment: { readonly [name: string]: string | undefined }): Settings {
  const workloadName = environment['GREENROOM_WORKLOAD'] ?? 'smoke'
  if (!isWorkload(workloadName)) throw new Error(`GREENROOM_WORKLOAD is none of ${Object.keys(workloads).join(', ')}`)
  return {
    target: readTarget(needed(environment, 'GREENROOM_TARGET'), environment['GREENROOM_ALLOW_LOAD'] === 'true'),
    apiKey: needed(environment, 'GREENROOM_API_KEY'),
    run: environment['GREENROOM_RUN'] ?? `by-hand-${Date.now()}`,
    workloadName,
    workload: workloads[workloadName],
    summaryFile: environment['GREENROOM_SUMMARY'] || undefined,
  }
}

function isWorkload(name: string): name is WorkloadName {
  return Object.hasOwn(workloads, name)
}

function needed(environment: { readonly [name: string]: string | undefined }, name: string): string {
  const value = environment[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set`)
  return value
}
