import { readBaseAddress } from '#client/base-address'
import { shownHeaders } from '#client/http/answer'
import { controlUrl } from '#client/channel/control-url'
import { unnamedKey } from '#spec/profile'
import { at } from '#trace/json'
import type { Redactor } from '#trace/redact'
import { bearerIn, type KeyNames } from '../traffic/key-names.ts'
import { notInArchive, receivedFrame, seenAnswer, sentFrame, shownRequest } from '../traffic/notes.ts'
import { handsOutAvatarChannel, isAvatarChannelPath, judgedAs, operationOf } from '../traffic/operation.ts'
import { readHarEntry, readHarMessage, type HarExchange, type HarMessage } from './har-entry.ts'
import { readHar } from './har-file.ts'
import { Missing } from './missing.ts'
import { Spool } from './spool.ts'

export interface HarOptions {
  readonly file: string
  /** The service; undefined to take the host that the first request of the interface goes to. */
  readonly base_url: string | undefined
  /** Of the profile: to which other hosts control URLs may lead. */
  readonly control_hosts: readonly string[]
  readonly redactor: Redactor
  readonly keys: KeyNames
}

/** What an archive held of a service. */
export interface ReadHar {
  /** Undefined where no request of the interface was found. */
  readonly base_url: string | undefined
  readonly spool: Spool
  readonly missing: Missing
}

/** @throws HarError, the system's error */
export async function spoolHar(options: HarOptions): Promise<ReadHar> {
  const reader = new HarReader(options)
  try {
    for await (const piece of readHar(options.file)) {
      const { entry } = piece
      if (piece.kind === 'message') reader.message(entry, readHarMessage(piece.message))
      else {
        const read = readHarEntry(piece.value)
        if (read === undefined) reader.unreadable(entry)
        else await reader.entry(entry, read)
      }
    }
    reader.end()
    return reader
  } catch (error) {
    reader.spool.remove()
    throw error
  }
}

class HarReader implements ReadHar {
  readonly spool: Spool
  readonly missing = new Missing()
  base_url: string | undefined
  readonly #options: HarOptions
  readonly #messages = new Map<number, { first: number; last: number; count: number }>()
  /** Origin and path of the control URLs that answers handed out. */
  readonly #handedOut = new Set<string>()
  /** By group: control connections that may be to anybody, until all answers were read. */
  readonly #sockets = new Map<number, URL>()
  #exchanges = 0
  #frames = 0

  constructor(options: HarOptions) {
    this.#options = options
    this.spool = new Spool(options.redactor)
    this.base_url = options.base_url
  }

  unreadable(entry: number): void {
    this.missing.add('unreadable')
    this.spool.drop(entry + 1)
  }

