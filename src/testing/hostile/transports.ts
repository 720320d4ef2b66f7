import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createNetServer, type Socket } from 'node:net'
import { type Certificate, makeCertificate } from '../certificate.ts'
import { always } from './fixed-answers.ts'
import { type HostileServer, type HostileTarget, noStats } from './hostile-target.ts'
import { counting, expose, patient, sharedCertificate } from './serve.ts'

const answer = always(200, '{"code":0,"message":"","data":{}}')

async function overTls(certificate: Certificate, trusted: string): Promise<HostileServer> {
  const stats = noStats()
  return expose(createHttpsServer({ ...certificate, ...patient }, counting(stats, answer)), trusted, stats)
}

async function wrongName(): Promise<HostileServer> {
  const certificate = await makeCertificate('elsewhere.invalid')
  return overTls(certificate, certificate.cert)
}

async function unknownIssuer(): Promise<HostileServer> {
  return overTls(await makeCertificate(), (await sharedCertificate()).cert)
}

async function plainHttp(): Promise<HostileServer> {
  const stats = noStats()
  return expose(createHttpServer(patient, counting(stats, answer)), (await sharedCertificate()).cert, stats)
}

async function overTcp(greet: (socket: Socket) => void): Promise<HostileServer> {
  return expose(createNetServer(greet), (await sharedCertificate()).cert)
}

function row(id: string, description: string, start: HostileTarget['start']): HostileTarget {
  return { id, description, start, expect: { envelope: false, sessions: false } }
}

/** Connections that never become an HTTP exchange. */
export const transports: HostileTarget[] = [
  row('tls-wrong-name', 'a certificate for another name', wrongName),
  row('tls-unknown-issuer', 'a self-signed certificate that nobody trusts', unknownIssuer),
  row('plain-on-tls-port', 'plain HTTP where TLS is expected', plainHttp),
  row('socket-closed', 'closes every connection at once', () => overTcp((socket) => socket.destroy())),
  row('socket-silent', 'accepts connections and never answers the TLS handshake', () =>
    overTcp((socket) => socket.resume()),
  ),
  row('socket-garbage', 'answers the TLS handshake with other bytes', () =>
    overTcp((socket) => socket.resume().write(Buffer.alloc(512, 0x81))),
  ),
]
