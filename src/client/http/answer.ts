import type { RequestEntry, ResponseEntry } from '#trace/entry'
import { type Json, step } from '#trace/json'
import type { Redactor } from '#trace/redact'
import { type ReadBody, readBody } from './body.ts'
import { longestText } from '../bounds.ts'
import type { Failure } from '../failure.ts'
import type { HttpAnswer } from './http.ts'
import type { Headers } from './response-headers.ts'
import type { Exchange } from '../types.ts'

const longestHeader = 2_000

/** What a trace says of an answer, apart from its numbers. */
export type ReplyNote = Omit<ResponseEntry, 't' | 'scenario' | 'kind' | 'exchange' | 'attempt'>

export interface ReadReply {
  /** As the trace shows it. */
  readonly note: ReplyNote
  /** As the caller gets it. */
  readonly result: Exchange
  /** What it takes to hold. */
  readonly weight: number
}

/** @param heaviest the most that its body may weigh */
export function readReply(
  exchange: number,
  answer: HttpAnswer,
  redactor: Redactor,
  heaviest: number,
): ReadReply | Failure {
  const read = readBody(answer.bytes, heaviest)
  if (read === undefined) return { reason: 'too-large', message: 'The body holds too many values' }
  const { status, headers } = answer
  return {
    note: { status, headers: shownHeaders(headers), ...shown(read, redactor), bytes: answer.bytes.length },
    result: { exchange, status, headers, body: read.body, ...envelope(read.body), failure: undefined },
    weight: read.weight,
  }
}

/** The result of an exchange that brought no whole answer. */
export function failed(exchange: number, failure: Failure): Exchange {
  return { exchange, status: 0, headers: {}, body: undefined, ...envelope(undefined), failure: failure.reason }
}

/** An envelope is an object with an integer `code` and a string `message`; `data` may be missing. */
function envelope(body: Json | undefined): Pick<Exchange, 'code' | 'message' | 'data' | 'ok'> {
  const code = step(body, 'code')
  const message = step(body, 'message')
  if (typeof code !== 'number' || !Number.isInteger(code) || typeof message !== 'string') {
    return { code: undefined, message: undefined, data: undefined, ok: false }
  }
  return { code, message, data: step(body, 'data'), ok: code === 0 }
}

/** Secrets go before the text is cut, lest half of one stays. */
function shown(read: ReadBody, redactor: Redactor): Pick<ResponseEntry, 'body' | 'text' | 'problem'> {
  return {
    ...(read.body === undefined ? {} : { body: read.body }),
    ...(read.text === undefined ? {} : { text: redactor.text(read.text).slice(0, longestText) }),
    ...(read.problem === undefined ? {} : { problem: read.problem }),
  }
}

/** Headers as a trace shows them. */
export function shownHeaders(headers: Headers): RequestEntry['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.slice(0, longestHeader)]))
}
