import { sentenceOf } from '#judge/register'
import { CertificateTrouble, type TroubleKind } from '#certificate/trouble'
import { unproven } from '#certificate/unproven'
import type { Verified } from '#certificate/verify'
import { printable } from '#text/printable'
import type { Shell } from '../shell.ts'
import { readNamed } from '../named-files.ts'
import { verifyAtOnce } from './judge-both.ts'
import { judging } from './judging.ts'
import { isPrivate, verifierIn } from './key-file.ts'

export interface VerifyCommandOptions {
  readonly key?: string
}

const exits: { readonly [kind in TroubleKind]: number } = { 'not-genuine': 1, 'no-certificate': 2, 'not-judgeable': 3 }
const names: { readonly [kind in TroubleKind]: string } = {
  'not-genuine': 'Not genuine',
  'no-certificate': 'No certificate',
  'not-judgeable': 'Not verified',
}

/** Verifies a certificate. No network. @returns the exit code */
export async function verify(file: string, options: VerifyCommandOptions, shell: Shell): Promise<number> {
  const bytes = readNamed(file, `the certificate ${file}`)
  const key = options.key === undefined ? undefined : verifierIn(options.key)
  if (options.key !== undefined && isPrivate(options.key)) shell.err(`greenroom: ${privateKey(options.key)}\n`)
  try {
    shell.out(genuineText(await verifyAtOnce(bytes, key, judging)))
    return 0
  } catch (error) {
    if (!(error instanceof CertificateTrouble)) throw error
    shell.err(`${names[error.kind]}: ${file} ${printable(error.message, 1_000)}.\n`)
    return exits[error.kind]
  }
}

const privateKey = (file: string): string =>
  `--key ${file} is a private key: whoever has it can sign in the name of its owner. To verify takes the public one alone (.pub)`

/** Verdicts as reports call them. */
const wordsOf: { readonly [verdict: string]: string } = { inconclusive: 'not judged', not_applicable: 'not applicable' }

/** What was verified, and what that does not prove. */
export function genuineText(verified: Verified): string {
  const { predicate, digest } = verified
  const { target, requirement_set: set, runs, summary, warned, signer } = predicate
  const by = predicate.issued_by === undefined ? '' : ` by ${predicate.issued_by}`
  const facts: readonly (readonly [string, string])[] = [
    ['target', target.base_url],
    ['issued', `${predicate.issued}${by}`],
    ['requirements', `set ${set.version} of interface ${set.spec}, greenroom ${predicate.greenroom}`],
    [
      'verdicts',
      `${Object.entries(summary)
        .map(([name, count]) => `${wordsOf[name] ?? name} ${count}`)
        .join(', ')}; none failed`,
    ],
    [
      'abilities',
      `${target.abilities.offered.join(', ')}; declared away: ${target.abilities.declared_away.join(', ') || 'none'}`,
    ],
    ...runs.map(({ id, date, seed, rest_requests }, place): [string, string] => [
      `run ${place + 1}`,
      `${id}, ${date}, seed ${seed}, ${rest_requests} requests: judged anew, byte for byte the same`,
    ]),
    ...warned.map(({ id }): [string, string] => ['warned', `${id}: ${sentenceOf(id) ?? ''}`]),
    ['key', signer.key_id],
    ['digest', `sha256:${digest}`],
  ]
  return [
    'Genuine: two complete runs agree that the target is conformant.',
    ...facts.map(([name, value]) => `  ${name.padEnd(13)} ${printable(value, 1_000)}`),
    'What this does not prove:',
    ...unproven(verified).map((sentence) => `  - ${printable(sentence, 1_000)}`),
    '',
  ].join('\n')
}
