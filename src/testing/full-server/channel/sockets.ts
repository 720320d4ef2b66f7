import type { IncomingMessage, Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { attend } from './channel.ts'
import type { SessionBook } from '../avatar-sessions/session-book.ts'
import type { Worlds } from '../worlds/worlds.ts'

/** Lets WebSockets in. Whoever may not come in is let in nevertheless, and shown out at once. */
export function openSockets(server: Server, sessions: SessionBook, worlds: Worlds): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 32_000_000, perMessageDeflate: { threshold: 300 } })
  server.on('upgrade', (request: IncomingMessage, stream, head) => {
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const url = new URL(request.url ?? '/', 'wss://any')
      const bearer = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      welcome(socket, url, url.searchParams.get('token') ?? bearer ?? '', sessions, worlds)
    })
  })
  return sockets
}

function welcome(socket: WebSocket, url: URL, secret: string, sessions: SessionBook, worlds: Worlds): void {
  socket.on('error', () => socket.terminate())
  if (url.pathname === '/v1/realtime-avatar/control') {
    const session = sessions.find(url.searchParams.get('session_id') ?? '')
    if (session?.secret === secret && session.status === 'active') return attend(session, socket)
  }
  const [, door] = /^\/v1\/streaming-world\/(control|media)$/.exec(url.pathname) ?? []
  const world = worlds.find(url.searchParams.get('world') ?? '')
  if ((door === 'control' || door === 'media') && world?.admits(door, secret) === true) {
    socket.on('message', () => {
      world.sequence += 1
      socket.send(JSON.stringify({ type: 'world.heard', sequence: world.sequence }))
    })
    return
  }
  socket.close(4403, 'you may not come in')
}
