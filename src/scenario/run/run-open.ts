import { readFileSync } from 'node:fs'
import type { Client } from '#client/client'
import { createClient } from '#client/client'
import type { Clock } from '#client/pace/clock'
import { resumeFrom } from '#client/pace/resume'
import { patientPauses } from '#client/transport-failures'
import type { KeyName, Profile } from '#spec/profile'
import { timeoutsFor } from '#spec/profile'
import type { Entry } from '#trace/entry'
import type { Redactor } from '#trace/redact'
import { createRedactor } from '#trace/redact'
import type { TraceWriter } from '#trace/writer'
import { keepRecent, type Recent } from './recent.ts'
import type { RunPlan } from '../plan/run-plan.ts'
import { version } from '../plan/run-plan.ts'
import type { Environment, Secrets } from './run-secrets.ts'
import { knownSecrets, presentKeys, readSecrets } from './run-secrets.ts'

/** One process's hold of a run: it can send and write. */
export interface OpenRun {
  readonly plan: RunPlan
  /** Keys that have a value. */
  readonly keys: readonly KeyName[]
  readonly trace: TraceWriter
  readonly client: Client
  readonly recent: Recent
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string
  close(): Promise<void>
}

export interface OpenOptions {
  readonly plan: RunPlan
  readonly environment: Environment
  readonly signal: AbortSignal
  /** Once it is aborted only cleanup sends, see `ClientOptions`. */
  readonly enough?: AbortSignal
  /** Whether requests that are on their way at an interrupt are still answered, see `ClientOptions`. */
  readonly awaits_answers?: boolean
  /** Opens the trace; see `openTrace` and `memoryTrace`. */
  readonly write: (redactor: Redactor) => TraceWriter
  /** What the run wrote so far, where another process began it. */
  readonly earlier?: readonly Entry[]
  /** Requests to keep back for cleanup, as of now. */
  readonly reserve?: () => number
  /** Makes the clock of pace and retries; gets the trace's milliseconds since the run began. */
  readonly clock?: (now: () => number) => Clock
}

/** @throws UnsafeTarget, TraceWriteError; the system's error when `ca_file` can't be read */
export function openRun(options: OpenOptions): OpenRun {
  const { plan, environment, signal, enough, awaits_answers, write, earlier, reserve, clock } = options
  const secrets = readSecrets(plan.profile, environment)
  const redactor = createRedactor(knownSecrets(secrets), plan.salt)
  const { writer: trace, recent } = keepRecent(write(redactor))
  const client = createClient({
    ...addressOf(plan.profile, secrets),
    writer: trace,
    redactor,
    signal,
    enough,
    awaits_answers,
    user_agent: `greenroom/${version()} run/${plan.run}`,
    max_requests: plan.max_requests,
    uploads: plan.uploads,
    reserve,
    pauses_ms: plan.tier === 'smoke' ? patientPauses.slice(0, 3) : patientPauses,
    ...(clock === undefined ? {} : { clock: clock(() => trace.now()) }),
    ...(earlier === undefined ? {} : resumeFrom(earlier)),
  })
  const close = async (): Promise<void> => {
    await client.close()
    trace.close()
  }
  return { plan, keys: presentKeys(secrets), trace, client, recent, redact: (text) => redactor.text(text), close }
}

/** What a client needs to know of a target. */
function addressOf(profile: Profile, { keys, headers, proxy }: Secrets) {
  return {
    base_url: profile.base_url,
    ca_pem: profile.ca_file === undefined ? undefined : readFileSync(profile.ca_file, 'utf8'),
    keys,
    headers,
    proxy,
    timeouts: timeoutsFor(profile),
    limits: profile.limits,
    control_hosts: profile.control_hosts,
    allow_insecure_loopback: profile.allow_insecure_loopback,
  }
}
