import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'

/** The part of a connection attempt that ws hands on. */
export interface Handshake {
  request: IncomingMessage
  socket: Duplex
  head: Buffer
}

/** The address asked for; one that is no URL leads nowhere. */
export function addressOf({ url = '/' }: IncomingMessage): URL {
  const origin = 'http://target'
  return new URL(URL.canParse(url, origin) ? url : '/', origin)
}

export function accept(sockets: WebSocketServer, handshake: Handshake, then: (socket: WebSocket) => void): void {
  sockets.handleUpgrade(handshake.request, handshake.socket, handshake.head, then)
}

/** Refuses before anything is opened. */
export const refuseWithStatus = ({ socket }: Handshake, status: number): void =>
  void socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
