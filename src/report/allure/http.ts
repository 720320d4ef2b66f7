import type { Attempt } from '#judge/trace-index'
import type { RequestEntry, ResponseEntry } from '#trace/entry'
import { isObject, type Json } from '#trace/json'

export const httpType = 'application/vnd.allure.http+json'

interface Pair {
  readonly name: string
  readonly value: string
}

/**
 * One request and its answer as Allure's HTTP exchange (schemaVersion 1), from the trace, where secrets are replaced.
 *
 * @param epoch milliseconds since 1970 at which the trace's clock began
 */
export function httpExchange({ request, response, failure }: Attempt, baseUrl: string, epoch: number): string {
  const end = response?.entry.t ?? failure?.entry.t
  const { reason, message } = failure?.entry ?? {}
  return JSON.stringify({
    schemaVersion: 1,
    request: requestOf(request.entry, baseUrl),
    ...(response === undefined ? {} : { response: responseOf(response.entry) }),
    ...(failure === undefined ? {} : { error: { name: reason, message } }),
    start: Math.round(epoch + request.entry.t),
    ...(end === undefined ? {} : { stop: Math.round(epoch + end) }),
  })
}

function requestOf(entry: RequestEntry, baseUrl: string): object {
  const [, query = ''] = entry.path.split('?', 2)
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }))
  const body = requestBody(entry)
  return {
    method: entry.method,
    url: baseUrl.replace(/\/+$/, '') + entry.path,
    headers: headerPairs(entry.headers),
    ...(pairs.length === 0 ? {} : { query: pairs }),
    ...(body === undefined ? {} : { body }),
  }
}

function requestBody({ headers, body, text }: RequestEntry): object | undefined {
  const contentType = headers['content-type'] ?? ''
  const parts = formParts(body)
  if (parts !== undefined) return { contentType, parts }
  const value = text ?? (body === undefined ? undefined : JSON.stringify(body))
  return value === undefined ? undefined : { contentType, encoding: 'utf8', value }
}

/** A trace tells what was in an upload; it does not hold the bytes. */
function formParts(body: Json | undefined): readonly object[] | undefined {
  const parts = isObject(body) ? body['multipart'] : undefined
  if (!Array.isArray(parts)) return undefined
  return (parts as readonly Json[]).filter(isObject).map(({ name, filename, content_type, bytes }) => ({
    name,
    ...(filename === undefined ? {} : { fileName: filename }),
    ...(content_type === undefined ? {} : { contentType: content_type }),
    size: bytes,
    truncated: true,
  }))
}

function responseOf({ status, headers, body, text, bytes }: ResponseEntry): object {
  const value = text ?? (body === undefined ? '' : JSON.stringify(body))
  const truncated = text !== undefined && Buffer.byteLength(text) < bytes
  const contentType = headers['content-type'] ?? ''
  return {
    status,
    headers: headerPairs(headers),
    body: { contentType, encoding: 'utf8', value, size: bytes, ...(truncated ? { truncated } : {}) },
  }
}

function headerPairs(headers: { readonly [name: string]: string }): readonly Pair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}
