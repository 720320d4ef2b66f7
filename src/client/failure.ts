import type { FailureReason } from '#trace/entry'
import { messageOf } from '#trace/message-of'

/** What went wrong before a whole answer came. */
export interface Failure {
  readonly reason: FailureReason
  readonly message: string
}

const byCode: { readonly [code: string]: FailureReason } = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_ABORTED: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  HPE_HEADER_OVERFLOW: 'too-large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
  ERR_BUFFER_TOO_LARGE: 'too-large',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  INVALID_CA: 'tls',
}

const tlsCode = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|CRL_)/
/**
 * The TLS handshake was begun and broke, by no fault of certificate or version: nothing was sent yet and it may be tried
 * again, as after a refused connection. Node tells most of these as a reset, OpenSSL as an alert or an end that it did not
 * expect.
 */
const brokenHandshake =
  /before secure TLS connection was established|unexpected eof while reading|alert internal error/i

const longestMessage = 500

/** Sorts an error of undici, ws, Node's sockets or zlib; what is no known fault of the way is one of the protocol. */
export function classify(error: unknown): Failure {
  const code = codeOf(error)
  const message = innerMessage(error)
  const shown = code === undefined || message.includes(code) ? message : `${code}: ${message}`
  return { reason: reasonOf(code, message), message: shown.slice(0, longestMessage) }
}

function reasonOf(code: string | undefined, message: string): FailureReason {
  if (brokenHandshake.test(message)) return 'refused'
  if (code !== undefined && Object.hasOwn(byCode, code)) return byCode[code] ?? 'protocol'
  if (code !== undefined && tlsCode.test(code)) return 'tls'
  return /socket hang up|other side closed/i.test(message) ? 'reset' : 'protocol'
}

/** The code of an error or, where it has none of its own, of the first of its parts or its cause. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 4) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return codeOf(inner, depth + 1)
}

function innerMessage(error: unknown): string {
  const isBare = error instanceof AggregateError && error.message === ''
  return isBare ? innerMessage(error.errors[0]) : messageOf(error)
}
