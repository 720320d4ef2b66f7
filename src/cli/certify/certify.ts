import { type Lack, lacksOf } from '#certificate/lacks'
import { register } from '#judge/register'
import { presentKeys, readSecrets } from '#scenario/run/run-secrets'
import type { Json } from '#trace/json'
import { planText } from '../check/plan-text.ts'
import { findSubject, type Subject } from '../check/subject.ts'
import type { Shell } from '../shell.ts'
import { usage } from '../stop.ts'
import { clearEarlier, issue } from './issue.ts'
import { judging } from './judging.ts'
import { signerIn } from './key-file.ts'
import { planFull, twoRuns } from './two-runs.ts'

export interface CertifyOptions {
  readonly target?: string
  readonly key?: string
  readonly by?: string
  readonly out: string
  readonly journal?: string
  readonly dryRun: boolean
}

/**
 * Runs a target twice in the tier `full` and signs what came of it.
 *
 * @returns the exit code: that of the first run that is not conformant, 3 where the runs disagree
 * @throws Stop (2) where something is missing, before anything is sent
 */
export async function certify(options: CertifyOptions, shell: Shell): Promise<number> {
  const { signal } = shell.interrupts()
  const target = options.target ?? shell.env['GREENROOM_TARGET'] ?? ''
  if (target === '') throw usage('--target names what to certify: a profile file, see "npx greenroom init"')
  const key = options.key === undefined ? undefined : signerIn(options.key, shell.env)
  const subject = await findSubject({ target, defect: [], variation: [] }, shell)
  try {
    tell(lacksIn(subject, options), shell)
    if (options.dryRun || key === undefined) {
      shell.out(`${planText(await planFull(subject))}All this twice, with different seeds.\n`)
      return 0
    }
    clearEarlier(options.out)
    const runs = await twoRuns(subject, options, shell, signal)
    if (typeof runs === 'number') return runs
    shell.err('greenroom: both runs are over; what they show is signed, and verified as anybody else would\n')
    return await issue({ runs, key, out: options.out, by: options.by, judging: await judging() }, shell)
  } finally {
    await subject.stop()
  }
}

function lacksIn({ profile, environment }: Subject, { key, dryRun }: CertifyOptions): readonly Lack[] {
  const keys = presentKeys(readSecrets(profile, environment))
  const unsigned = { what: 'nothing signs it', remedy: 'give --key; "npx greenroom certify keygen" makes one' }
  const lacks = lacksOf({ profile: profile as unknown as Json, keys }, register())
  return key === undefined && !dryRun ? [...lacks, unsigned] : lacks
}

/** @throws Stop (2) where anything is missing */
function tell(lacks: readonly Lack[], shell: Shell): void {
  if (lacks.length === 0) return
  for (const { what, remedy } of lacks) shell.err(`greenroom: not enough for a certificate: ${what}: ${remedy}\n`)
  const count = lacks.length === 1 ? 'one thing is' : `${lacks.length} things are`
  throw usage(`certify: ${count} missing for a certificate, see above; nothing was sent`)
}
