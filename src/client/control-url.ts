import { isIP } from 'node:net'
import type { BaseAddress } from './base-address.ts'
import { percentEncoded } from './percent.ts'

/** A control URL that may be opened, or why not. */
export type ControlUrl =
  | {
      readonly safe: true
      /** For the parser of the WebSocket client. */
      readonly url: string
      /** Path and query, byte for byte as given, with the token where one belongs there. */
      readonly path: string
    }
  | { readonly safe: false; readonly why: string }

/** Second-level names under which strangers register: `co.uk`, `com.au`. */
const registries = new Set(['ac', 'co', 'com', 'edu', 'go', 'gov', 'ne', 'net', 'or', 'org'])

/**
 * Section 5: the token goes into the query, and the URL is used exactly as it was given. Only over `wss:`, only to the
 * target's own host or a sister of it; `ws:` only for a loopback target without TLS.
 */
export function controlUrl(text: string, token: string | undefined, base: BaseAddress): ControlUrl {
  const why = flaw(text, base)
  if (why !== undefined) return { safe: false, why }
  const given = text.slice(text.indexOf('//') + 2)
  const start = given.search(/[/?]/)
  const exact = start === -1 ? '/' : given.slice(start)
  const path = withToken(exact.startsWith('/') ? exact : `/${exact}`, token)
  return { safe: true, url: text, path }
}

/** The URL with its token, as it is recorded (the token is replaced on the way into the trace). */
export function withToken(url: string, token: string | undefined): string {
  if (token === undefined) return url
  const join = url.includes('?') ? (/[?&]$/.test(url) ? '' : '&') : '?'
  return `${url}${join}token=${percentEncoded(token)}`
}

function flaw(text: string, base: BaseAddress): string | undefined {
  if (!/^[\x21-\x7e]{1,8192}$/.test(text) || text.includes('\\')) return 'it holds characters that no URL holds'
  const url = URL.parse(text)
  if (url === null || !/^wss?:\/\//i.test(text)) return 'it is no absolute WebSocket URL'
  if (text.includes('#')) return 'it holds a fragment'
  if (url.username !== '' || url.password !== '' || authority(text).includes('@')) return 'it holds credentials'
  if (url.protocol === 'ws:' && !base.insecure) return 'it is not wss:'
  if (!isSister(plain(base.hostname), plain(url.hostname))) return 'it leads to a foreign host'
  return undefined
}

function authority(text: string): string {
  return /^\w+:\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
}

/** The same host, or one with the same registrable parent. Addresses and single labels have none. */
function isSister(base: string, other: string): boolean {
  if (base === other) return true
  const parent = parentOf(base)
  return parent !== undefined && parent === parentOf(other)
}

function parentOf(hostname: string): string | undefined {
  const labels = hostname.split('.')
  if (labels.length < 2 || hostname.startsWith('[') || isIP(hostname) !== 0 || labels.at(-1) === 'localhost')
    return undefined
  const shared = labels.at(-1)?.length === 2 && registries.has(labels.at(-2) ?? '')
  const length = shared ? 3 : 2
  return labels.length < length ? undefined : labels.slice(-length).join('.')
}

function plain(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}
