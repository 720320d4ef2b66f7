import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeKeys, readSigner } from '#certificate/keys'
import { makeCertificate, type RecordedRun } from '#certificate/make'
import type { Stated } from '#certificate/statement'
import type { VerifyOptions } from '#certificate/verify'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadRules } from '#scenario/plan/load-rules'
import { plansAnew } from '#scenario/plan/plan-anew'
import { version } from '#scenario/plan/run-plan'
import { driveTarget } from '#scenario/run/drive'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { parseTrace, type Trace } from '#trace/reader'
import { newFolder } from './new-folder.ts'

type Pair<T> = readonly [T, T]

/** What a certificate is made of and verified with, small enough for tests: two runs of the tier `smoke`. */
export interface SmallCertificate {
  readonly traces: Pair<Buffer>
  /** Signs. */
  readonly key: KeyObject
  /** Asks for the tier `smoke`, where a true certificate takes `full`. */
  readonly options: VerifyOptions
  /** A run judged from the bytes of its trace. */
  readonly recorded: (trace: Buffer) => RecordedRun
  /** The bytes of a certificate of these runs, signed with the key. */
  readonly certify: (runs: Pair<RecordedRun>, said?: Partial<Stated>) => Buffer
}

export const stated: Stated = {
  issued: '2026-01-01T00:00:00.000Z',
  issued_by: 'Example <Vendor>',
  environment: { node: '24.0.0', platform: 'linux', arch: 'x64', os: '6.1' },
}

/** Drives the embedded target twice. */
export async function smallCertificate(): Promise<SmallCertificate> {
  const rules = await loadRules()
  const judgeTrace = (trace: Trace) => judge(trace, register(), rules)
  const key = readSigner(makeKeys().private_key, undefined)
  return {
    traces: await tracesOfTwoRuns(),
    key,
    options: {
      judge: judgeTrace,
      planAnew: await plansAnew(),
      register: register(),
      greenroom: version(),
      tier: 'smoke',
    },
    recorded: (trace) => ({ trace, results: judgeTrace(parseTrace(trace)) }),
    certify: (runs, said) =>
      Buffer.from(makeCertificate({ runs, register: register(), stated: { ...stated, ...said }, key })),
  }
}

async function tracesOfTwoRuns(): Promise<Pair<Buffer>> {
  const folder = newFolder()
  const target = await startTarget({ tls: false, seed: 1 })
  const drive = async (seed: number): Promise<Buffer> => {
    const out = join(folder, `${seed}.ndjson`)
    const subject = { profile: profileOf(target), environment: environmentOf(target) }
    await driveTarget({ ...subject, tier: 'smoke', seed, out })
    return readFileSync(out)
  }
  try {
    return [await drive(1), await drive(2)]
  } finally {
    await target.stop()
  }
}
