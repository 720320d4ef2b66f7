import type { KeyObject } from 'node:crypto'
import { rmSync } from 'node:fs'
import { arch, platform, release } from 'node:os'
import { basename, join } from 'node:path'
import { sentenceOf } from '#judge/register'
import type { Judging } from '#certificate/judged-run'
import { makeCertificate, type RecordedRun } from '#certificate/make'
import { whyNoPair } from '#certificate/pair'
import { certificatePage } from '#certificate/page/certificate-page'
import type { Stated } from '#certificate/statement'
import { CertificateTrouble } from '#certificate/trouble'
import type { Verified } from '#certificate/verify'
import { makeFolder } from '../make-folder.ts'
import type { Shell } from '../shell.ts'
import { writeNamed } from '../named-files.ts'
import { fileTrouble, Stop, usage } from '../stop.ts'
import { verifyAtOnce } from './judge-both.ts'
import { genuineText } from './verify.ts'

const certificateIn = (folder: string): string => join(folder, 'certificate.json')
const pageIn = (folder: string): string => join(folder, 'certificate.html')

/** A certificate of an earlier time must not pass for one of this. @throws Stop (2) */
export function clearEarlier(folder: string): void {
  try {
    makeFolder(folder)
    for (const file of [certificateIn(folder), pageIn(folder)]) rmSync(file, { force: true })
  } catch (error) {
    throw usage(`--out ${folder} cannot be written: ${fileTrouble(error)}`)
  }
}

export interface ToIssue {
  readonly runs: readonly [RecordedRun, RecordedRun]
  /** Ed25519, private. */
  readonly key: KeyObject
  /** Folder that the certificate goes to. */
  readonly out: string
  /** Who issues it. */
  readonly by: string | undefined
  readonly judging: Judging
}

/**
 * Signs two conformant runs, verifies what was made as anybody else would, and writes it with its page.
 *
 * @returns 0, or 3 where the runs disagree
 */
export async function issue({ runs, key, out, by, judging }: ToIssue, shell: Shell): Promise<number> {
  const why = whyNoPair(runs[0].results, runs[1].results)
  if (why !== undefined) {
    shell.err(`No certificate: ${why}. What differs from run to run can't be certified; mend it, or ask again.\n`)
    return 3
  }
  const certificate = makeCertificate({ runs, register: judging.register, stated: statedNow(by), key })
  const file = certificateIn(out)
  const verified = await verifiedByUs(() => verifyAtOnce(Buffer.from(certificate), key, () => judging))
  writeNamed(file, certificate, file, 4)
  writeNamed(pageIn(out), certificatePage(verified, basename(file), sentenceOf), pageIn(out), 4)
  shell.out(genuineText(verified))
  shell.err(`Certified: ${file} is the certificate, ${pageIn(out)} its page.\n`)
  return 0
}

function statedNow(by: string | undefined): Stated {
  return {
    issued: new Date().toISOString(),
    ...(by === undefined ? {} : { issued_by: by }),
    environment: { node: process.versions.node, platform: platform(), arch: arch(), os: release() },
  }
}

/** What we sign ourselves has to be genuine: anything else is a mistake of ours. */
async function verifiedByUs(verify: () => Promise<Verified>): Promise<Verified> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof CertificateTrouble) throw new Stop(4, `what was signed ${error.message}; nothing was written`)
    throw error
  }
}
