/** Where load goes. */
export interface Target {
  /** Scheme, host, port and path prefix, without a final slash. */
  readonly base: string
  readonly host: string
  readonly loopback: boolean
  /** Hosts outside its own domain that control URLs may lead to. */
  readonly controlHosts: readonly string[]
}

/** Second-level names under which anybody registers: `co.uk`, `com.au`. */
const registries: readonly string[] = ['ac', 'co', 'com', 'edu', 'go', 'gov', 'ne', 'net', 'or', 'org']

/** k6 has no URL parser. Scheme, host in brackets or bare, port, path; nothing else. */
const pattern = /^(https?|wss?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?(\/[\x21-\x7e]*|\?[\x21-\x7e]*)?$/i

/**
 * @param allowLoad whether the target's owner allows load; loopback needs no permission
 * @throws Error when load must not go there
 */
export function readTarget(text: string, allowLoad: boolean, controlHosts: readonly string[] = []): Target {
  const [, scheme = '', host = '', port, path = ''] = pattern.exec(text) ?? []
  if (!/^https?$/i.test(scheme) || /[?#\\]/.test(path)) throw new Error('GREENROOM_TARGET is no http or https address')
  const loopback = isLoopback(host)
  if (!loopback && !allowLoad)
    throw new Error('load goes only to loopback addresses, unless the profile says allow_load: true')
  if (!loopback && !/^https$/i.test(scheme)) throw new Error('load over a network goes only to https addresses')
  const authority = port === undefined ? host : `${host}:${port}`
  return {
    base: `${scheme}://${authority}${path.replace(/\/+$/, '')}`,
    host: plain(host),
    loopback,
    controlHosts: controlHosts.map(plain),
  }
}

/** Whether a host can only be this machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase()
  if (name === 'localhost' || name === '[::1]') return true
  const numbers = /^127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(name)?.slice(1) ?? []
  return numbers.length === 3 && numbers.every((number) => Number(number) <= 255)
}

/**
 * Section 5: the control URL "exactly" as given, with the token in its query.
 * @returns undefined when load must not go there
 */
export function controlUrl(url: string, token: string, target: Target): string | undefined {
  const [, scheme = '', host = ''] = pattern.exec(url) ?? []
  if (url.includes('#') || url.includes('\\') || !/^wss?$/i.test(scheme)) return undefined
  const secure = /^wss$/i.test(scheme)
  const known = isSister(target.host, plain(host)) || target.controlHosts.includes(plain(host))
  const allowed = target.loopback ? isLoopback(host) : secure && known
  if (!allowed) return undefined
  const join = url.includes('?') ? (/[?&]$/.test(url) ? '' : '&') : '?'
  return `${url}${join}token=${encodeURIComponent(token)}`
}

/** The same host, or one with the same registrable parent; addresses have none. */
function isSister(base: string, other: string): boolean {
  if (base === other) return true
  const parent = parentOf(base)
  return parent !== undefined && parent === parentOf(other)
}

function parentOf(host: string): string | undefined {
  const labels = host.split('.')
  if (labels.length < 2 || host.startsWith('[') || /^[\d.]+$/.test(host)) return undefined
  const shared = labels.at(-1)?.length === 2 && registries.includes(labels.at(-2) ?? '')
  const length = shared ? 3 : 2
  return labels.length < length ? undefined : labels.slice(-length).join('.')
}

function plain(host: string): string {
  const name = host.toLowerCase()
  return name.endsWith('.') ? name.slice(0, -1) : name
}
