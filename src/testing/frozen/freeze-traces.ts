import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { driveTarget, type DriveOptions } from '#scenario/run/drive'
import { registerDigest } from '#spec/register'
import { isObject, textAt } from '#trace/json'
import type { Tier } from '#trace/entry'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { startFullServer } from '../full-server/start.ts'
import { startMinimalServer } from '../minimal-server/start.ts'
import { inFolder } from '../new-folder.ts'
import { freeze, frozenTrace } from './frozen-traces.ts'

// Records runs and freezes them with their results: node src/testing/frozen/freeze-traces.ts [--recorded] [name …]
// A change that is meant to judge otherwise is frozen anew; any other must leave every byte as it is. With --recorded the
// traces stay, are named after the register of today and judged anew: for a change of the register or of the judge alone.

/** A mistake for each part, some in what only rules judge, some in what only claims judge. */
const mistakes = [
  'audio-files.file.id-string',
  'authentication.header-required.avatar-sessions',
  'avatar-sessions.create.active-avatar-ambiguous-rejected',
  'avatar-sessions.idempotency.retry-same-session',
  'characters.list.next-page-token-string',
  'control-channel.text-delta.concatenate-to-final-text',
  'control-channel.session-update.mode-kept-when-omitted',
  'limits.concurrency.exceeding-refused',
  'voices.scope.shared-by-keys',
  'world-sessions.idempotency.retry-same-session',
]

interface Server {
  readonly profile: DriveOptions['profile']
  readonly environment: DriveOptions['environment']
  readonly ca_pem: string | undefined
  stop(): Promise<void>
}

const recordings: { readonly [name: string]: () => Promise<void> } = {
  'reference-smoke': () => record('reference-smoke', () => reference(), 'smoke'),
  reference: () => record('reference', () => reference()),
  'reference-full': () => record('reference-full', () => reference(), 'full'),
  minimal: () => record('minimal', () => startMinimalServer()),
  contrary: () => record('contrary', () => startFullServer({ contrary: true })),
  ...Object.fromEntries(mistakes.map((id) => [id, () => record(id, () => reference([id]))])),
}

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { recorded: { type: 'boolean', default: false } },
})
for (const [name, recordOne] of Object.entries(recordings)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  if (values.recorded) await freeze(name, underRegisterOfToday(frozenTrace(name)))
  else await recordOne()
  console.log(name)
}

function underRegisterOfToday(trace: string): string {
  const header: unknown = JSON.parse(trace.slice(0, trace.indexOf('\n')))
  const digest = isObject(header) ? textAt(header, '/register') : undefined
  return digest === undefined ? trace : trace.replaceAll(digest, registerDigest())
}

async function reference(defects: string[] = []): Promise<Server> {
  const target = await startTarget({ tls: true, defects, seed: 1 })
  return {
    profile: profileOf(target),
    environment: environmentOf(target),
    ca_pem: target.ca_pem,
    stop: () => target.stop(),
  }
}

async function record(name: string, start: () => Promise<Server>, tier: Tier = 'standard'): Promise<void> {
  const server = await start()
  try {
    await inFolder(async (folder) => {
      const ca_file = join(folder, 'ca.pem')
      writeFileSync(ca_file, server.ca_pem ?? '')
      const out = join(folder, 'trace.ndjson')
      const { environment } = server
      const profile = { ...server.profile, ca_file }
      await driveTarget({ profile, environment, tier, seed: 1, out, journal: join(folder, 'journal') })
      await freeze(name, readFileSync(out, 'utf8'))
    })
  } finally {
    await server.stop()
  }
}
