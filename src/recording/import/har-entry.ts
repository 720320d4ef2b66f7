import { at, isObject, type Json, type JsonObject } from '#trace/json'

/** A request with its answer, as an archive holds them. */
export interface HarExchange {
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly method: string
  readonly url: URL
  readonly headers: { readonly [name: string]: string }
  /** Undefined where the archive does not hold what was sent. */
  readonly sent: Uint8Array | undefined
  /** 0 where none came. */
  readonly status: number
  readonly answerHeaders: { readonly [name: string]: string }
  /** Undefined where the archive does not hold what came. */
  readonly answer: Uint8Array | undefined
  /** It never left the browser. */
  readonly cached: boolean
  /** A service worker answered it: what that one sent for it has an entry of its own. */
  readonly by_worker: boolean
  readonly socket: boolean
}

/** Undefined for what is no entry. */
export function readHarEntry(value: JsonObject): HarExchange | undefined {
  const url = URL.parse(text(at(value, '/request/url')))
  const start = Date.parse(text(value['startedDateTime']))
  if (url === null || Number.isNaN(start)) return undefined
  const time = value['time']
  const status = at(value, '/response/status')
  const headers = headersOf(at(value, '/request/headers'))
  return {
    start,
    end: start + (typeof time === 'number' && time > 0 ? time : 0),
    method: text(at(value, '/request/method')).toUpperCase(),
    url,
    headers,
    sent: sentIn(value, headers),
    status: typeof status === 'number' ? status : 0,
    answerHeaders: headersOf(at(value, '/response/headers')),
    answer: answerIn(value),
    cached: value['_fromCache'] !== undefined || status === 304,
    by_worker: at(value, '/response/_fetchedViaServiceWorker') === true,
    socket: /^wss?:$/.test(url.protocol) || value['_resourceType'] === 'websocket',
  }
}

/** A message on a WebSocket: Chrome's `_webSocketMessages`. */
export interface HarMessage {
  readonly at: number
  readonly sent: boolean
  readonly binary: boolean
  readonly bytes: Buffer
}

/** Undefined for what is neither text nor binary: a close, an error. */
export function readHarMessage(message: JsonObject): HarMessage | undefined {
  const { type, time, opcode, data } = message
  if ((type !== 'send' && type !== 'receive') || typeof time !== 'number' || typeof data !== 'string') return undefined
  if (opcode !== 1 && opcode !== 2) return undefined
  const binary = opcode === 2
  return { at: time * 1_000, sent: type === 'send', binary, bytes: Buffer.from(data, binary ? 'base64' : 'utf8') }
}

function sentIn(value: JsonObject, headers: { readonly [name: string]: string }): Uint8Array | undefined {
  const posted = at(value, '/request/postData/text')
  if (typeof posted === 'string') {
    const bytes = Buffer.from(posted)
    return isForm(value, headers) && !isWholeForm(bytes, headers) ? undefined : bytes
  }
  const size = at(value, '/request/bodySize')
  const some = (typeof size === 'number' && size > 0) || Number(headers['content-length'] ?? 0) > 0
  return some || at(value, '/request/postData') !== undefined ? undefined : new Uint8Array()
}

function isForm(value: JsonObject, headers: { readonly [name: string]: string }): boolean {
  const type = headers['content-type'] ?? text(at(value, '/request/postData/mimeType'))
  return /^\s*multipart\//i.test(type)
}

/** Browsers export a form without the bytes of its files, and of others what is left once it was read as text. */
function isWholeForm(bytes: Buffer, headers: { readonly [name: string]: string }): boolean {
  const length = headers['content-length']
  if (length !== undefined && Number(length) !== bytes.length) return false
  return !/\r\ncontent-disposition:[^\r\n]*;\s*filename\*?=[^\r\n]*(?:\r\n[^\r\n]+)*\r\n\r\n\r\n--/i.test(
    bytes.toString('latin1'),
  )
}

function answerIn(value: JsonObject): Uint8Array | undefined {
  const content = at(value, '/response/content')
  if (!isObject(content)) return undefined
  const body = content['text']
  if (typeof body === 'string') return Buffer.from(body, content['encoding'] === 'base64' ? 'base64' : 'utf8')
  const size = at(value, '/response/bodySize')
  return content['size'] === 0 && (size === 0 || size === undefined) ? new Uint8Array() : undefined
}

/** Lower-case names, several values joined; without the pseudo headers of HTTP/2. */
function headersOf(list: Json | undefined): { readonly [name: string]: string } {
  const joined = new Map<string, string>()
  for (const one of Array.isArray(list) ? (list as readonly Json[]) : []) {
    const name = text(at(one, '/name')).toLowerCase()
    const value = text(at(one, '/value'))
    if (name === '' || name.startsWith(':')) continue
    const before = joined.get(name)
    joined.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(joined)
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
