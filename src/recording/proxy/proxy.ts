import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { readBaseAddress } from '#client/base-address'
import { createSockets } from '#client/sockets/sockets'
import { defaultBounds } from '#client/bounds'
import type { Recorder } from '../traffic/recorder.ts'
import { joinChannel } from './channel.ts'
import { ControlUrls } from './control-urls.ts'
import { handOn } from './rest.ts'
import type { Way } from './way.ts'

export interface ProxyOptions {
  readonly base_url: string
  readonly allow_insecure_loopback: boolean
  readonly ca_pem: string | undefined
  /** An HTTP proxy by which the target is reached. */
  readonly proxy: string | undefined
  readonly control_hosts: readonly string[]
  /** On 127.0.0.1; 0 takes a free one. */
  readonly port: number
  readonly recorder: Recorder
  /** The page at `/`; undefined where that is the target's, too. */
  readonly page: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
}

/** A proxy on this machine that records what passes. */
export interface RecordingProxy {
  readonly base_url: string
  /** Ends all connections; what was under way is recorded as cut off. */
  stop(): Promise<void>
}

const host = '127.0.0.1'
/** Connecting to the target; how long an answer takes is the client's business. */
const connectWithin_ms = 30_000

/** Nothing is sent that a client did not send. @throws the system's error where the port cannot be had */
export async function startProxy(options: ProxyOptions): Promise<RecordingProxy> {
  const base = readBaseAddress(options.base_url, options.allow_insecure_loopback)
  const sockets = createSockets({
    secure: !base.insecure,
    ca_pem: options.ca_pem,
    proxy: options.proxy,
    timeout_ms: connectWithin_ms,
    header_bytes: defaultBounds.header_bytes,
  })
  const server = createServer({ maxHeaderSize: 64 * 2 ** 10, keepAliveTimeout: 65_000 })
  const port = await listen(server, options.port)
  const way: Way = {
    base,
    sockets,
    recorder: options.recorder,
    controlUrls: new ControlUrls(`ws://${host}:${port}`, base, options.control_hosts),
  }
  const open = new Set<{ cut(): void }>()
  server.on('request', (request, response) => {
    if (request.url === '/' && options.page !== undefined) options.page(request, response)
    else void handOn(way, request, response)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const joined = joinChannel(way, request, socket, head, () => open.delete(joined))
    open.add(joined)
  })
  return {
    base_url: `http://${host}:${port}`,
    stop: async () => {
      for (const one of open) one.cut()
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
      await sockets.agent.destroy()
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
    })
  })
}
