import type { KeyObject } from 'node:crypto'
import { validate } from '#spec/validators'
import { signatureFits } from './envelope.ts'
import {
  type Carried,
  type CarriedName,
  carriedNames,
  type CertificateFile,
  readFileText,
  sha256,
  unpack,
} from './file.ts'
import { keyIdOf, readVerifier } from './keys.ts'
import { predicateType, type Statement } from './statement.ts'
import { CertificateTrouble, notGenuine } from './trouble.ts'

/** A certificate whose signature and digests hold; whether what it says is true is not known yet. */
export interface Opened {
  readonly statement: Statement
  /** The bytes that were signed. */
  readonly text: string
  readonly carried: Carried
  readonly packed: CertificateFile['packed']
  readonly key: KeyObject
  /** Whether whoever opened it gave the key, rather than the certificate. */
  readonly keyGiven: boolean
  /** sha256 (hex) of the certificate's bytes. */
  readonly digest: string
}

/**
 * Verifies the form of a certificate, its signature and digests.
 *
 * @param trusted the key that must have signed; without it the one that the certificate names, for which nobody vouches
 * @throws CertificateTrouble
 */
export function openCertificate(bytes: Buffer, trusted: KeyObject | undefined): Opened {
  const file = readFileText(bytes)
  const text = Buffer.from(file.envelope.payload, 'base64').toString('utf8')
  const key = trusted ?? namedKey(text)
  const [{ keyid }] = file.envelope.signatures
  const known = keyIdOf(key)
  if (trusted !== undefined && keyid !== known)
    throw notGenuine(`was signed by another key: its key is ${keyid}, the one that was given is ${known}`)
  if (keyid !== known || !signatureFits(file.envelope, key))
    throw notGenuine('was changed: its signature does not fit what it says')
  const statement = parse(text)
  checkForm(statement)
  const carried = carriedBy(file, statement)
  const keyGiven = trusted !== undefined
  return { statement, text, carried, packed: file.packed, key, keyGiven, digest: sha256(bytes) }
}

/** Whoever holds a key can sign anything. */
function parse(text: string): Statement {
  try {
    return JSON.parse(text)
  } catch {
    throw notGenuine('does not certify anything: what it says is no JSON')
  }
}

function namedKey(text: string): KeyObject {
  try {
    const statement: Statement = JSON.parse(text)
    return readVerifier(statement.predicate.signer.public_key)
  } catch {
    throw notGenuine('was changed: it does not name the key that signed it')
  }
}

function checkForm(statement: Statement): void {
  const type: unknown = statement?.predicateType
  if (typeof type === 'string' && type !== predicateType)
    throw new CertificateTrouble(
      'no-certificate',
      `says ${JSON.stringify(type)}, and this Greenroom reads ${predicateType} only; verify it with a version that reads that`,
    )
  const [error] = validate('meta/certificate-statement', statement)
  if (error !== undefined)
    throw notGenuine(`does not certify anything: what it says is not of the form of a certificate: ${error.message}`)
}

function carriedBy({ packed }: CertificateFile, { predicate }: Statement): Carried {
  const extra = Object.keys(packed).find((name) => !carriedNames.some((known) => known === name))
  if (extra !== undefined) throw notGenuine(`holds ${JSON.stringify(extra)}, which nobody signed`)
  const carried = carriedNames.map((name): [CarriedName, Buffer] => {
    const bytes = packed[name]
    if (bytes === undefined) throw notGenuine(`lacks ${name}`)
    checkPacked(name, bytes, predicate.packed)
    return [name, unpack(name, bytes)]
  })
  return Object.fromEntries(carried) as Carried
}

function checkPacked(name: CarriedName, bytes: Buffer, signed: Statement['predicate']['packed']): void {
  const digest = sha256(bytes)
  if (signed[name] === digest) return
  const other = carriedNames.find((one) => signed[one] === digest)
  if (other !== undefined) throw notGenuine(`was changed: in the place of ${name} stands ${other}`)
  throw notGenuine(`was changed: the digest of ${name} is not the one that was signed`)
}
