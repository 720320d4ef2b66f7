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
 * Whether an answer may be that of an edge in front of the target: it bears no mark of the interface. JSON in a 2xx is the
 * target's own, whatever it lacks, and so is a list in a 4xx: gateways answer by objects.
 */
export function mayBeEdges(reply: Reply): boolean {
  const { status, body } = reply
  if (isObject(body) && (Object.hasOwn(body, 'code') || Object.hasOwn(body, 'data'))) return false
  if (status < 300) return isHtml(reply)
  return status < 400 || status >= 500 || body === undefined || isObject(body) || edges.has(status)
}

/**
 * Whether of such answers this one is more likely the target's: JSON in a 4xx that speaks of the request. Gateways answer so
 * while their routes change.
 */
export function isLikelyTargets({ status, body }: Reply): boolean {
  return body !== undefined && status >= 400 && status < 500 && !edges.has(status)
}

/** Statuses of an upgrade by which an edge says that it has no route to the target, and a target that it knows no such session. */
export function mayLackRoute(status: number | undefined): boolean {
  return status !== undefined && ((status >= 300 && status < 400) || status === 403 || status === 404)
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
