import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'
import type { Profile } from '#spec/profile'
import { registerDigest } from '#spec/register'
import { runEpoch } from '#trace/clock'
import type { HeaderEntry, Tier } from '#trace/entry'
import type { Json } from '#trace/json'
import type { Draft } from '#trace/writer'
import type { Begin } from '../journal/journal-line.ts'
import { manifestOf, skippedOf } from './plan.ts'
import type { Environment } from '../run/run-secrets.ts'
import { presentKeys, readSecrets } from '../run/run-secrets.ts'
import type { Scenario } from '../author/scenario.ts'
import type { LeftOut, Selection } from './selection.ts'

/** What a run is to do; data, so that another process can take part in it. Holds no value of a secret. */
export interface RunPlan {
  readonly run: string
  /** See `runEpoch`. */
  readonly epoch: number
  /** Of the stand-ins for secrets: one for all processes of the run. */
  readonly salt: string
  readonly seed: number
  readonly tier: Tier
  readonly only: readonly string[]
  readonly profile: Profile
  /** Ids of the selected scenarios. */
  readonly scenarios: readonly string[]
  readonly left_out?: LeftOut
  /** Requests that the run may send in all, cleanup excepted. */
  readonly max_requests?: number
  /** Milliseconds that the run may take: nothing more is started then, and what goes on is broken off before. */
  readonly run_ms?: number
  /** Scenarios side by side. */
  readonly at_once?: number
  /** Folder in which uploaded files are kept, so that failures can be sent again. */
  readonly uploads?: string
}

export interface PlanOptions
  extends Pick<RunPlan, 'tier' | 'only' | 'profile' | 'left_out' | 'max_requests' | 'run_ms' | 'at_once' | 'uploads'> {
  readonly selected: readonly Scenario[]
  /** Default: drawn. */
  readonly seed?: number | undefined
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Plans a run that begins now. */
export function planRun({ selected, seed, ...options }: PlanOptions): RunPlan {
  return {
    run: Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join(''),
    epoch: runEpoch(),
    salt: randomBytes(16).toString('hex'),
    seed: seed ?? randomInt(2 ** 31),
    scenarios: selected.map(({ id }) => id),
    ...options,
  }
}

/** First line of the trace. */
export function headerOf(plan: RunPlan, { selected, skipped, left_out }: Selection, environment: Environment): Draft {
  const header: Omit<HeaderEntry, 't'> = {
    kind: 'header',
    format: 'greenroom.trace/1',
    greenroom: version(),
    spec: '1.0.0',
    date: new Date(plan.epoch).toISOString(),
    run: plan.run,
    seed: plan.seed,
    tier: plan.tier,
    only: plan.only,
    profile: plan.profile as unknown as Json,
    keys: presentKeys(readSecrets(plan.profile, environment)),
    register: registerDigest(),
    manifest: manifestOf(selected, left_out),
    skipped: skippedOf(skipped),
  }
  return header
}

/** First line of the journal. */
export function beginOf({ run, profile }: RunPlan): Begin {
  const { base_url, ca_file, keys, headers, proxy, allow_insecure_loopback } = profile
  return JSON.parse(JSON.stringify({ run, base_url, ca_file, keys, headers, proxy, allow_insecure_loopback })) as Begin
}

/** Of this Greenroom. */
export function version(): string {
  return (known ??= (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string })
    .version)
}

let known: string | undefined
