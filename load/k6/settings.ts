import { readTarget, type Target } from '../core/address.ts'
import type { Key } from '../core/keys.ts'
import { type Workload, type WorkloadName, workloads } from '../workloads.ts'

export interface Settings {
  readonly target: Target
  readonly keys: readonly Key[]
  /** Values of the keys by name; they never leave the process. */
  readonly secrets: { readonly [key: string]: string }
  /** Added to each request and upgrade, for gated staging; values are secrets. */
  readonly headers: { readonly [name: string]: string }
  /** Names the run in ids and in the User-Agent. */
  readonly run: string
  /** Of everything random; the run's own id where nobody gave one. */
  readonly seed: string
  readonly workloadName: WorkloadName
  readonly workload: Workload
  /** Weights by scenario, for a mix. */
  readonly mix: { readonly [scenario: string]: number } | undefined
  /** One iteration in so many is recorded in full; 0 for none. */
  readonly sample: number
  /** Whether numbers go into the lines of each window alone, for somebody who reads all of them, and not to k6 as well. */
  readonly numbersInLines: boolean
  /** Where the part goes: a file, or `stdout` for a marked line there; undefined for a summary on the terminal only. */
  readonly summaryFile: string | undefined
}

type Environment = { readonly [name: string]: string | undefined }

/** Section 8: what a key may do where nobody says otherwise. */
const USUAL_RATE = 60

/**
 * Reads the environment:
 * - `GREENROOM_TARGET`, and `GREENROOM_ALLOW_LOAD` (`true`) for what is not loopback
 * - `GREENROOM_KEYS`: JSON list of `{name, env, requests_per_minute, concurrent_sessions}`, where `env` names the variable
 *   with the key's value; or `GREENROOM_API_KEY`, the value of one key
 * - where wanted `GREENROOM_WORKLOAD`, `GREENROOM_SCALE` (JSON object of workload numbers that replace those of the
 *   workload), `GREENROOM_MIX` (JSON object of weights by scenario), `GREENROOM_SAMPLE`, `GREENROOM_RUN`,
 *   `GREENROOM_SEED`, `GREENROOM_HEADERS` (JSON object: header to the variable with its value), `GREENROOM_CONTROL_HOSTS` (JSON
 *   list of hosts outside the target's domain that control URLs may lead to), `GREENROOM_NUMBERS_IN_LINES` (`true`),
 *   `GREENROOM_SUMMARY`
 *
 * A CA of the target's own goes into `SSL_CERT_FILE`.
 * @param usualRun where `GREENROOM_RUN` is not set
 * @throws Error that names the variable, never a secret
 */
export function readSettings(environment: Environment, usualRun: string): Settings {
  const workloadName = environment['GREENROOM_WORKLOAD'] ?? 'smoke'
  if (!isWorkload(workloadName)) throw new Error(`GREENROOM_WORKLOAD is none of ${Object.keys(workloads).join(', ')}`)
  const named = keysIn(environment)
  const run = environment['GREENROOM_RUN'] || usualRun
  return {
    target: targetIn(environment),
    keys: named.map(({ name, requests_per_minute, concurrent_sessions, minute_ms }) => ({
      name,
      requests_per_minute: requests_per_minute ?? USUAL_RATE,
      concurrent_sessions,
      ...(minute_ms === undefined ? {} : { minute_ms }),
    })),
    secrets: Object.fromEntries(named.map(({ name, env }) => [name, needed(environment, env)])),
    headers: headersIn(environment),
    run,
    seed: environment['GREENROOM_SEED'] || run,
    workloadName,
    workload: scaledWorkload(workloads[workloadName], jsonIn<Partial<Workload>>(environment, 'GREENROOM_SCALE') ?? {}),
    mix: jsonIn(environment, 'GREENROOM_MIX'),
    sample: Number(environment['GREENROOM_SAMPLE'] ?? 0),
    numbersInLines: environment['GREENROOM_NUMBERS_IN_LINES'] === 'true',
    summaryFile: environment['GREENROOM_SUMMARY'] || undefined,
  }
}

/** The weights of a mix, which the entry file needs before all else. @throws Error when there are none */
export function readMix(environment: Environment): { readonly [scenario: string]: number } {
  const mix = jsonIn<{ [scenario: string]: number }>(environment, 'GREENROOM_MIX')
  if (mix === undefined || Object.keys(mix).length === 0) throw new Error('GREENROOM_MIX is not set')
  return mix
}

function targetIn(environment: Environment): Target {
  const hosts = jsonIn<string[]>(environment, 'GREENROOM_CONTROL_HOSTS') ?? []
  return readTarget(needed(environment, 'GREENROOM_TARGET'), environment['GREENROOM_ALLOW_LOAD'] === 'true', hosts)
}

function headersIn(environment: Environment): Settings['headers'] {
  const named = jsonIn<{ [header: string]: string }>(environment, 'GREENROOM_HEADERS') ?? {}
  return Object.fromEntries(Object.entries(named).map(([header, variable]) => [header, needed(environment, variable)]))
}

interface NamedKey {
  readonly name: string
  readonly env: string
  readonly requests_per_minute?: number
  readonly concurrent_sessions?: number
  readonly minute_ms?: number
}

function keysIn(environment: Environment): readonly NamedKey[] {
  const keys = jsonIn<NamedKey[]>(environment, 'GREENROOM_KEYS')
  if (keys === undefined) return [{ name: 'primary', env: 'GREENROOM_API_KEY' }]
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('GREENROOM_KEYS is no list of keys')
  return keys
}

/** @throws Error for a number that no workload has */
export function scaledWorkload(workload: Workload, scale: Partial<Workload>): Workload {
  const other = Object.keys(scale).find((name) => !Object.hasOwn(workload, name))
  if (other !== undefined) throw new Error(`GREENROOM_SCALE has ${other}, which no workload has`)
  return { ...workload, ...scale }
}

function jsonIn<Value>(environment: Environment, name: string): Value | undefined {
  const text = environment[name]
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text) as Value
  } catch {
    throw new Error(`${name} is no JSON`)
  }
}

function isWorkload(name: string): name is WorkloadName {
  return Object.hasOwn(workloads, name)
}

function needed(environment: Environment, name: string): string {
  const value = environment[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set`)
  return value
}
