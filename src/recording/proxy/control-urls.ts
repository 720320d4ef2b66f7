import { controlUrl } from '#client/channel/control-url'
import type { BaseAddress } from '#client/base-address'
import { at, type Json, parsed } from '#trace/json'
import { handsOutAvatarChannel, isAvatarChannelPath } from '../traffic/operation.ts'

/** Sessions whose control URL is remembered; those of older ones are looked for at the target itself. */
const mostRemembered = 20_000

/** Where a control connection leads. */
export interface Destination {
  /** As the target gave it, without the token. */
  readonly url: string
  readonly session: string
  /** Whether it is the control channel of an avatar session, which is all that is recorded. */
  readonly recorded: boolean
}

/** Leads the control URLs of the target's answers to the proxy, and its connections back to where they were meant to go. */
export class ControlUrls {
  readonly #front: string
  readonly #base: BaseAddress
  readonly #hosts: readonly string[]
  readonly #known = new Map<string, Destination>()

  /** @param front `ws://host:port` of the proxy @param hosts `control_hosts` of the profile */
  constructor(front: string, base: BaseAddress, hosts: readonly string[]) {
    this.#front = front
    this.#base = base
    this.#hosts = hosts
  }

  /**
   * The text of an answer, its control URL led to the proxy; the text itself where it holds none that a client may open.
   * Nothing else of it changes by a byte.
   *
   * @param operation that it answers
   */
  rewritten(text: string, body: Json | undefined, operation: string | null): string {
    const url = at(body, '/data/control/url')
    if (typeof url !== 'string' || !controlUrl(url, undefined, this.#base, this.#hosts).safe) return text
    const path = pathOf(url)
    const session = at(body, '/data/session_id')
    this.#remember(nameOf(path), {
      url,
      session: typeof session === 'string' ? session : sessionIn(path),
      recorded: handsOutAvatarChannel(operation),
    })
    const front = JSON.stringify(this.#front + path)
    // Each service escapes in its own way: `\/` in PHP, `\u0026` in Go and .NET.
    return text.replaceAll(jsonString, (token) => (parsed(token) === url ? front : token))
  }

  /** @param path with query, as the client asked for it */
  destinationOf(path: string): Destination {
    const plain = withoutToken(path)
    const origin = this.#base.origin.replace(/^http/, 'ws')
    const unknown = { url: `${origin}${plain}`, session: sessionIn(plain), recorded: isAvatarChannelPath(plain) }
    return this.#known.get(nameOf(plain)) ?? unknown
  }

  #remember(name: string, destination: Destination): void {
    this.#known.delete(name)
    this.#known.set(name, destination)
    if (this.#known.size <= mostRemembered) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}

/** A string in JSON text, its quotes included. */
const jsonString = /"(?:[^"\\]|\\.)*"/g

/** Path and query, byte for byte. */
function pathOf(url: string): string {
  const rest = url.slice(url.indexOf('//') + 2)
  const start = rest.search(/[/?]/)
  const path = start === -1 ? '/' : rest.slice(start)
  return path.startsWith('/') ? path : `/${path}`
}

/** The URL as it is remembered: a client may put its own parameters anywhere. */
function nameOf(path: string): string {
  const [plain = '', query = ''] = path.split('?')
  const pairs = [...new URLSearchParams(query)].map((pair) => pair.join('='))
  return `${plain}?${pairs.toSorted().join('&')}`
}

/** 5.2: the credential that a browser appends. */
function withoutToken(path: string): string {
  const [plain = '', query] = path.split('?')
  if (query === undefined) return plain
  const kept = query.split('&').filter((pair) => !pair.startsWith('token='))
  return kept.length === 0 ? plain : `${plain}?${kept.join('&')}`
}

function sessionIn(path: string): string {
  return new URLSearchParams(path.split('?')[1] ?? '').get('session_id') ?? ''
}
