import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Profile } from '#spec/profile'
import { environmentOf, profileOf } from '#target/profile'
import { type RunningTarget, startTarget, type TargetOptions } from '#target/start'
import { didYouMeanOneOf } from './did-you-mean.ts'
import { fileTrouble, usage } from './stop.ts'

export interface EmbeddedOptions {
  readonly defect: readonly string[]
  readonly variation: readonly string[]
  readonly seed: number
  readonly tls: boolean
  readonly port?: number
  readonly requestsPerMinute?: number
  readonly concurrentSessions?: number
  readonly documents?: TargetOptions['documents']
  readonly onVisit?: TargetOptions['onVisit']
  readonly override?: TargetOptions['override']
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
  if (options.defect.length + options.variation.length > 0) {
    const { deviations } = await import('#target/deviations')
    const known = deviations()
    checkIds('--defect', options.defect, known.defects)
    checkIds('--variation', options.variation, known.variations)
  }
  const target = await start(options)
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-'))
  const caFile = join(folder, 'ca.pem')
  if (target.ca_pem !== undefined) writeFileSync(caFile, target.ca_pem)
  const profile = profileOf(target, target.ca_pem === undefined ? {} : { caFile })
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
    `${option} ${JSON.stringify(unknown)} is not known${didYouMeanOneOf(unknown, ids)} See "npx greenroom list --${kind}"`,
  )
}

async function start(options: EmbeddedOptions): Promise<RunningTarget> {
  try {
    return await startTarget(targetOptions(options))
  } catch (error) {
    const inUse = error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
    if (!inUse) throw error
    throw usage(
      `--port ${options.port ?? 0} cannot be used: ${error.code === 'EACCES' ? fileTrouble(error) : 'it is taken'}; give another, or leave it out for a free one`,
    )
  }
}

function targetOptions(options: EmbeddedOptions): TargetOptions {
  const { defect, variation, seed, tls, port, requestsPerMinute, concurrentSessions, documents, onVisit, override } =
    options
  return {
    seed,
    tls,
    defects: [...defect],
    variations: [...variation],
    ...(port === undefined ? {} : { port }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(concurrentSessions === undefined ? {} : { concurrentSessions }),
    ...(documents === undefined ? {} : { documents }),
    ...(onVisit === undefined ? {} : { onVisit }),
    ...(override === undefined ? {} : { override }),
  }
}
