import { isOperationId, operations } from '#spec/tables'
import { validate } from '#spec/validators'
import type { Entry, RequestEntry, ResponseEntry } from '#trace/entry'
import { at } from '#trace/json'
import { printable } from '#text/printable'
import { isUnread } from '../traffic/notes.ts'
import type { Mistake } from './mistake.ts'
import { shapeMistake } from './shape-mistake.ts'

type Found = Omit<Mistake, 'line'>

const mostKeys = 1_000
const mostOpen = 10_000
/** A client's clock and ours run through the same wire. */
const slack_ms = 50
/** So long a request may be on its way that was sent before its client heard of the limit. */
const onItsWay_ms = 300
/** Of what is wrong with one body. */
const shownAtOnce = 3

/** Times in milliseconds of the run. */
interface Closed {
  readonly since: number
  /** The key may send again. */
  readonly until: number
  /** Other requests of the key were without an answer when the first one was refused, so its client sends several at once. */
  readonly beside: boolean
}

/** Requests that no service has to accept: a wrong shape, no key, sent before `Retry-After` was over. */
export class RequestMistakes {
  readonly #closed = new Map<string, Closed>()
  /** Keys of requests without an answer. */
  readonly #keys = new Map<number, string>()

  of(entry: Entry): readonly Found[] {
    if (entry.kind === 'request') return this.#ofRequest(entry)
    if (entry.kind === 'response') this.#noteAnswer(entry)
    else if (entry.kind === 'failure') this.#keys.delete(entry.exchange)
    return []
  }

  #ofRequest(entry: RequestEntry): readonly Found[] {
    const { exchange, key, operation, t, method, path } = entry
    remember(this.#keys, exchange, key, mostOpen)
    const found: Found[] = []
    if ((key === 'none' && !isPreflight(entry)) || key === 'malformed') {
      const what = key === 'none' ? 'no API key' : 'an Authorization header that is no "Bearer <API_KEY>"'
      found.push({ kind: 'missing-key', what: `${method} ${shownPath(path)} with ${what}` })
    }
    const closed = this.#closed.get(key)
    if (closed !== undefined && t < closed.until - slack_ms && !(closed.beside && t < closed.since + onItsWay_ms)) {
      const early = Math.round(closed.until - t)
      found.push({
        kind: 'retried-too-early',
        what: `${method} ${shownPath(path)} ${early} ms before Retry-After was over`,
      })
    }
    const wrong = isOperationId(operation) ? shapeOf(entry) : undefined
    if (wrong !== undefined) found.push({ kind: 'invalid-request', what: `${operation}: ${wrong}` })
    return found
  }

  /** Only 10008 closes a key; the other 429 carry no `Retry-After` (section 7). */
  #noteAnswer({ exchange, body, headers, t }: ResponseEntry): void {
    const key = this.#keys.get(exchange)
    this.#keys.delete(exchange)
    const seconds = Number(Object.hasOwn(headers, 'retry-after') ? headers['retry-after'] : Number.NaN)
    if (key === undefined || at(body, '/code') !== 10008 || !(seconds > 0)) return
    const before = this.#closed.get(key)
    const goesOn = before !== undefined && t < before.until
    const { since, beside } = goesOn ? before : { since: t, beside: this.#keys.values().some((one) => one === key) }
    remember(this.#closed, key, { since, beside, until: t + seconds * 1_000 }, mostKeys)
  }
}

function shapeOf({ operation, body, text }: RequestEntry): string | undefined {
  const shape = isOperationId(operation) ? operations[operation].request : null
  if (shape === null || shape === undefined) return undefined
  if (body === undefined) return text === undefined || isUnread(text) ? undefined : 'a body that is no JSON'
  const [error, ...more] = validate(shape, body)
  if (error === undefined) return undefined
  return [error, ...more]
    .slice(0, shownAtOnce)
    .map((one) => shapeMistake(one, 'the body'))
    .join('; ')
}

/** What a browser asks before a page's own request to another origin; it never bears a key (Fetch, CORS-preflight). */
export function isPreflight({ method, headers }: RequestEntry): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

export function shownPath(path: string): string {
  return printable(path.split('?')[0] ?? '', 120)
}

/** Keeps the newest, so that an hour of traffic takes no more memory than a minute. */
export function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
