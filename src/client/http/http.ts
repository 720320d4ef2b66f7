import { Readable } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import type { FailureReason } from '#trace/entry'
import { decode } from './body.ts'
import { startDeadline } from '../deadline.ts'
import { classify, type Failure } from '../failure.ts'
import { type Headers, joinHeaders } from './response-headers.ts'

/** One request as it goes to a socket. */
export interface HttpRequest {
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly payload: string | Uint8Array | undefined
}

/** A whole answer, its content codings taken off. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

export interface SendOptions {
  /** For everything from connecting to the last byte, by the wall clock. */
  readonly deadline_ms: number
  readonly signal: AbortSignal | undefined
  /** Most bytes of a body, as it comes and decoded. */
  readonly bound: number
  /** Whether nobody waits for the answer once the request has gone out; it then fails as `timeout`. */
  readonly give_up?: boolean
  /** Whether the body goes out in pieces, without a word of its length. */
  readonly chunked?: boolean
}

/** Sends a request once. Redirects are answers like others. Throws for nothing that a target does. */
export async function send(
  agent: Dispatcher,
  request: HttpRequest,
  options: SendOptions,
): Promise<HttpAnswer | Failure> {
  const stop = new Stop()
  const met = startDeadline(options.deadline_ms, () =>
    stop.now('timeout', `No whole answer within ${options.deadline_ms} ms`),
  )
  const abort = () => stop.now('aborted', 'The run was interrupted')
  options.signal?.addEventListener('abort', abort, { once: true })
  if (options.signal?.aborted === true) abort()
  const sent = outgoing(request, options, stop)
  try {
    return await Promise.race([exchange(agent, sent, options.bound, stop), stop.stopped])
  } catch (error) {
    if (stop.failure === undefined && isMistake(error)) throw error
    return stop.failure ?? classify(error)
  } finally {
    met()
    options.signal?.removeEventListener('abort', abort)
  }
}

/** undici refused to send what we asked for. A target can cause that only by a value that we then send as a header. */
function isMistake(error: unknown): boolean {
  return error instanceof errors.InvalidArgumentError && !error.message.includes('header')
}

interface Outgoing extends Omit<HttpRequest, 'payload'> {
  readonly payload: HttpRequest['payload'] | Readable
}

function outgoing(request: HttpRequest, { give_up, chunked }: SendOptions, stop: Stop): Outgoing {
  if (give_up === true) return givenUp(request, stop)
  return chunked === true ? { ...request, payload: Readable.from(pieces(request.payload ?? '')) } : request
}

const pieceBytes = 65_536

function* pieces(payload: string | Uint8Array): Generator<Uint8Array> {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  for (let place = 0; place < bytes.length; place += pieceBytes) yield bytes.subarray(place, place + pieceBytes)
}

/** The same request, given up as soon as its body was written to the socket. */
function givenUp(request: HttpRequest, stop: Stop): Outgoing {
  const payload = request.payload ?? ''
  const headers = { ...request.headers, 'content-length': String(Buffer.byteLength(payload)) }
  return { ...request, headers, payload: Readable.from(once(payload, stop)) }
}

/** The body in one piece; who asks for another one has taken the first. */
async function* once(payload: string | Uint8Array, stop: Stop): AsyncGenerator<string | Uint8Array> {
  yield payload
  setImmediate(() => stop.now('timeout', 'Given up as soon as it was sent'))
  await stop.stopped
}

async function exchange(
  agent: Dispatcher,
  request: Outgoing,
  bound: number,
  stop: Stop,
): Promise<HttpAnswer | Failure> {
  const { payload, origin, path, headers } = request
  const response = await agent.request({
    origin,
    path,
    method: request.method,
    headers: { ...headers },
    body: payload ?? null,
    signal: stop.signal,
    responseHeaders: 'raw',
  })
  const joined = joinHeaders(response.headers as unknown as readonly string[])
  const raw = await collect(response.body, bound, stop)
  const bytes = await decode(
    raw,
    Object.hasOwn(joined, 'content-encoding') ? joined['content-encoding'] : undefined,
    bound,
  )
  return { status: response.statusCode, headers: joined, bytes }
}

async function collect(body: AsyncIterable<unknown>, bound: number, stop: Stop): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    const bytes = chunk as Uint8Array
    length += bytes.length
    if (length > bound) {
      stop.now('too-large', `The body is larger than ${bound} bytes`)
      throw new Error('too large')
    }
    chunks.push(bytes)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

/**
 * Ends a request. undici looks at a signal only once the connection stands, so a stopped request also settles here; it is
 * never written to a socket afterwards.
 */
class Stop {
  readonly #controller = new AbortController()
  readonly #settle = Promise.withResolvers<Failure>()
  failure: Failure | undefined

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get stopped(): Promise<Failure> {
    return this.#settle.promise
  }

  now(reason: FailureReason, message: string): void {
    if (this.failure !== undefined) return
    this.failure = { reason, message }
    this.#settle.resolve(this.failure)
    this.#controller.abort(new Error(message))
  }
}
