import { isIP } from 'node:net'
import { UnsafeTarget } from './errors.ts'

/** Where the target is. */
export interface BaseAddress {
  readonly origin: string
  /** Path that stands before every operation's path; empty, or without a final slash. */
  readonly prefix: string
  readonly hostname: string
  /** A loopback target without TLS, which the profile allows. */
  readonly insecure: boolean
}

/** @throws UnsafeTarget unless it is `https:`, or `http:` on loopback where that is allowed. */
export function readBaseAddress(text: string, allowInsecureLoopback: boolean): BaseAddress {
  const url = URL.parse(text)
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    throw new UnsafeTarget('base_url is no HTTPS address')
  if (url.username !== '' || url.password !== '') throw new UnsafeTarget('base_url holds credentials')
  if (url.search !== '' || url.hash !== '') throw new UnsafeTarget('base_url holds a query or a fragment')
  const insecure = url.protocol === 'http:'
  if (insecure && !(allowInsecureLoopback && isLoopback(url.hostname))) {
    throw new UnsafeTarget(
      'base_url has no TLS, which is for loopback targets whose profile says allow_insecure_loopback',
    )
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, ''), hostname: url.hostname, insecure }
}

/** Whether a hostname, as a URL shows it, can only be this machine. */
export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true
  return isIP(hostname) === 4 && hostname.startsWith('127.')
}
