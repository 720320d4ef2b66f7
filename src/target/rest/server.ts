import { createServer as createPlainServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Certificate } from '../certificate.ts'
import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { identify, limitRate } from './admit.ts'
import { createSession } from './create-session.ts'
import { OPERATIONS, type OperationId } from './operations.ts'
import { type Answer, failureAnswer, send, successAnswer } from './reply.ts'
import type { RestRequest } from './request.ts'
import { isWire, textOf } from '../wire.ts'
import { closeSession, getSession, listSessions } from './sessions.ts'

/** Big enough for every upload of the spec; larger bodies are refused before they are read. */
const BODY_LIMIT = 64 * 1024 * 1024

type Handler = (service: Service, request: RestRequest) => unknown

const HANDLERS: Record<OperationId, Handler> = {
  'create-avatar-session': createSession,
  'list-avatar-sessions': listSessions,
  'get-avatar-session': getSession,
  'close-avatar-session': closeSession,
}

async function answer(service: Service, operation: OperationId, request: FastifyRequest): Promise<Answer> {
  try {
    const account = identify(service, operation, request.headers.authorization)
    service.requests.set(account.name, (service.requests.get(account.name) ?? 0) + 1)
    limitRate(service, operation, account)
    const sessionId = textOf(isWire(request.params) ? request.params['session_id'] : undefined) ?? ''
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const data = await HANDLERS[operation](service, { operation, account, sessionId, body })
    return successAnswer(service, operation, data)
  } catch (error) {
    return faultAnswer(service, error)
  }
}

function faultAnswer(service: Service, error: unknown): Answer {
  if (error instanceof Refusal) return failureAnswer(service, error)
  const { http } = service.behaviour
  return { status: http.internalStatus, envelope: http.internal(), retryAfter: undefined }
}

function unknownPath(service: Service): Answer {
  const { http } = service.behaviour
  const refused = failureAnswer(service, new Refusal(http.unknownPathCode, 'no such resource'))
  return { ...refused, status: http.unknownPathStatus, ...(http.unknownPathPlain ? { plain: 'not found' } : {}) }
}

type Respond = (request: FastifyRequest) => Promise<Answer> | Answer

/** The REST half. Every answer is enveloped, also those to unknown paths and methods (Conventions). */
export function createServer(service: Service, certificate: Certificate | undefined): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    // An id may be as long as the service likes.
    routerOptions: { maxParamLength: 4096 },
    serverFactory: (handler): Server =>
      certificate === undefined ? createPlainServer(handler) : createTlsServer(certificate, handler),
    // A path that no URL may hold never reaches a route.
    frameworkErrors: (_error, request, out) => void send(service, out, request.headers, unknownPath(service)),
  })
  const reply =
    (respond: Respond) =>
    async (request: FastifyRequest, out: FastifyReply): Promise<FastifyReply> => {
      await send(service, out, request.headers, await respond(request))
      return out
    }
  // Bodies are read as bytes: only the handlers decide what JSON is.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  for (const { id, method, path } of OPERATIONS)
    app.route({ method, url: path, exposeHeadRoute: false, handler: reply((request) => answer(service, id, request)) })
  app.setNotFoundHandler(reply(() => unknownPath(service)))
  app.setErrorHandler(async (error: FastifyError, request: FastifyRequest, out: FastifyReply) => {
    const oversized = error.statusCode !== undefined && error.statusCode < 500
    const cause = oversized ? new Refusal('30004', error.message) : error
    await send(service, out, request.headers, faultAnswer(service, cause))
    return out
  })
  return app
}
