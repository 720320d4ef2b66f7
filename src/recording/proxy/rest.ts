import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { classify } from '#client/failure'
import { joinHeaders } from '#client/http/response-headers'
import { at } from '#trace/json'
import type { HeardExchange } from '../traffic/recorder.ts'
import { seenAnswer } from '../traffic/notes.ts'
import type { Way } from './way.ts'
import { collect, type Collected } from './collect.ts'
import { decodeAnswer } from './decode-answer.ts'

/** Bodies up to here are held; longer ones are handed on unread, and the trace says so. */
const longestBody = 32 * 2 ** 20

/** A request that was here when its client gave up reaches the target as it would have without us. */
const handedOnWithin_ms = 250

/** Between the two ends of a connection only (RFC 9110 7.6.1). */
const ofTheHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Hands one request on to the target, and its answer back. */
export async function handOn(way: Way, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const stop = new AbortController()
  const gone = Promise.withResolvers<void>()
  response.once('close', () => {
    if (response.writableFinished) return
    gone.resolve()
    // Whoever gives up in front is given up behind, once all that it sent has been handed on.
    setTimeout(() => stop.abort(), handedOnWithin_ms).unref()
  })
  try {
    const body = await collect(request, longestBody)
    const heard = await way.recorder.request({
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: joinHeaders(request.rawHeaders),
      bytes: body.whole,
    })
    const once = toldOnce(heard)
    void gone.promise.then(() => once.failed('timeout', 'The client gave up'))
    await exchange(way, { request, response, body, stop }, once)
  } catch {
    // The client went away before all of its request was here: the target has heard nothing of it.
    response.destroy()
  }
}

/** What comes for a client that is gone is no answer any more. */
function toldOnce(heard: HeardExchange): HeardExchange {
  let told = false
  const first = (tell: () => void): void => {
    if (!told) tell()
    told = true
  }
  return {
    operation: heard.operation,
    answered: (...answer) => first(() => heard.answered(...answer)),
    failed: (...failure) => first(() => heard.failed(...failure)),
  }
}

interface Both {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Collected
  readonly stop: AbortController
}

async function exchange(way: Way, both: Both, heard: HeardExchange): Promise<void> {
  const { request, response, stop } = both
  try {
    const answer = await way.sockets.agent.request({
      origin: way.base.origin,
      path: way.base.prefix + (request.url ?? '/'),
      method: request.method ?? 'GET',
      headers: headersFor(way, request),
      body: bodyOf(both.body),
      signal: stop.signal,
      responseHeaders: 'raw',
    })
    const raw = answer.headers as unknown as readonly string[]
    const body = await collect(answer.body, longestBody)
    await handBack(way, response, { status: answer.statusCode, raw, body }, heard)
  } catch (error) {
    fail(response, heard, error)
  }
}

interface Answer {
  readonly status: number
  readonly raw: readonly string[]
  readonly body: Collected
}

const notReadable = { reason: 'protocol', message: 'The body has a content coding that is not readable here' } as const

async function handBack(way: Way, response: ServerResponse, answer: Answer, heard: HeardExchange): Promise<void> {
  const { status, raw, body } = answer
  const headers = joinHeaders(raw)
  if (body.whole === undefined) {
    response.writeHead(status, kept(raw))
    heard.failed('too-large', `The body is larger than ${longestBody} bytes`)
    Readable.from(body.pieces()).pipe(response)
    return
  }
  const bytes = await decodeAnswer(body.whole, headers['content-encoding'], longestBody).catch(classify)
  if (!(bytes instanceof Uint8Array)) {
    // The client gets what came: what we can't read, it may.
    response.writeHead(status, kept(raw)).end(body.whole)
    const { reason, message } = bytes ?? notReadable
    heard.failed(reason, message)
    return
  }
  const seen = seenAnswer(bytes, way.recorder.redactor)
  const text = at(seen.body, '/data/control/url') === undefined ? undefined : Buffer.from(bytes).toString('utf8')
  const led = text === undefined ? undefined : way.controlUrls.rewritten(text, seen.body, heard.operation)
  if (led === undefined || led === text) response.writeHead(status, kept(raw)).end(body.whole)
  else {
    const length = ['content-length', String(Buffer.byteLength(led))]
    response.writeHead(status, [...kept(raw, ['content-length', 'content-encoding']), ...length]).end(led)
  }
  // In the same turn: nothing that the client does upon the answer can be written before it.
  heard.answered(status, headers, seen)
}

function fail(response: ServerResponse, heard: HeardExchange, error: unknown): void {
  const { reason, message } = classify(error)
  heard.failed(reason, message)
  if (response.headersSent || reason === 'reset' || reason === 'protocol') response.destroy()
  else {
    const text = `greenroom watch: the target cannot be reached (${reason})\n`
    response.writeHead(502, { 'content-type': 'text/plain' }).end(text)
  }
}

function bodyOf(body: Collected): Uint8Array | Readable | null {
  if (body.whole === undefined) return Readable.from(body.pieces())
  return body.whole.length === 0 ? null : body.whole
}

/** What the client sent, with the name of the target in the place of ours. */
function headersFor(way: Way, request: IncomingMessage): string[] {
  const host = new URL(way.base.origin).host
  const named = kept(request.rawHeaders, ['host', 'content-length', 'expect'])
  return ['host', host, ...named]
}

function kept(raw: readonly string[], without: readonly string[] = []): string[] {
  const left: string[] = []
  for (let place = 0; place + 1 < raw.length; place += 2) {
    const [name = '', value = ''] = [raw[place], raw[place + 1]]
    const known = name.toLowerCase()
    if (!ofTheHop.has(known) && !without.includes(known)) left.push(name, value)
  }
  return left
}
