import type { WebSocket, WebSocketServer } from 'ws'
import type { WorldAdmissionId, WorldAttempt } from '../behaviour/world/channel.ts'
import type { Service } from '../service.ts'
import { WORLD_CHANNELS, type WorldChannel, type WorldSession } from '../worlds/session.ts'
import { accept, addressOf, type Handshake, refuseWithStatus } from './handshake.ts'

/**
 * Answers attempts at the control and media channels of world sessions. What travels there is not shown: an admitted
 * connection stays open, hears nothing, and ends with its session.
 *
 * @returns whether the address belongs to a world channel
 */
export function serveWorldChannel(service: Service, sockets: WebSocketServer, handshake: Handshake): boolean {
  const { paths } = service.behaviour.world.channel
  const { pathname } = addressOf(handshake.request)
  const channel = WORLD_CHANNELS.find((one) => paths[one] === pathname)
  if (channel === undefined) return false
  const attempt = readAttempt(service, handshake, channel)
  const refusal = refusalOf(service, attempt)
  if (refusal !== undefined) refuseWithStatus(handshake, service.behaviour.world.channel.statuses[refusal])
  else
    accept(sockets, handshake, (socket) => {
      hold(attempt.session, socket)
      service.behaviour.world.channel.welcome(socket)
    })
  return true
}

function readAttempt(service: Service, { request }: Handshake, channel: WorldChannel): WorldAttempt {
  const { access, world } = service.behaviour
  const query = addressOf(request).searchParams
  const sessionId = query.get(world.channel.sessionParameter)
  const header = access.credential(request.headers.authorization, request.headers)
  return {
    channel,
    token: query.get(world.channel.tokenParameter) ?? (world.channel.takesHeader ? header : undefined),
    session: sessionId === null ? undefined : service.worlds.sessions.get(sessionId),
    now: Date.now(),
    keepsOldSecrets: world.life.keepsOldSecrets,
  }
}

function refusalOf(service: Service, attempt: WorldAttempt): WorldAdmissionId | undefined {
  const { admission, admissionOrder } = service.behaviour.world.channel
  return admissionOrder.find((id) => admission[id](attempt))
}

function hold(session: WorldSession | undefined, socket: WebSocket): void {
  session?.connections.add(socket)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => session?.connections.delete(socket))
}
