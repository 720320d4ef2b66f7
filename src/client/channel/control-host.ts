import { BlockList, isIP } from 'node:net'
import { getDomain } from 'tldts'
import { type BaseAddress, isLoopback } from '../base-address.ts'

/** Addresses that mean something else on every network: loopback, private (RFC 1918, RFC 4193) and link-local ones. */
const local = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  local.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  local.addSubnet(network, prefix, 'ipv6')
}

/**
 * Why a control URL's host may not have the secret, or undefined where it may: the target's own host, one of the same
 * registrable domain (by the public suffix list), one that the profile's `control_hosts` names, and on the target's own
 * port `localhost` for its loopback address, or the address for the name. A local address is opened only if the target
 * is at one itself.
 */
export function mayLeadTo(url: URL, base: BaseAddress, hosts: readonly string[]): string | undefined {
  const [own, other] = [plain(base.hostname), plain(url.hostname)]
  if (own === other) return undefined
  if (isLocal(other) && !isLocal(own)) return 'it leads to a local address, and the target is not at one'
  if (hosts.some((host) => names(host, url)) || haveOneDomain(own, other)) return undefined
  if (areOneMachine(own, other) && url.port === URL.parse(base.origin)?.port) return undefined
  return `it leads to a foreign host; if ${other} belongs to the target, add "control_hosts": [${JSON.stringify(other)}] to the profile`
}

/** An entry names a host on every port, or with its port one of them. */
function names(host: string, url: URL): boolean {
  const wanted = plain(host.toLowerCase())
  return wanted === plain(url.hostname) || wanted === url.host
}

/** Two services of different owners under one suffix (`github.io`) are not of one domain. */
function haveOneDomain(one: string, other: string): boolean {
  const [mine, theirs] = [one, other].map((host) => getDomain(host, { allowPrivateDomains: true }))
  return mine !== null && mine === theirs
}

/** A service that listens on loopback names itself `localhost` or by the address, whatever it was asked as. */
function areOneMachine(one: string, other: string): boolean {
  const named = [one, other].map((host) => host.toLowerCase())
  return named.includes('localhost') && (named.includes('127.0.0.1') || named.includes('[::1]'))
}

function isLocal(hostname: string): boolean {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  const version = isIP(address)
  if (version === 0) return isLoopback(hostname) || hostname.endsWith('.localhost')
  return local.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

function plain(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}
