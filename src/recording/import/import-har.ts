import { headerOf, planRun } from '#scenario/plan/run-plan'
import { type Environment, knownSecrets, readSecrets } from '#scenario/run/run-secrets'
import type { Profile } from '#spec/profile'
import type { Json } from '#trace/json'
import { createRedactor } from '#trace/redact'
import { type Draft, openTrace } from '#trace/writer'
import { keyNames } from '../traffic/key-names.ts'
import { spoolHar } from './har.ts'

export interface HarImport {
  readonly file: string
  /** Undefined to take the host that the first request of the interface goes to. */
  readonly profile: Profile | undefined
  readonly environment: Environment
  /** Where the trace is written; a function is asked once the file has turned out to be a HAR. */
  readonly trace: string | (() => string)
}

/** What became of a HAR. */
export interface Imported {
  readonly base_url: string | undefined
  /** Sentences about what it lacks. */
  readonly missing: readonly string[]
}

/** Makes a recording of a browser's export. @throws HarError, TraceWriteError; the system's error for the file */
export async function importHar({ file, profile, environment, trace }: HarImport): Promise<Imported> {
  const known = readSecrets(profile ?? { keys: {} }, environment)
  const plan = planRun({ selected: [], tier: 'full', only: [], profile: profile ?? nobody })
  const redactor = createRedactor(knownSecrets(known), plan.salt)
  const keys = keyNames(known.keys, redactor)
  const read = await spoolHar({
    file,
    base_url: profile?.base_url,
    control_hosts: profile?.control_hosts ?? [],
    redactor,
    keys,
  })
  const { spool, missing } = read
  try {
    let t = 0
    let begin: number | undefined
    const writer = openTrace(typeof trace === 'string' ? trace : trace(), plan.epoch, redactor, () => t)
    const header = (epoch: number): Draft => {
      const found = { ...(profile ?? nobody), base_url: read.base_url ?? nobody.base_url }
      const selected = { selected: [], skipped: [] }
      const draft = headerOf({ ...plan, epoch, profile: found }, selected, environment) as Draft & { profile: Json }
      return { ...draft, recording: 'har' } as Draft
    }
    for (const { at, draft } of spool.inOrder()) {
      if (begin === undefined) writer.write(header(at))
      begin ??= at
      t = Math.max(t, Math.round((at - begin) * 1_000) / 1_000)
      writer.write(draft)
    }
    if (begin === undefined) writer.write(header(plan.epoch))
    writer.write({ kind: 'end', outcome: 'completed' })
    writer.close()
    return { base_url: read.base_url, missing: missing.told() }
  } finally {
    spool.remove()
  }
}

/** Stands in the header where an archive holds no request of the interface. */
const nobody: Profile = { base_url: 'https://unknown.invalid', keys: {} }
