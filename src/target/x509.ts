import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A key pair in PEM; the certificate is its own authority, so whoever trusts it trusts who holds the key. */
export interface Certificate {
  cert: string
  key: string
}

/** What a certificate says. */
export interface CertificateFacts {
  /** Common name. */
  readonly name: string
  readonly dns: readonly string[]
  /** IP addresses, as bytes. */
  readonly addresses?: readonly Buffer[]
  readonly from: Date
  readonly until: Date
}

// Types of ASN.1 (X.680), in the distinguished encoding (X.690).
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
  /** Of the parts of a certificate, and of the names under which its holder is reached (RFC 5280). */
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
  address: 0x87,
} as const

/** Object identifiers, encoded. */
const oids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  extendedKeyUsage: '551d25',
  subjectAltName: '551d11',
  serverAuth: '2b06010505070301',
} as const

/**
 * Makes a TLS certificate that signs itself, on P-256. Written out, since the libraries that do it load some two hundred files,
 * which takes a target longer than everything else that it starts with.
 */
export function selfSigned({ name, dns, addresses = [], from, until }: CertificateFacts): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('ecdsaWithSha256'))
  const subject = sequence(put('set', sequence(oid('commonName'), put('utf8', Buffer.from(name)))))
  const names = [
    ...dns.map((one) => put('dnsName', Buffer.from(one, 'latin1'))),
    ...addresses.map((one) => put('address', one)),
  ]
  const extensions = sequence(
    extension('basicConstraints', true, sequence(put('boolean', Buffer.of(0xff)))),
    // digitalSignature and keyCertSign, of eight bits of which two are unused.
    extension('keyUsage', true, put('bits', Buffer.of(2, 0x84))),
    extension('extendedKeyUsage', false, sequence(oid('serverAuth'))),
    extension('subjectAltName', false, sequence(...names)),
  )
  const said = sequence(
    put('version', put('integer', Buffer.of(2))),
    put('integer', serial()),
    algorithm,
    subject,
    sequence(time(from), time(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    put('extensions', extensions),
  )
  const signature = put('bits', Buffer.of(0), sign('sha256', said, privateKey))
  return {
    cert: pem(sequence(said, algorithm, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function put(tag: keyof typeof tags, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.of(tags[tag], ...lengthOf(content)), content])
}

/** One byte up to 127; above, the number of the bytes that follow, and these. */
function lengthOf({ length }: Buffer): readonly number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

const sequence = (...contents: readonly Buffer[]): Buffer => put('sequence', ...contents)
const oid = (name: keyof typeof oids): Buffer => put('oid', Buffer.from(oids[name], 'hex'))

function extension(name: keyof typeof oids, critical: boolean, content: Buffer): Buffer {
  const marked = critical ? [put('boolean', Buffer.of(0xff))] : []
  return sequence(oid(name), ...marked, put('octets', content))
}

/** `261125021353Z`: so it has to be written up to the year 2049. */
function time(date: Date): Buffer {
  return put('time', Buffer.from(`${date.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`))
}

/** Positive, and without a leading zero that could be left out. */
function serial(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}
