import type { IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import type { EdgeAnswer } from '../behaviour/http.ts'
import type { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import type { JsonObject } from '../wire.ts'

/** What is left to write: status, envelope and the headers that depend on the outcome. */
export interface RestReply {
  operation: string
  status: number
  envelope: JsonObject
  retryAfter: string | undefined
  /** A body that is no envelope. */
  plain?: string
}

export function successAnswer(service: Service, operation: string, data: unknown): RestReply {
  const { http } = service.behaviour
  const changed = http.data.reduce((value, transform) => transform(value, operation), data)
  const envelope = http.success(changed, operation)
  return { operation, status: http.successStatus(operation), envelope, retryAfter: undefined }
}

/** Section 7: "REST errors use the same envelope `{code, message, data}` with non-zero `code`." */
export function failureAnswer(service: Service, operation: string, error: Refusal): RestReply {
  const { http } = service.behaviour
  const code = http.coded(error.code, operation)
  const message = error.message === '' ? http.names[code] : `${http.names[code]}: ${error.message}`
  const envelope = http.failure(code, message, operation)
  const shown = http.showsHidden(operation) ? error.hidden?.() : undefined
  return {
    operation,
    status: http.statuses[code],
    envelope: shown === undefined ? envelope : { ...envelope, data: shown },
    ...(http.failsPlainly(code) ? { plain: message } : {}),
    retryAfter: http.retryAfter(code, error.retryAfterSeconds, Date.now(), operation),
  }
}

const COMPRESSED = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }

const jsonType = { 'content-type': 'application/json' }

/** What an edge says in the place of the service. */
export function sendAsEdge(reply: FastifyReply, edge: EdgeAnswer): void {
  reply.hijack()
  if (edge === 'reset') reply.raw.destroy()
  else if (typeof edge !== 'number') reply.raw.writeHead(edge.status, jsonType).end(JSON.stringify(edge.json))
  else reply.raw.writeHead(edge, { 'content-type': 'text/html' }).end(`<html><h1>${edge}</h1></html>`)
}

/** Writes the answer past fastify's own serialisation, so that the behaviour alone decides its bytes. */
export async function send(
  service: Service,
  reply: FastifyReply,
  requestHeaders: IncomingHttpHeaders,
  answer: RestReply,
): Promise<void> {
  const { http } = service.behaviour
  await service.timers.wait(http.answerMs)
  const envelope = http.dress(answer.envelope, answer.operation, requestHeaders)
  const text = answer.plain ?? http.encode(envelope, answer.operation)
  const accepted = (requestHeaders['accept-encoding'] ?? '').split(/[\s,]+/u)
  const coding = http.compression !== undefined && accepted.includes(http.compression) ? http.compression : undefined
  const plain = Buffer.from(text, 'utf8')
  const body = coding === undefined ? plain : COMPRESSED[coding](plain)
  const contentType = answer.plain === undefined ? http.contentType : 'text/plain'
  const headers: Record<string, string> = { ...http.extraHeaders }
  if (contentType !== '') headers['content-type'] = contentType
  if (answer.retryAfter !== undefined) headers['retry-after'] = answer.retryAfter
  if (coding !== undefined) headers['content-encoding'] = coding
  if (http.contentLength && !http.endsWithConnection) headers['content-length'] = String(body.length)
  if (http.trailers) headers['trailer'] = 'server-timing'
  const ahead = http.dateAheadMs()
  if (ahead !== 0) headers['date'] = new Date(Date.now() + ahead).toUTCString()
  reply.hijack()
  frame(service, reply)
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [http.headerName(name), value]))
  if (http.hints) reply.raw.writeEarlyHints({ link: '</docs>; rel=preload' })
  reply.raw.writeHead(answer.status, named)
  await writeBody(service, reply, body)
}

/** How the end of a body is told. */
function frame(service: Service, { raw }: FastifyReply): void {
  const { endsWithConnection, dated } = service.behaviour.http
  raw.sendDate = dated
  if (!endsWithConnection) return
  raw.useChunkedEncodingByDefault = false
  raw.shouldKeepAlive = false
}

async function writeBody(service: Service, { raw }: FastifyReply, body: Buffer): Promise<void> {
  const { pieces, bodyMs, trailers } = service.behaviour.http
  if (bodyMs > 0) raw.flushHeaders()
  await service.timers.wait(bodyMs)
  if (trailers) raw.addTrailers({ 'server-timing': 'total;dur=1' })
  if (pieces > 0)
    for (let at = 0; at < body.length; at += pieces) {
      raw.write(body.subarray(at, at + pieces))
      await service.timers.wait(1)
    }
  raw.end(pieces > 0 ? undefined : body)
}
