import type { BaseAddress } from '../base-address.ts'
import { mayLeadTo } from './control-host.ts'
import { percentEncoded } from '../http/percent.ts'

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

/**
 * Section 5: the token goes into the query, and the URL is used exactly as it was given. Only over `wss:`, only to a host
 * that may have the secret; `ws:` only for a loopback target without TLS.
 *
 * @param hosts `control_hosts` of the profile
 */
export function controlUrl(
  text: string,
  token: string | undefined,
  base: BaseAddress,
  hosts: readonly string[] = [],
): ControlUrl {
  const why = flaw(text, base, hosts)
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

function flaw(text: string, base: BaseAddress, hosts: readonly string[]): string | undefined {
  if (!/^[\x21-\x7e]{1,8192}$/.test(text) || text.includes('\\')) return 'it holds characters that no URL holds'
  const url = URL.parse(text)
  if (url === null || !/^wss?:\/\//i.test(text)) return 'it is no absolute WebSocket URL'
  if (text.includes('#')) return 'it holds a fragment'
  if (url.username !== '' || url.password !== '' || authority(text).includes('@')) return 'it holds credentials'
  if (url.protocol === 'ws:' && !base.insecure) return 'it is not wss:'
  return mayLeadTo(url, base, hosts)
}

function authority(text: string): string {
  return /^\w+:\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
}
