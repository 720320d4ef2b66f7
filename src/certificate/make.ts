import type { KeyObject } from 'node:crypto'
import type { RegisterView } from '#judge/register-view'
import type { Results } from '#judge/results'
import { resultsText } from '#judge/results-text'
import { parseTrace } from '#trace/reader'
import { seal } from './envelope.ts'
import { type Carried, carriedNames, fileText, pack } from './file.ts'
import { registerText } from './register-text.ts'
import { type Stated, statementText } from './statement.ts'

/** One run as it was recorded and judged. */
export interface RecordedRun {
  /** Bytes of the trace. */
  readonly trace: Buffer
  readonly results: Results
}

export interface ToCertify {
  readonly runs: readonly [RecordedRun, RecordedRun]
  readonly register: RegisterView
  readonly stated: Stated
  /** Ed25519, private. */
  readonly key: KeyObject
}

/** The text of a certificate. Whether its runs are worth one is not asked here: `verifyCertificate` says that. */
export function makeCertificate({ runs, register, stated, key }: ToCertify): string {
  const [first, second] = runs
  const carried: Carried = {
    'run-1/trace.ndjson': first.trace,
    'run-1/results.json': Buffer.from(resultsText(first.results)),
    'run-2/trace.ndjson': second.trace,
    'run-2/results.json': Buffer.from(resultsText(second.results)),
    'requirements.json': Buffer.from(registerText(register)),
    'profile.json': profileBytes(first.results),
  }
  const packed = Object.fromEntries(carriedNames.map((name) => [name, pack(carried[name])]))
  const results = [first.results, second.results] as const
  const traces = [parseTrace(first.trace), parseTrace(second.trace)] as const
  const statement = statementText({ carried, packed, results, traces, register, stated, key })
  return fileText({ envelope: seal(statement, key), packed })
}

/** The profile as the trace has it: names of environment variables, no value of any. */
export function profileBytes(results: Results): Buffer {
  return Buffer.from(`${JSON.stringify(results.target.profile, undefined, 2)}\n`)
}
