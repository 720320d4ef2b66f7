import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { listen } from '../listener.ts'
import type { HostileServer, Stats } from './hostile-target.ts'
import { patient, sharedCertificate } from './serve.ts'

/** A second host. Whoever connects to it has been led astray. */
export interface ForeignHost {
  /** `localhost:port`, another name than that of `base_url`. */
  authority: string
  stop: () => Promise<void>
  /** Counts connections into these stats from now on. */
  countInto(stats: Stats): void
}

/** Starts the second host, with or without TLS. The certificate that the client trusts is valid for it too. */
export async function startForeignHost(secure: boolean): Promise<ForeignHost> {
  let stats: Stats | undefined
  const certificate = await sharedCertificate()
  const server = secure ? createHttpsServer({ ...certificate, ...patient }) : createHttpServer(patient)
  server.on('request', (_request, response) => response.end('{"code":0,"message":"foreign","data":{}}'))
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => socket.destroy())
  server.on('connection', () => {
    if (stats !== undefined) stats.foreign += 1
  })
  const { port, stop } = await listen(server)
  return {
    authority: `localhost:${port}`,
    stop,
    countInto(counted) {
      stats = counted
    },
  }
}

/** Starts a server that knows a foreign host; both stop together. */
export async function besideForeignHost(
  secure: boolean,
  start: (foreign: ForeignHost) => Promise<HostileServer>,
): Promise<HostileServer> {
  const foreign = await startForeignHost(secure)
  const server = await start(foreign)
  foreign.countInto(server.stats)
  const stop = async (): Promise<void> => {
    await Promise.all([server.stop(), foreign.stop()])
  }
  return { ...server, stop }
}
