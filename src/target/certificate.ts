import { randomBytes } from 'node:crypto'
import { type Certificate, selfSigned } from './x509.ts'

const YEAR_MS = 365 * 24 * 3_600_000
/** Whoever connects may have a clock that is behind. */
const EARLIER_MS = 3_600_000

/** The addresses of the loopback: 127.0.0.1 and ::1. */
const LOOPBACK = [Buffer.of(127, 0, 0, 1), Buffer.from(`${'00'.repeat(15)}01`, 'hex')]

let shared: Certificate | undefined

function makeCertificate(): Certificate {
  return selfSigned({
    // Two authorities of one name that are both trusted hide each other.
    name: `greenroom ${randomBytes(8).toString('hex')}`,
    dns: ['localhost'],
    addresses: LOOPBACK,
    from: new Date(Date.now() - EARLIER_MS),
    until: new Date(Date.now() + YEAR_MS),
  })
}

/** One certificate a process: it holds no state of a target. */
export const processCertificate = (): Certificate => (shared ??= makeCertificate())
