import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { connect, type PeerCertificate } from 'node:tls'
import { trust } from '#client/sockets/tls-trust'
import type { Profile } from '#spec/profile'

/** What a target shows of itself before any request. */
export interface CertificateSeen {
  readonly subject: string
  /** Days from now until it is no longer good. */
  readonly days: number
  readonly protocol: string
}

/** The certificate of the target; undefined where there is none to see: plain HTTP, a proxy, or no connection. */
export async function seeCertificate(profile: Profile, timeout_ms = 5_000): Promise<CertificateSeen | undefined> {
  const url = new URL(profile.base_url)
  if (url.protocol !== 'https:' || profile.proxy !== undefined) return undefined
  const pem = profile.ca_file === undefined ? undefined : readFileSync(profile.ca_file, 'utf8')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: Number(url.port || 443),
    secureContext: trust(pem),
    ...(isIP(host) === 0 ? { servername: host } : {}),
  })
  socket.setTimeout(timeout_ms, () => socket.destroy())
  try {
    await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')])
    const certificate = socket.getPeerCertificate()
    return socket.authorized ? describe(certificate, socket.getProtocol() ?? 'TLS') : undefined
  } catch {
    // The first request tells what is wrong, in words.
    return undefined
  } finally {
    socket.destroy()
  }
}

const day_ms = 86_400_000

function describe({ subject, subjectaltname, valid_to }: PeerCertificate, protocol: string): CertificateSeen {
  const name = [subject.CN].flat().join(', ') || (subjectaltname ?? 'no name')
  return { subject: name, days: Math.floor((Date.parse(valid_to) - Date.now()) / day_ms), protocol }
}
