import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../wire.ts'
import { codeNames, type ErrorCode, httpStatuses } from './codes.ts'

/** Changes the `data` of one operation's success on its way out. */
export type DataTransform = (data: unknown, operation: string) => unknown

/** The status of a page, or a broken connection. */
export type EdgeAnswer = number | 'reset' | { readonly status: number; readonly json: JsonObject }

/** "Every REST response is wrapped as `{code, message, data}`" (Conventions). */
export const http = () => ({
  success: (data: unknown, _operation: string): JsonObject => ({ code: 0, message: 'success', data }),
  failure: (code: ErrorCode, message: string, _operation: string): JsonObject => ({
    code: Number(code),
    message,
    data: {},
  }),
  /** Whether the refusal of what is another workspace's shows it: no. */
  showsHidden: (_operation: string): boolean => false,
  names: codeNames(),
  statuses: httpStatuses(),
  successStatus: (_operation: string): number => 200,
  unknownPathStatus: 404,
  unknownPathCode: '20005' as ErrorCode,
  /** Unknown paths and methods are no operations; what answers them is not shown. */
  unknownPathPlain: false,
  /** "All REST paths start with `/v1/`" (section 9): what is not served there is an unknown path. */
  served: (_operation: string): boolean => true,
  /** What answers in the place of this service, as an edge in front of it would. Told the operation, or `upgrade`. */
  edge: (_asked: string): EdgeAnswer | undefined => undefined,
  /** Whether a failure is told in plain text, without an envelope. */
  failsPlainly: (_code: ErrorCode): boolean => false,
  /** Whether a step of the service fails over a request: before it did anything, or when all of it was done. */
  failsInside: (_operation: string): 'before' | 'after' | undefined => undefined,
  /** Whether an upload that is too large is refused before its body is read; its connection ends then. */
  refusesUnread: false,
  /** A fault of this target itself; no code of section 7. */
  internalStatus: 500,
  internal: (): JsonObject => ({ code: 50000, message: 'internal error', data: {} }),
  /** Empty = none is given. */
  contentType: 'application/json; charset=utf-8',
  headerName: (name: string): string => name,
  extraHeaders: {} as Record<string, string>,
  /** 10008 "includes `Retry-After`"; 30006 and 30008 have none (section 7). */
  retryAfter: (_code: ErrorCode, seconds: number | undefined, _now: number, _operation: string): string | undefined =>
    seconds === undefined ? undefined : String(seconds),
  /** How bodies are compressed for those who accept it. */
  compression: undefined as 'gzip' | 'br' | 'deflate' | undefined,
  /** Whether a `103 Early Hints` goes before each answer. */
  hints: false,
  /** Bytes that are written at a time; 0 = all at once. */
  pieces: 0,
  /** Milliseconds between the headers of an answer and its body. */
  bodyMs: 0,
  /** Whether a body ends with its connection, without a length and without chunks. */
  endsWithConnection: false,
  /** Whether a body that travels in chunks is followed by trailers. */
  trailers: false,
  /** Whether answers are dated. */
  dated: true,
  /** How far the clock that dates an answer goes ahead; 0 = not at all. */
  dateAheadMs: (): number => 0,
  /** Answers that a connection gives before it is closed; 0 = as many as are asked for. */
  answersPerConnection: 0,
  /** Milliseconds for which a connection stays open without a request: longer than a busy machine may stand still. */
  idleConnectionMs: 60_000,
  /** Without a length the body travels in chunks. */
  contentLength: true,
  /** Milliseconds between the decision and the answer. */
  answerMs: 0,
  /** Milliseconds for which the success of an operation is held back; what it tells was read before. */
  holdsMs: (_operation: string): number => 0,
  data: [] as DataTransform[],
  /** The code that really goes out. */
  coded: (code: ErrorCode, _operation: string): ErrorCode => code,
  /** The last word on an envelope. */
  dress: (envelope: JsonObject, _operation: string, _headers: IncomingHttpHeaders): JsonObject => envelope,
  /** How the body is written. */
  encode: (envelope: JsonObject, _operation: string): string => JSON.stringify(envelope),
})
