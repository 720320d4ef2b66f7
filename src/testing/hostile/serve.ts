import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Certificate, makeCertificate } from '../certificate.ts'
import { listen, LOOPBACK_HOST } from '../listener.ts'
import { HOSTILE_KEY, type HostileServer, noStats, type Stats } from './hostile-target.ts'

let shared: Promise<Certificate> | undefined

/** One certificate for all hostile servers of a process: making one takes longer than the rest of a start. */
export function sharedCertificate(): Promise<Certificate> {
  shared ??= makeCertificate()
  return shared
}

/** Answers one REST request, usually badly. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Answers one upgrade. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** No time limits of its own: how long a connection lasts is up to the client under test. */
export const patient = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 60_000 }

/** Listens and counts connections; `ca_pem` is what the client is told to trust. */
export async function expose(server: Server, ca_pem: string, stats: Stats = noStats()): Promise<HostileServer> {
  server.on('connection', () => {
    stats.connections += 1
  })
  server.on('tlsClientError', (_error: Error, socket: Duplex) => socket.destroy())
  const { port, listening, stop } = await listen(server)
  return {
    base_url: `https://${LOOPBACK_HOST}:${port}`,
    ca_pem,
    keys: { primary: HOSTILE_KEY },
    stats,
    listening,
    stop,
  }
}

/** Counts a request, reads its body away and survives a client that leaves. */
export function counting(stats: Stats, answer: Handler): RequestListener {
  return (request, response) => {
    stats.requests += 1
    request.on('error', () => request.destroy())
    response.on('error', () => response.destroy())
    request.resume()
    answer(request, response)
  }
}

/** Serves one way of answering REST over TLS. Without `upgrade`, upgrades are answered like any request. */
export async function serveRest(answer: Handler, upgrade?: Upgrade): Promise<HostileServer> {
  const stats = noStats()
  const certificate = await sharedCertificate()
  const server = createHttpsServer({ ...certificate, ...patient }, counting(stats, answer))
  if (upgrade !== undefined) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      stats.upgrades += 1
      socket.on('error', () => socket.destroy())
      upgrade(request, socket, head)
    })
  }
  return expose(server, certificate.cert, stats)
}
