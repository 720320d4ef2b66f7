import type { Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Certificate } from '../certificate.ts'
import { Refusal } from '../refusal.ts'
import type { TargetOptions } from '../options.ts'
import type { Service } from '../service.ts'
import { isWire, textOf } from '../wire.ts'
import { answerRequest, faultAnswer } from './answer.ts'
import { OPERATIONS, type OperationId, UPLOAD } from './operations.ts'
import { type RestReply, failureAnswer, send, sendAsEdge } from './reply.ts'
import type { IncomingRest } from './request.ts'

// An import would read every export, and with the WebSocket among them Node loads a whole client that nobody uses here.
const { createServer: createPlainServer } = process.getBuiltinModule('node:http')

/** Big enough for every upload of the spec; larger bodies are refused before they are read. */
const BODY_LIMIT = 64 * 1024 * 1024

/** What a form holds besides its file, at most. */
const UNREAD_SLACK = 64 * 1024

const UNKNOWN = 'unknown-operation'

type Respond = (request: FastifyRequest, reply: FastifyReply) => Promise<RestReply> | RestReply

function readRequest(operation: OperationId, request: FastifyRequest, reply: FastifyReply): IncomingRest {
  const param = (name: string): string => textOf(isWire(request.params) ? request.params[name] : undefined) ?? ''
  return {
    operation,
    sessionId: param('session_id'),
    param,
    query: new URLSearchParams(request.url.split('?')[1]),
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    abandoned: () => reply.raw.destroyed,
  }
}

function unknownPath(service: Service): RestReply {
  const { http } = service.behaviour
  const refused = failureAnswer(service, UNKNOWN, new Refusal(http.unknownPathCode, 'no such resource'))
  return { ...refused, status: http.unknownPathStatus, ...(http.unknownPathPlain ? { plain: 'not found' } : {}) }
}

/** What no handler has seen. An upload over `BODY_LIMIT` is over its own limit, too. */
function brokenRequest(service: Service, error: FastifyError, path: string | undefined): RestReply {
  const { id, path: uploads } = UPLOAD
  if (error.statusCode === 413 && path === uploads) {
    return faultAnswer(service, id, new Refusal('20007', error.message))
  }
  const callersFault = error.statusCode !== undefined && error.statusCode < 500
  return faultAnswer(service, UNKNOWN, callersFault ? new Refusal('30004', error.message) : error)
}

/** Answers an upload whose length alone is too much, and reads no more of it. */
function refuseUnread(service: Service, app: FastifyInstance): void {
  if (!service.behaviour.http.refusesUnread) return
  app.addHook('onRequest', async (request, out) => {
    const tooLong = Number(request.headers['content-length']) > service.behaviour.limits.audioBytes + UNREAD_SLACK
    if (request.routeOptions.url !== UPLOAD.path || !tooLong) return
    out.raw.shouldKeepAlive = false
    out.raw.once('finish', () => request.raw.socket.destroySoon())
    await send(service, out, request.headers, faultAnswer(service, UPLOAD.id, new Refusal('20007', 'the body')))
  })
}

/** The REST half. Every answer is enveloped, also those to unknown paths and methods (Conventions). */
export function createServer(
  service: Service,
  certificate: Certificate | undefined,
  documents: NonNullable<TargetOptions['documents']> = {},
): FastifyInstance {
  const { answersPerConnection, idleConnectionMs } = service.behaviour.http
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    // An id may be as long as the service likes.
    routerOptions: { maxParamLength: 4096 },
    // Fastify leaves a server that it did not make as it is, so what its connections do is set here.
    serverFactory: (handler): Server =>
      Object.assign(certificate === undefined ? createPlainServer(handler) : createTlsServer(certificate, handler), {
        keepAliveTimeout: idleConnectionMs,
        maxRequestsPerSocket: answersPerConnection,
      }),
    // What is no HTTP is no request, so nothing answers it: Fastify's own answer bears no envelope.
    clientErrorHandler: (_error, socket) => void socket.destroy(),
    // A path that no URL may hold never reaches a route.
    frameworkErrors: (_error, request, out) => void send(service, out, request.headers, unknownPath(service)),
  })
  const reply =
    (respond: Respond) =>
    async (request: FastifyRequest, out: FastifyReply): Promise<FastifyReply> => {
      await send(service, out, request.headers, await respond(request, out))
      return out
    }
  refuseUnread(service, app)
  // Bodies are read as bytes: only the handlers decide what JSON is.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  for (const { id, method, path } of OPERATIONS) {
    const answer = reply((request, out) =>
      service.behaviour.http.served(id) ? answerRequest(service, readRequest(id, request, out)) : unknownPath(service),
    )
    const handler = async (request: FastifyRequest, out: FastifyReply): Promise<FastifyReply> => {
      const edge = service.behaviour.http.edge(id)
      if (edge === undefined) return answer(request, out)
      sendAsEdge(out, edge)
      return out
    }
    app.route({ method, url: path, exposeHeadRoute: false, handler })
  }
  for (const [path, text] of Object.entries(documents)) {
    app.get(path, async (_request, out) => out.type('application/json').send(text))
  }
  app.setNotFoundHandler(reply(() => unknownPath(service)))
  app.setErrorHandler(async (error: FastifyError, request: FastifyRequest, out: FastifyReply) => {
    await send(service, out, request.headers, brokenRequest(service, error, request.routeOptions.url))
    return out
  })
  return app
}
