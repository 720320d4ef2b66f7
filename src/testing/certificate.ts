import { generate } from 'selfsigned'

/** A private key and its self-signed certificate, both PEM. */
export interface Certificate {
  key: string
  cert: string
}

const HOUR = 3_600_000
const LOOPBACK = [
  { type: 2 as const, value: 'localhost' },
  { type: 7 as const, ip: '127.0.0.1' },
]

/** Makes a fresh certificate for the loopback address, or for the one DNS name that is given. */
export async function makeCertificate(name?: string): Promise<Certificate> {
  const now = Date.now()
  const made = await generate([{ name: 'commonName', value: name ?? 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - HOUR),
    notAfterDate: new Date(now + 24 * HOUR),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: name === undefined ? LOOPBACK : [{ type: 2, value: name }] },
    ],
  })
  return { key: made.private, cert: made.cert }
}