  /** Messages come before it is known whose they are. */
  message(entry: number, message: HarMessage | undefined): void {
    if (message === undefined) return
    const { at: moment, sent, binary, bytes } = message
    const { redactor } = this.#options
    const known = this.#messages.get(entry) ?? { first: moment, last: moment, count: 0 }
    this.#messages.set(entry, {
      first: Math.min(known.first, moment),
      last: Math.max(known.last, moment),
      count: known.count + 1,
    })
    this.#frames += 1
    const place = { channel: entry + 1, frame: this.#frames }
    const draft = sent
      ? ({ kind: 'frame-sent', ...place, ...sentFrame(bytes, binary, redactor) } as const)
      : ({ kind: 'frame-received', ...place, ...receivedFrame(bytes, binary, redactor) } as const)
    this.spool.add({ at: moment, draft }, entry + 1)
  }

  async entry(entry: number, read: HarExchange): Promise<void> {
    const messages = this.#messages.get(entry)
    this.#messages.delete(entry)
    if (read.socket) this.#socket(entry, read, messages)
    else await this.#exchange(read)
  }

  async #exchange(read: HarExchange): Promise<void> {
    const path = this.#pathOf(read)
    if (path === undefined) return this.missing.elsewhere(read.url.origin)
    if (read.cached) return this.missing.add('cached')
    if (read.by_worker) return this.missing.add('by-worker')
    const { redactor, keys } = this.#options
    const { method, headers, sent } = read
    const authorization = headers['authorization']
    if (authorization === undefined) this.missing.add('no-authorization')
    const key = authorization === undefined ? unnamedKey : keys.nameOf(authorization)
    this.#exchanges += 1
    const numbers = { exchange: this.#exchanges, attempt: 1 }
    const named = authorization === undefined ? {} : { authorization: keys.shown(authorization) }
    const shown = sent === undefined ? { text: notInArchive } : await shownRequest(sent, headers)
    const operation = operationOf(method, path)
    const judged = judgedAs(operation, path)
    const asked = { method, path, key, headers: { ...shownHeaders(headers), ...named }, ...shown }
    this.spool.add({ at: read.start, draft: { kind: 'request', ...numbers, operation: judged, ...asked } })
    const lack = lackOf(read)
    if (lack !== undefined) {
      this.missing.add(lack)
      const message = 'The archive does not hold all of it'
      this.spool.add({ at: read.end, draft: { kind: 'failure', ...numbers, reason: 'aborted', message } })
      return
    }
    const { note, body } = seenAnswer(read.answer ?? new Uint8Array(), redactor)
    const control = at(body, '/data/control/url')
    if (typeof control === 'string' && handsOutAvatarChannel(operation)) this.#handedOut.add(placeOf(control))
    const answer = { status: read.status, headers: shownHeaders(read.answerHeaders), ...note }
    this.spool.add({ at: read.end, draft: { kind: 'response', ...numbers, ...answer } })
  }

  #socket(entry: number, read: HarExchange, messages: { first: number; last: number } | undefined): void {
    const { url, start, status, headers } = read
    const channel = entry + 1
    this.#sockets.set(channel, url)
    const session = url.searchParams.get('session_id') ?? ''
    const bearer = bearerIn(headers['authorization'] ?? '')
    const credential = url.searchParams.has('token') ? 'query' : bearer === undefined ? 'none' : 'header'
    const shown = credential === 'header' && bearer !== undefined ? { secret: bearer } : {}
    const open = { kind: 'channel-open', channel, session, url: url.href, credential, ...shown } as const
    // A moment before the first message: what was read before its entry would else come first.
    const opened = Math.min(start, (messages?.first ?? start) - 0.001)
    this.spool.add({ at: opened, draft: open }, channel)
    if (status !== 101 && messages === undefined) {
      const refusal = status > 0 ? { reason: 'status' as const, status } : { reason: 'aborted' as const }
      const message = status > 0 ? `HTTP ${status}` : 'The archive tells no answer'
      this.spool.add({ at: read.end, draft: { kind: 'channel-refused', channel, ...refusal, message } }, channel)
      return
    }
    if (messages === undefined) this.missing.add('no-messages')
    this.spool.add({ at: opened, draft: { kind: 'channel-opened', channel } }, channel)
    // An archive does not tell how a connection ended: after its last message nothing was watched any more.
    const closed = { kind: 'channel-closed', channel, by: 'us', code: 1005, reason: 'not told by the archive' } as const
    this.spool.add({ at: messages?.last ?? start, draft: closed }, channel)
  }

  /** Leaves out the connections that are none to the service. */
  end(): void {
    // Where the key stays on a client's server, its browser asks for nothing but the channel.
    this.base_url ??= this.#sockets.values().filter(isAvatarChannel).map(baseOfChannel).next().value
    for (const [channel, url] of this.#sockets) {
      if (this.#handedOut.has(placeOf(url.href)) || this.#isOwn(url)) continue
      this.missing.elsewhere(url.origin)
      this.spool.drop(channel)
    }
  }

  /** Whether a URL that no answer handed out may be one of the service's: sessions are often made where no browser sees it. */
  #isOwn(url: URL): boolean {
    if (!isAvatarChannelPath(url.pathname)) return false
    if (this.base_url === undefined) return false
    const base = readBaseAddress(this.base_url, true)
    return controlUrl(url.origin + url.pathname, undefined, base, this.#options.control_hosts).safe
  }

  /** Path below the base address; undefined for what goes elsewhere. */
  #pathOf({ url, method }: HarExchange): string | undefined {
    const v1 = url.pathname.indexOf('/v1/')
    if (this.base_url === undefined && v1 >= 0 && operationOf(method, url.pathname.slice(v1)) !== null)
      this.base_url = url.origin + url.pathname.slice(0, v1)
    if (this.base_url === undefined) return undefined
    const { origin, prefix } = readBaseAddress(this.base_url, true)
    if (url.origin !== origin || !url.pathname.startsWith(`${prefix}/v1/`)) return undefined
    return url.pathname.slice(prefix.length) + url.search
  }
}

function isAvatarChannel(url: URL): boolean {
  return isAvatarChannelPath(url.pathname)
}

/** Where the interface begins, by the URL of a control channel. */
function baseOfChannel({ protocol, host, pathname }: URL): string {
  return `${protocol.replace(/^ws/, 'http')}//${host}${pathname.slice(0, pathname.indexOf('/v1/'))}`
}

/** What of a URL stays whatever a client puts into its query. */
function placeOf(url: string): string {
  return url.split(/[?#]/)[0] ?? ''
}

function lackOf({ status, sent, answer }: HarExchange) {
  if (sent === undefined) return 'no-request-body' as const
  if (status === 0) return 'no-answer' as const
  return answer === undefined ? ('no-answer-body' as const) : undefined
}
