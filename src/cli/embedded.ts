import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KeyName, keyNames, type Profile } from '../law/profile.ts'
import { deviations } from '../target/deviations.ts'
import { type RunningTarget, startTarget, type TargetOptions } from '../target/start.ts'
import { didYouMean } from './did-you-mean.ts'
import { fileTrouble, usage } from './stop.ts'

export interface EmbeddedOptions {
  readonly defect: readonly string[]
  readonly variation: readonly string[]
  readonly seed: number
  readonly tls: boolean
  readonly port?: number
  readonly requestsPerMinute?: number
}

/** A reference target in this process, and all that a client needs to speak to it. */
export interface Embedded {
  readonly target: RunningTarget
  readonly profile: Profile
  /** Values of the variables that the profile names. */
  readonly environment: { readonly [name: string]: string }
  /** Holds `profile.json` and, with TLS, `ca.pem`. */
  readonly folder: string
  readonly stop: () => Promise<void>
}

/** @throws Stop (2) for an unknown defect or variation and a port that is taken */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const known = deviations()
  checkIds('--defect', options.defect, known.defects)
  checkIds('--variation', options.variation, known.variations)
  const target = await start(options)
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-'))
  const profile = profileOf(target, folder)
  if (target.ca_pem !== undefined) writeFileSync(join(folder, 'ca.pem'), target.ca_pem)
  writeFileSync(join(folder, 'profile.json'), `${JSON.stringify(profile, undefined, 2)}\n`)
  const stop = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true })
    await target.stop()
  }
  return { target, profile, environment: environmentOf(target), folder, stop }
}

function checkIds(option: string, wanted: readonly string[], known: readonly { readonly id: string }[]): void {
  const ids = known.map(({ id }) => id)
  const unknown = wanted.find((id) => !ids.includes(id))
  if (unknown === undefined) return
  const kind = option === '--defect' ? 'defects' : 'variations'
  throw usage(
    `${option} ${JSON.stringify(unknown)} is not known${didYouMean(unknown, ids)} See "greenroom list --${kind}"`,
  )
}

async function start(options: EmbeddedOptions): Promise<RunningTarget> {
  try {
    return await startTarget(targetOptions(options))
  } catch (error) {
    const inUse = error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
    if (!inUse) throw error
    throw usage(
      `--port ${options.port ?? 0} cannot be used: ${error.code === 'EACCES' ? fileTrouble(error) : 'it is taken'}`,
    )
  }
}

function targetOptions({ defect, variation, seed, tls, port, requestsPerMinute }: EmbeddedOptions): TargetOptions {
  return {
    seed,
    tls,
    defects: [...defect],
    variations: [...variation],
    ...(port === undefined ? {} : { port }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  }
}

function profileOf(target: RunningTarget, folder: string): Profile {
  return {
    base_url: target.base_url,
    ...(target.ca_pem === undefined ? { allow_insecure_loopback: true } : { ca_file: join(folder, 'ca.pem') }),
    keys: Object.fromEntries(keyNames.map((name) => [name, variableOf(name)])),
    limits: target.limits,
    media: target.media,
    triggers: target.triggers,
  }
}

function environmentOf(target: RunningTarget): Embedded['environment'] {
  return Object.fromEntries(keyNames.map((name) => [variableOf(name), target.keys[name]]))
}

/** The variable that a bare `--target URL` reads is the one of the primary key. */
function variableOf(name: KeyName): string {
  return name === 'primary' ? 'GREENROOM_API_KEY' : `GREENROOM_KEY_${name.toUpperCase()}`
}
