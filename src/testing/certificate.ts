import { type Certificate, selfSigned } from '#target/x509'

const HOUR = 3_600_000
const LOOPBACK = { dns: ['localhost'], addresses: [Buffer.of(127, 0, 0, 1)] }

/** Makes a fresh certificate for the loopback address, or for the one DNS name that is given. */
export function makeCertificate(name?: string): Certificate {
  const now = Date.now()
  return selfSigned({
    name: name ?? 'localhost',
    ...(name === undefined ? LOOPBACK : { dns: [name] }),
    from: new Date(now - HOUR),
    until: new Date(now + 24 * HOUR),
  })
}
