import type { KeyObject } from 'node:crypto'
import type { Results } from '#judge/results'
import type { Json } from '#trace/json'
import type { Carried } from './file.ts'
import { judgeRun, type Judging } from './judged-run.ts'
import { profileBytes } from './make.ts'
import { type Opened, openCertificate } from './open.ts'
import { isCopy, whyNoPair } from './pair.ts'
import { registerText } from './register-text.ts'
import { type Predicate, statementText } from './statement.ts'
import { notGenuine } from './trouble.ts'

export interface VerifyOptions extends Judging {
  /** The key that must have signed. */
  readonly key?: KeyObject
}

/** A certificate that is genuine. */
export interface Verified extends Pick<Opened, 'keyGiven' | 'digest'> {
  readonly predicate: Predicate
  /** By which both runs went. */
  readonly profile: Json
}

/**
 * Verifies a certificate from its bytes alone: its form, signature and digests, each trace by its chain and by judging it
 * anew, and whether all that it says follows from them. No network, no clock.
 *
 * @throws CertificateTrouble
 */
export function verifyCertificate(bytes: Buffer, options: VerifyOptions): Verified {
  return verifyOpened(openCertificate(bytes, options.key), options)
}

/** The same of one that was opened before. @throws CertificateTrouble */
export function verifyOpened(opened: Opened, options: Judging): Verified {
  const { carried, packed, statement, text, key, keyGiven, digest } = opened
  const runs = [judgeRun('run-1', carried, options), judgeRun('run-2', carried, options)] as const
  const [first, second] = runs
  const why = whyNoPair(first.results, second.results)
  if (why !== undefined) throw notGenuine(`does not certify anything: ${why}`)
  if (isCopy(carried['run-1/trace.ndjson'], carried['run-2/trace.ndjson']))
    throw notGenuine('does not certify anything: one run is a copy of the other, its secrets have the same stand-ins')
  checkBeside(carried, first.results, options)
  const follows = statementText({
    carried,
    packed,
    results: [first.results, second.results],
    traces: [first.trace, second.trace],
    register: options.register,
    stated: statement.predicate,
    key,
  })
  if (follows !== text) throw notGenuine(`says more than its traces show: ${whereElse(opened, follows)}`)
  return { predicate: statement.predicate, digest, keyGiven, profile: first.results.target.profile }
}

function checkBeside(carried: Carried, results: Results, { register }: Judging): void {
  if (carried['requirements.json'].toString('utf8') !== registerText(register))
    throw notGenuine(`was changed: requirements.json is not the requirement set ${register.release.version}`)
  if (!carried['profile.json'].equals(profileBytes(results)))
    throw notGenuine('was changed: profile.json is not the profile that the runs went by')
}

/** The first member of the Statement that does not follow from what the certificate carries. */
function whereElse({ statement }: Opened, follows: string): string {
  const right = JSON.parse(follows) as { readonly predicate: { readonly [name: string]: unknown } }
  const names = new Set([...Object.keys(right.predicate), ...Object.keys(statement.predicate)])
  const said: { readonly [name: string]: unknown } = { ...statement.predicate }
  const found = [...names].find((name) => JSON.stringify(right.predicate[name]) !== JSON.stringify(said[name]))
  return found === undefined ? 'its subjects' : `predicate.${found}`
}
