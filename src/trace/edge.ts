import { isObject, type Json } from './json.ts'

/** What an answer shows of who gave it. */
export interface Reply {
  readonly status: number
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string }
  /** Undefined where it is no JSON. */
  readonly body?: Json | undefined
}

/** By these an edge (a proxy, a gateway, a firewall) refuses a request itself, in JSON of its own too. */
const edges = new Set([403, 408, 413, 429])

/**
 * Whether an answer may be that of an edge in front of the target: it bears no mark of the interface. JSON in a 2xx, and
 * in a 4xx that speaks of the request, is the target's own, whatever it lacks.
 */
export function mayBeEdges(reply: Reply): boolean {
  const { status, body } = reply
  if (isObject(body) && (Object.hasOwn(body, 'code') || Object.hasOwn(body, 'data'))) return false
  if (status < 300) return isHtml(reply)
  return status >= 500 || (status >= 400 && (body === undefined || edges.has(status)))
}

/** Statuses of an upgrade that say nothing about who asks for it. */
export function mayBeEdgesRefusal(status: number, message: string): boolean {
  return status === 408 || status === 429 || status >= 500 || /^HTTP \d+:?\s*<(?:!doctype|html)/i.test(message)
}

/** Pages of the same status and kind are alike. */
export function pageKind(reply: Reply): string {
  const kind = isHtml(reply) ? 'page of HTML' : reply.body === undefined ? 'text' : 'JSON'
  return `HTTP ${reply.status} with ${kind}`
}

function isHtml({ headers }: Reply): boolean {
  return (headers['content-type'] ?? '').includes('text/html')
}
