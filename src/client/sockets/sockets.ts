import { isIP, type Socket } from 'node:net'
import { connect as tlsConnect, type SecureContext } from 'node:tls'
import { Agent, buildConnector } from 'undici'
import type { ClientOptions as WebSocketOptions } from 'ws'
import { BadSetting } from '../errors.ts'
import { bare, openTunnel, type Proxy } from './tunnel.ts'
import { trust } from './tls-trust.ts'

/** How connections to the target are made, for requests and for channels. */
export interface Sockets {
  readonly agent: Agent
  /** Options for a WebSocket that make it connect in the same way. */
  readonly webSocket: WebSocketWay
}

export type WebSocketWay = WebSocketOptions & { readonly secureContext?: SecureContext }

export interface SocketOptions {
  /** Whether the target has TLS; without, it is this machine, which no proxy can reach. */
  readonly secure: boolean
  readonly ca_pem: string | undefined
  readonly proxy: string | undefined
  readonly timeout_ms: number
  readonly header_bytes: number
}

/** Server's hints apart; short, since a POST on a connection that the server just closed is lost. */
const keepAlive = 2_000

export function createSockets(options: SocketOptions): Sockets {
  if (!options.secure)
    return { agent: createAgent(options, buildConnector({ timeout: options.timeout_ms })), webSocket: {} }
  const secureContext = trust(options.ca_pem)
  const proxy = options.proxy === undefined ? undefined : readProxy(options.proxy)
  const direct = buildConnector({ allowH2: false, timeout: options.timeout_ms, secureContext })
  const connect = proxy === undefined ? direct : throughProxy(proxy, direct, options.timeout_ms)
  return { agent: createAgent(options, connect), webSocket: webSocketOptions(proxy, secureContext, options.timeout_ms) }
}

/** @throws BadSetting, which does not show the value */
function readProxy(text: string): Proxy {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new BadSetting('The proxy is no http: or https: URL')
  return { url }
}

/** Deadlines are the caller's, by the wall clock: undici's own start again with every byte. */
function createAgent(options: SocketOptions, connect: buildConnector.connector): Agent {
  return new Agent({
    connect,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: options.header_bytes,
    keepAliveTimeout: keepAlive,
    keepAliveMaxTimeout: 60_000,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function throughProxy(proxy: Proxy, direct: buildConnector.connector, timeout_ms: number): buildConnector.connector {
  return (options, done) => {
    const secure = options.protocol === 'https:'
    const port = options.port === '' ? (secure ? 443 : 80) : Number(options.port)
    openTunnel(proxy, bare(options.hostname), port, timeout_ms, (error, socket) => {
      if (socket === null) done(error ?? new Error('The proxy opened no tunnel'), null)
      else if (secure) direct({ ...options, httpSocket: socket }, done)
      else done(null, socket)
    })
  }
}

type CreateConnection = (
  options: { host?: string; port?: number | string },
  done: (error: Error | null, socket?: Socket) => void,
) => undefined

function webSocketOptions(
  proxy: Proxy | undefined,
  secureContext: SecureContext,
  timeout_ms: number,
): WebSocketOptions {
  const way: WebSocketWay = { secureContext }
  if (proxy === undefined) return way
  const createConnection: CreateConnection = (options, done) => {
    const host = options.host ?? ''
    openTunnel(proxy, host, Number(options.port), timeout_ms, (error, socket) => {
      if (socket === null) done(error ?? new Error('The proxy opened no tunnel'))
      else
        done(
          null,
          tlsConnect({ socket, secureContext, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] }),
        )
    })
    return undefined
  }
  return { createConnection: createConnection as unknown as NonNullable<WebSocketOptions['createConnection']> }
}
