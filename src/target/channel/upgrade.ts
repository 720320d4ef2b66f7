import type { IncomingMessage, Server } from 'node:http'
import { WebSocketServer } from 'ws'
import type { AdmissionId, Attempt } from '../behaviour/channel.ts'
import type { Service } from '../service.ts'
import type { Session } from '../sessions/session.ts'
import { connect } from './connect.ts'
import { accept, addressOf, type Handshake, refuseWithStatus } from './handshake.ts'
import { serveWorldChannel } from './world.ts'

function readAttempt(service: Service, request: IncomingMessage): Attempt {
  const { channel, access } = service.behaviour
  const url = addressOf(request)
  const sessionId = url.searchParams.get(channel.sessionParameter) ?? undefined
  const query = channel.tokenParameters
    .map((name) => url.searchParams.get(name) ?? undefined)
    .find((value) => value !== undefined)
  const found = { query, header: access.credential(request.headers.authorization, request.headers) }
  const form = channel.credentials.find((place) => found[place] !== undefined && found[place] !== '')
  const token = form === undefined ? undefined : found[form]
  const owner = (): Session | undefined =>
    token === undefined ? undefined : service.sessions.values().find(({ secret }) => secret === token)
  const session = sessionId === undefined ? undefined : service.sessions.get(sessionId)
  return {
    path: url.pathname,
    sessionId,
    form,
    token,
    emptyToken: query === '',
    owner,
    session: session ?? (channel.findsByToken ? owner() : undefined),
    now: Date.now(),
  }
}

function refusalOf(service: Service, attempt: Attempt): AdmissionId | undefined {
  const { admission, admissionOrder } = service.behaviour.channel
  return admissionOrder.find((id) => admission[id](attempt))
}

function refuse(service: Service, sockets: WebSocketServer, handshake: Handshake, id: AdmissionId): void {
  const { channel } = service.behaviour
  if (channel.refusal === 'status') {
    refuseWithStatus(handshake, channel.refusalStatuses[id])
    return
  }
  accept(sockets, handshake, (socket) => {
    socket.on('error', () => socket.terminate())
    if (channel.refusalWords !== undefined) socket.send(channel.encode(channel.refusalWords))
    const close = (): void => socket.close(channel.refusalCloseCode)
    if (channel.refusalMs > 0) service.timers.after(channel.refusalMs, close)
    else close()
  })
}

function admit(service: Service, sockets: WebSocketServer, handshake: Handshake, attempt: Attempt): void {
  const { session } = attempt
  if (session === undefined) refuse(service, sockets, handshake, 'session-unknown')
  else accept(sockets, handshake, (socket) => connect(service, session, socket, attempt.form))
}

function answer(service: Service, sockets: WebSocketServer, handshake: Handshake): void {
  if (handshake.socket.destroyed) return
  const attempt = readAttempt(service, handshake.request)
  const refusal = refusalOf(service, attempt)
  if (refusal !== undefined) refuse(service, sockets, handshake, refusal)
  else admit(service, sockets, handshake, attempt)
}

/** Serves the control channel on the `upgrade` event of the REST server; gives the function that ends it. */
export function serveChannel(service: Service, server: Server): () => void {
  const { channel } = service.behaviour
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: channel.maxFrameBytes,
    perMessageDeflate: channel.deflate,
  })
  server.on('upgrade', (request, socket, head) => {
    const handshake: Handshake = { request, socket, head }
    socket.on('error', () => socket.destroy())
    const edge = service.behaviour.http.edge('upgrade')
    if (edge === 'reset') socket.destroy()
    else if (edge !== undefined) refuseWithStatus(handshake, typeof edge === 'number' ? edge : edge.status)
    if (edge !== undefined) return
    if (serveWorldChannel(service, sockets, handshake)) return
    const { upgradeMs } = service.behaviour.channel
    if (upgradeMs > 0) service.timers.after(upgradeMs, () => answer(service, sockets, handshake))
    else answer(service, sockets, handshake)
  })
  return () => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
  }
}
