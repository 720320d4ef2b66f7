import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { driveTarget, type DriveOptions } from '#scenario/run/drive'
import type { Entry, Tier } from '#trace/entry'
import { parseTrace } from '#trace/reader'
import { startFullServer } from '../../full-server/start.ts'
import { startMinimalServer } from '../../minimal-server/start.ts'
import { inFolder } from '../../new-folder.ts'
import { onSimulatedTarget } from '../../simulated-target.ts'
import type { RunName } from '../plan/runs.ts'
import type { Setting } from '../plan/runs.ts'

interface Server {
  readonly profile: DriveOptions['profile']
  readonly environment: DriveOptions['environment']
  readonly ca_pem: string
  stop(): Promise<void>
}

/** Records a standard run against an independent server; one that a folder holds already is read. */
export async function recordRun(name: RunName, setting: Setting, folder: string): Promise<readonly Entry[]> {
  const out = join(folder, `${name}.ndjson`)
  if (!existsSync(out)) {
    mkdirSync(folder, { recursive: true })
    const server = await start(setting)
    const partial = `${out}.part`
    try {
      const ca_file = join(folder, 'ca.pem')
      writeFileSync(ca_file, server.ca_pem)
      // An honoured Retry-After would be the longest part of the run.
      const { rate_limited: _, ...keys } = server.profile.keys
      const profile = { ...server.profile, keys, ca_file }
      const journal = join(folder, `${name}.journal`)
      await driveTarget({ profile, environment: server.environment, seed: 1, out: partial, journal })
    } finally {
      await server.stop()
    }
    renameSync(partial, out)
  }
  return parseTrace(readFileSync(out)).entries
}

function start(setting: Setting): Promise<Server> {
  return setting.server === 'full server'
    ? startFullServer({ slowness: 0.4, ...setting.switches })
    : startMinimalServer(setting.switches)
}

/** Records what one scenario makes of the reference target with some seeded mistakes or variations. */
export async function recordReference(
  deviations: { readonly defects?: string[]; readonly variations?: string[] },
  only: string,
  tier: Tier = 'standard',
): Promise<readonly Entry[]> {
  return onSimulatedTarget(deviations, (driven) =>
    inFolder(async (uploads) => (await driveTarget({ ...driven, only: [only], tier, seed: 1, uploads })).trace.entries),
  )
}
