import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { percentDecoded } from '../http/percent.ts'

// An import would read every export, and with the WebSocket among them Node loads a whole client that nobody uses here.
const { request: httpRequest } = process.getBuiltinModule('node:http')

/** An HTTP proxy that we reach the target through. */
export interface Proxy {
  readonly url: URL
}

type Done = (error: Error | null, socket: Socket | null) => void

/** Opens a connection to a host through the proxy (`CONNECT`). */
export function openTunnel(proxy: Proxy, host: string, port: number, timeout_ms: number, done: Done): void {
  const { url } = proxy
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
    host: bare(url.hostname),
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    method: 'CONNECT',
    path: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    headers: { host: `${host}:${port}`, ...authorization(url) },
    agent: false,
  })
  const timer = setTimeout(() => request.destroy(new Error('The proxy did not answer in time')), timeout_ms)
  request.once('connect', (response, socket, head) => {
    clearTimeout(timer)
    if (response.statusCode !== 200) {
      socket.destroy()
      done(new Error(`The proxy answered ${response.statusCode ?? 0}`), null)
      return
    }
    if (head.length > 0) socket.unshift(head)
    done(null, socket)
  })
  request.once('response', (response) => request.destroy(new Error(`The proxy answered ${response.statusCode ?? 0}`)))
  request.once('error', (error) => {
    clearTimeout(timer)
    done(error, null)
  })
  request.end()
}

function authorization(url: URL): { 'proxy-authorization'?: string } {
  if (url.username === '' && url.password === '') return {}
  const pair = `${percentDecoded(url.username)}:${percentDecoded(url.password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** An address of IPv6 without its brackets. */
export function bare(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
