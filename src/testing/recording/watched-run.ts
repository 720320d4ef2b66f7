import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Results } from '#judge/results'
import type { Rule } from '#judge/rule'
import { startProxy } from '#recording/proxy/proxy'
import { keyNames } from '#recording/traffic/key-names'
import { Recorder } from '#recording/traffic/recorder'
import { runKinds } from '#recording/run-kinds'
import { recordingHeader } from '#recording/watch'
import type { Scenario } from '#scenario/author/scenario'
import { planRun } from '#scenario/plan/run-plan'
import { driveTarget } from '#scenario/run/drive'
import { knownSecrets, readSecrets } from '#scenario/run/run-secrets'
import { runEpoch } from '#trace/clock'
import type { Entry, Tier } from '#trace/entry'
import { isObject } from '#trace/json'
import { parseTrace, type Trace } from '#trace/reader'
import { createRedactor } from '#trace/redact'
import { memoryTrace } from '#trace/writer'
import { onSimulatedTarget } from '../simulated-target.ts'

export interface WatchedRunOptions {
  readonly scenarios: readonly Scenario[]
  readonly rules: readonly Rule[]
  readonly only?: readonly string[]
  readonly tier?: Tier
  readonly defects?: readonly string[]
  readonly variations?: readonly string[]
}

/** The same traffic, judged by the rules twice: as the run recorded it, and as the proxy between it and the target did. */
export interface WatchedRun {
  readonly own: Results
  readonly seen: Results
  /** Text of the proxy's trace. */
  readonly trace: string
  /** What the target gave out and no trace may hold. */
  readonly secrets: readonly string[]
}

/** Drives a reference target through a recording proxy, in this process and in simulated time. */
export async function watchedRun(options: WatchedRunOptions): Promise<WatchedRun> {
  const { defects, variations } = options
  return onSimulatedTarget({ seed: 7, defects, variations }, async (driven, target) => {
    const { profile, environment, simulatedTime } = driven
    const secrets = readSecrets(profile, environment)
    const { timeouts: _, ...unpromised } = profile
    const plan = { ...planRun({ selected: [], tier: 'full', only: [], profile: unpromised }), epoch: runEpoch() }
    const redactor = createRedactor(knownSecrets(secrets), plan.salt)
    const trace = memoryTrace(plan.epoch, redactor, simulatedTime.skippedMs)
    trace.write(recordingHeader('watch', plan, environment))
    const proxy = await startProxy({
      base_url: profile.base_url,
      allow_insecure_loopback: true,
      ca_pem: undefined,
      proxy: undefined,
      control_hosts: [],
      port: 0,
      recorder: new Recorder(trace, redactor, keyNames(secrets.keys, redactor)),
      page: (_request, response) => void response.end(),
    })
    try {
      const run = await driveTarget({
        ...driven,
        profile: { ...profile, base_url: proxy.base_url },
        scenarios: options.scenarios,
        only: options.only ?? [],
        tier: options.tier ?? 'standard',
        seed: 7,
      })
      await proxy.stop()
      trace.write({ kind: 'end', outcome: 'completed' })
      const given = [...Object.values(target.keys), ...target.secretsGiven()]
      const own = judge(asRecording(run.trace), register(), options.rules)
      return {
        own,
        seen: judge(parseTrace(trace.text()), register(), options.rules),
        trace: trace.text(),
        secrets: given,
      }
    } finally {
      await proxy.stop()
    }
  })
}

/** A run's trace without all that only Greenroom's own scenarios can write, and without a promise of how soon what comes. */
export function asRecording(trace: Trace): Trace {
  const entries = trace.entries.filter(({ kind }) => !runKinds.has(kind)).map(plain)
  return { ...trace, entries }
}

function plain(entry: Entry): Entry {
  if (entry.kind === 'header') {
    const { timeouts: _, ...profile } = isObject(entry.profile) ? entry.profile : {}
    return { ...entry, profile, only: [], manifest: [], skipped: [], recording: 'watch', register: register().digest }
  }
  const { scenario: _, ...rest } = entry as Entry & { scenario?: string }
  return rest as Entry
}

/** Rows that came out as fail or warn. */
export function redRows(results: Results): readonly string[] {
  const rows = [...results.requirements, ...results.unscored]
  return rows.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id)
}

/** What was expected and what came, a line for each of the rows. */
export function failuresOf(results: Results, rows: readonly string[]): readonly string[] {
  const all = [...results.requirements, ...results.unscored]
  return all.flatMap(({ id, failures = [] }) =>
    rows.includes(id)
      ? failures.map(
          ({ expected, got, evidence }) => `${id}: expected ${expected}, got ${got} (lines ${evidence.join(', ')})`,
        )
      : [],
  )
}
