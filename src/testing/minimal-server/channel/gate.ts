import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { serveChannel } from './channel.ts'
import type { Session } from '../session.ts'
import type { SessionBook } from '../session-book.ts'
import { CONTROL_PATH, EDGE } from '../session-view.ts'

const LARGEST_MESSAGE = 16 << 20
const REFUSED = 4401

function sameSecret(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** The credential of an upgrade (5.2): the query's `token`, or a bearer header. */
function credential(request: IncomingMessage, url: URL): string {
  const [scheme = '', bearer = ''] = (request.headers.authorization ?? '').split(' ')
  return url.searchParams.get('token') ?? (scheme.toLowerCase() === 'bearer' ? bearer : '')
}

function admit(book: SessionBook, request: IncomingMessage, url: URL): Session | undefined {
  if (url.searchParams.get('edge') !== EDGE) return undefined
  const session = book.get(url.searchParams.get('session_id') ?? '')
  if (session?.status !== 'active') return undefined
  return sameSecret(credential(request, url), session.secret) ? session : undefined
}

function sendAway(socket: Duplex): void {
  socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
}

/** Opens control channels. A refused one is accepted and closed at once, which the spec leaves open. */
export function guardChannels(server: Server, book: SessionBook): WebSocketServer {
  const channels = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE, perMessageDeflate: false })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = new URL(request.url ?? '/', 'wss://here.invalid')
    if (url.pathname !== CONTROL_PATH) return sendAway(socket)
    channels.handleUpgrade(request, socket, head, (accepted) => {
      const session = admit(book, request, url)
      if (session === undefined) accepted.close(REFUSED, 'refused')
      else serveChannel(session, accepted)
    })
  })
  return channels
}
