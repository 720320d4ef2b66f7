import type { Key } from '../../../load/core/keys.ts'
import type { Profile } from '#spec/profile'

/** What the k6 side has to know of a run; all of it goes into environment variables, since k6 reads nothing else. */
export interface Handed {
  readonly run: string
  readonly seed: number
  readonly profile: Profile
  readonly keys: readonly Key[]
  readonly workloadName: string
  /** Numbers that replace those of the workload. */
  readonly scale: object
  /** Weights of a mix, by scenario. */
  readonly weights: { readonly [scenario: string]: number } | undefined
  readonly sample: number
}

type Environment = { readonly [name: string]: string | undefined }

/** Variable that holds the value of a key. */
export const keyVariable = (name: string): string => `GREENROOM_KEY_${name.toUpperCase()}`

const headerVariable = (place: number): string => `GREENROOM_HEADER_${place + 1}`

/**
 * The variables of a run without the values of secrets: these are named in `secretsOf`, by the variables of the profile.
 */
export function variablesOf({ profile, keys, ...run }: Handed): { readonly [name: string]: string } {
  const listed = keys.map((key) => ({ ...key, env: keyVariable(key.name) }))
  const headers = Object.fromEntries(Object.keys(profile.headers ?? {}).map((name, at) => [name, headerVariable(at)]))
  return {
    GREENROOM_TARGET: profile.base_url,
    GREENROOM_RUN: run.run,
    GREENROOM_SEED: String(run.seed),
    GREENROOM_WORKLOAD: run.workloadName,
    GREENROOM_SCALE: JSON.stringify(run.scale),
    GREENROOM_KEYS: JSON.stringify(listed),
    GREENROOM_SAMPLE: String(run.sample),
    ...(profile.allow_load === true ? { GREENROOM_ALLOW_LOAD: 'true' } : {}),
    ...(run.weights === undefined ? {} : { GREENROOM_MIX: JSON.stringify(run.weights) }),
    ...(profile.headers === undefined ? {} : { GREENROOM_HEADERS: JSON.stringify(headers) }),
    ...(profile.control_hosts === undefined ? {} : { GREENROOM_CONTROL_HOSTS: JSON.stringify(profile.control_hosts) }),
    // Go trusts the authorities in this file, on Linux.
    ...(profile.ca_file === undefined ? {} : { SSL_CERT_FILE: profile.ca_file }),
  }
}

/** Which variable of the profile each secret variable of the k6 side takes its value from. */
export function secretVariables({ profile, keys }: Pick<Handed, 'profile' | 'keys'>): {
  readonly [name: string]: string
} {
  const ofKeys = keys.flatMap(({ name }): [string, string][] => {
    const variable = Object.entries(profile.keys).find(([key]) => key === name)?.[1]
    return variable === undefined ? [] : [[keyVariable(name), variable]]
  })
  const ofHeaders = Object.values(profile.headers ?? {}).map((variable, at): [string, string] => [
    headerVariable(at),
    variable,
  ])
  // k6 goes through the proxy that these name, for sockets too.
  const ofProxy: [string, string][] =
    profile.proxy === undefined
      ? []
      : [
          ['HTTPS_PROXY', profile.proxy],
          ['HTTP_PROXY', profile.proxy],
        ]
  return Object.fromEntries([...ofKeys, ...ofHeaders, ...ofProxy])
}

/** All variables of a k6 process of ours, with the values of secrets. */
export function environmentOf(handed: Handed, environment: Environment): { readonly [name: string]: string } {
  const secrets = Object.entries(secretVariables(handed)).flatMap(([name, variable]) => {
    const value = environment[variable]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  // Whom Node trusts beside the usual authorities, Go trusts too: `greenroom serve` tells people to set this variable.
  const { NODE_EXTRA_CA_CERTS: trusted = '' } = environment
  const authority = trusted === '' ? {} : { SSL_CERT_FILE: trusted }
  return { ...authority, ...variablesOf(handed), ...Object.fromEntries(secrets) }
}

/** Settings of k6's own outputs, which only go along where one is asked for. */
export function outputVariables(environment: Environment): { readonly [name: string]: string } {
  const kept = Object.entries(environment).filter(([name]) => /^(K6_PROMETHEUS_|K6_OTEL_|OTEL_|K6_CLOUD_)/.test(name))
  return Object.fromEntries(kept.filter((pair): pair is [string, string] => pair[1] !== undefined))
}
