import type { Night } from './night.ts'

interface OtavaRun {
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly metrics: readonly { readonly name: string; readonly value: number }[]
  readonly attributes: { readonly [name: string]: string }
}

/** The nights as Apache Otava's JSON importer reads them (`type: json` in `otava.yaml`). Every run has a time of its own. */
export function otavaRuns(nights: readonly Night[]): readonly OtavaRun[] {
  let last = 0
  return nights.map(({ night, metrics, run, scenario, workload, fingerprint, verdict }) => {
    last = Math.max(Date.parse(`${night}T00:00:00Z`) / 1_000, last + 1)
    return {
      timestamp: last,
      metrics: Object.entries(metrics).map(([name, value]) => ({ name, value })),
      attributes: { branch: 'main', run, scenario, workload, fingerprint, verdict },
    }
  })
}
