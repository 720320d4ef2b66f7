import { gunzipSync, gzipSync } from 'node:zlib'
import { createHash } from 'node:crypto'
import { at, isObject, parsed, stringAt } from '#trace/json'
import { type Envelope, statementType } from './envelope.ts'
import { CertificateTrouble, notGenuine } from './trouble.ts'

/** What a certificate carries beside its signed Statement. */
export const carriedNames = [
  'run-1/trace.ndjson',
  'run-1/results.json',
  'run-2/trace.ndjson',
  'run-2/results.json',
  'requirements.json',
  'profile.json',
] as const

export type CarriedName = (typeof carriedNames)[number]

/** Bytes by name. */
export type Carried = { readonly [name in CarriedName]: Buffer }

/** The file: JSON with the envelope, and each carried file compressed (gzip, base64). */
export interface CertificateFile {
  readonly envelope: Envelope
  readonly packed: { readonly [name: string]: Buffer }
}

const format = 'greenroom.certificate/1'
const beginning = '{\n  "format": "greenroom.certificate/'

/** No certificate is as large, nor is a file in it: what is larger was made to fill a memory. */
const mostBytes = { file: 64 << 20, unpacked: 256 << 20 }

export function pack(bytes: Buffer): Buffer {
  return gzipSync(bytes, { level: 9 })
}

/** @throws CertificateTrouble for what is no gzip, or would be larger than any trace. */
export function unpack(name: string, bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBytes.unpacked })
  } catch {
    throw notGenuine(`holds ${name} in a form that cannot be unpacked`)
  }
}

export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The one way in which a certificate is written, so that no byte of it can be changed unseen. */
export function fileText({ envelope, packed }: CertificateFile): string {
  const files = Object.entries(packed).map(([name, bytes]) => [name, bytes.toString('base64')])
  return `${JSON.stringify({ format, envelope, files: Object.fromEntries(files) }, undefined, 2)}\n`
}

/**
 * Reads the form alone: nothing is verified yet.
 *
 * @throws CertificateTrouble for anything but a file that {@link fileText} wrote
 */
export function readFileText(bytes: Buffer): CertificateFile {
  if (bytes.length > mostBytes.file)
    throw new CertificateTrouble('no-certificate', 'is no certificate: it is larger than any')
  const text = bytes.toString('utf8')
  checkFormat(text)
  const value = parse(text)
  const envelope: Envelope = {
    payloadType: stringAt(value, '/envelope/payloadType') ?? '',
    payload: stringAt(value, '/envelope/payload') ?? '',
    signatures: [
      {
        keyid: stringAt(value, '/envelope/signatures/0/keyid') ?? '',
        sig: stringAt(value, '/envelope/signatures/0/sig') ?? '',
      },
    ],
  }
  const files = at(value, '/files')
  const packed = Object.entries(isObject(files) ? files : {}).map(([name, content]) => [
    name,
    Buffer.from(typeof content === 'string' ? content : '', 'base64'),
  ])
  const read = { envelope, packed: Object.fromEntries(packed) as CertificateFile['packed'] }
  const inOwnForm = bytes.equals(Buffer.from(fileText(read))) && inBase64(envelope)
  if (!inOwnForm) throw notGenuine('was changed: it is not written as Greenroom writes a certificate')
  if (envelope.payloadType !== statementType)
    throw notGenuine(`was changed: what it signs is ${JSON.stringify(envelope.payloadType)}, not an in-toto Statement`)
  return read
}

function checkFormat(text: string): void {
  if (!text.startsWith(beginning)) {
    if (isWrittenAnew(text))
      throw notGenuine('was written anew by another program: it holds only as it was issued, byte for byte')
    throw new CertificateTrouble(
      'no-certificate',
      'is no certificate of Greenroom: it does not begin as one; give certificate.json of "greenroom certify"',
    )
  }
  const version = /^\d+(?=",\n)/.exec(text.slice(beginning.length))?.[0]
  if (version === undefined) throw notGenuine('was changed: its format has no version')
  if (version === '1') return
  throw new CertificateTrouble(
    'no-certificate',
    `is of format greenroom.certificate/${version}, and this Greenroom reads ${format} only; verify it with a version that reads that format`,
  )
}

/** A certificate whose JSON was laid out anew: spaces and line ends are part of what is verified. */
function isWrittenAnew(text: string): boolean {
  return stringAt(parsed(text), '/format')?.startsWith('greenroom.certificate/') === true
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    if (!text.endsWith('\n}\n')) throw notGenuine('was cut: its end is missing')
    throw notGenuine('was changed: it is no JSON any more')
  }
}

/** Base64 has several ways to write the same bytes; one of them is ours. */
function inBase64({ payload, signatures: [{ sig }] }: Envelope): boolean {
  return [payload, sig].every((text) => Buffer.from(text, 'base64').toString('base64') === text)
}
