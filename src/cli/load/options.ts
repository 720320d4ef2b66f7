/** Where load goes, and with which seed. */
export interface LoadTargetOptions {
  readonly target?: string
  readonly seed?: number
  readonly journal?: string
  readonly defect: readonly string[]
  readonly variation: readonly string[]
  readonly requestsPerMinute?: number
}

/** How much load. */
export interface WorkloadOptions {
  readonly workload: string
  readonly rate?: number
  readonly seconds?: number
  /** Of a mix: `name=3`. */
  readonly weight: readonly string[]
  readonly sample?: number
  readonly k6Out: readonly string[]
}

export interface LoadOptions extends LoadTargetOptions, WorkloadOptions {
  readonly processes: number
  readonly out: string
}

export interface KneeCommandOptions extends LoadOptions {
  readonly objective?: string
  readonly start: number
  readonly most: number
  readonly tolerance: number
  readonly runs: number
}

export interface MergeOptions {
  readonly target?: string
  readonly out: string
}

export interface NightlyOptions {
  readonly out?: string
}

/** Load that somebody else runs. */
export interface CloudOptions extends WorkloadOptions {
  readonly target: string
  readonly out: string
}

export interface KubernetesOptions extends CloudOptions {
  readonly processes?: number
  readonly name?: string
  readonly namespace: string
  readonly image?: string
  readonly secret: string
  readonly schedule: string
}
