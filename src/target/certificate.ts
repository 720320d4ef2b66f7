import { randomBytes } from 'node:crypto'
import { generate } from 'selfsigned'

/** A key pair in PEM; the certificate is its own authority, so a client trusts the target by trusting it. */
export interface Certificate {
  cert: string
  key: string
}

let shared: Promise<Certificate> | undefined

async function makeCertificate(): Promise<Certificate> {
  // Two authorities of one name that are both trusted hide each other.
  const name = `greenroom ${randomBytes(8).toString('hex')}`
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  })
  return { cert: made.cert, key: made.private }
}

/** One certificate a process: making it is slow, and it holds no state of a target. */
export const processCertificate = (): Promise<Certificate> => (shared ??= makeCertificate())
