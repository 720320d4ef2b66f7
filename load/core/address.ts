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

/** In place of what is no address. */
const nowhere: Address = { scheme: '', host: '', port: undefined, rest: '' }

/** What an address consists of, as it is written. */
interface Address {
  readonly scheme: string
  /** In brackets or bare. */
  readonly host: string
  /** Without its colon; undefined where none is written. */
  readonly port: string | undefined
  readonly rest: string
}

const DIGITS = '0123456789'
const HEXADECIMAL = `${DIGITS}abcdef`
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/**
 * k6 has no URL parser: scheme, host, port, path; nothing else. By hand, since the first regular expression costs each
 * user of k6 15 kB, and every user opens connections.
 * @returns undefined for what is no address
 */
function addressIn(text: string): Address | undefined {
  const colon = text.indexOf('://')
  const start = colon + 3
  const ends = [text.indexOf('/', start), text.indexOf('?', start)].filter((at) => at !== -1)
  const end = Math.min(text.length, ...ends)
  const authority = text.slice(start, end)
  const bracket = authority.startsWith('[') ? authority.indexOf(']') + 1 : 0
  const mark = authority.indexOf(':', bracket)
  const host = mark === -1 ? authority : authority.slice(0, mark)
  const port = mark === -1 ? undefined : authority.slice(mark + 1)
  const address = { scheme: text.slice(0, Math.max(0, colon)), host, port, rest: text.slice(end) }
  return isAddress(address) ? address : undefined
}

function isAddress({ scheme, host, port = '0', rest }: Address): boolean {
  const known = ['http', 'https', 'ws', 'wss'].includes(scheme.toLowerCase())
  if (!known || port.length > 5 || !consistsOf(port, DIGITS) || !isPlainText(rest)) return false
  const name = host.toLowerCase()
  if (!name.startsWith('[')) return consistsOf(name, `${DIGITS}${LETTERS}.-`)
  return lastOf(name) === ']' && consistsOf(name.slice(1, -1), `${HEXADECIMAL}:.`)
}

/** By its place: of what the language brings, all that is used for the first time costs a user of k6 most of a kilobyte. */
const lastOf = (text: string): string => text[text.length - 1] ?? ''

/** Whether there is something, and nothing but what is allowed. */
function consistsOf(text: string, allowed: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (!allowed.includes(text[at] ?? '')) return false
  return text.length > 0
}

/** Whether all of it is visible ASCII. */
function isPlainText(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if ((text[at] ?? '') < '!' || (text[at] ?? '') > '~') return false
  return true
}

/**
 * @param allowLoad whether the target's owner allows load; loopback needs no permission
 * @throws Error when load must not go there
 */
export function readTarget(text: string, allowLoad: boolean, controlHosts: readonly string[] = []): Target {
  const { scheme, host, port, rest: path } = addressIn(text) ?? nowhere
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
  const numbers = name.split('.')
  return numbers.length === 4 && numbers[0] === '127' && numbers.every(isByte)
}

const isByte = (text: string): boolean => text.length <= 3 && consistsOf(text, DIGITS) && Number(text) <= 255

/**
 * Section 5: the control URL "exactly" as given, with the token in its query.
 * @returns undefined when load must not go there
 */
export function controlUrl(url: string, token: string, target: Target): string | undefined {
  const { scheme, host } = addressIn(url) ?? nowhere
  const secure = scheme.toLowerCase() === 'wss'
  if (url.includes('#') || url.includes('\\') || (!secure && scheme.toLowerCase() !== 'ws')) return undefined
  const known = isSister(target.host, plain(host)) || target.controlHosts.includes(plain(host))
  const allowed = target.loopback ? isLoopback(host) : secure && known
  if (!allowed) return undefined
  const join = url.includes('?') ? (['?', '&'].includes(lastOf(url)) ? '' : '&') : '?'
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
  if (labels.length < 2 || host.startsWith('[') || consistsOf(host, `${DIGITS}.`)) return undefined
  const shared = labels.at(-1)?.length === 2 && registries.includes(labels.at(-2) ?? '')
  const length = shared ? 3 : 2
  return labels.length < length ? undefined : labels.slice(-length).join('.')
}

function plain(host: string): string {
  const name = host.toLowerCase()
  return lastOf(name) === '.' ? name.slice(0, -1) : name
}
