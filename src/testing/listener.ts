import type { Server, Socket } from 'node:net'

/** A server that listens on a free loopback port and can be ended whatever its connections are doing. */
export interface Listener {
  port: number
  /** Whether connections are taken. Asked instead of connecting: a port that was let go may be another server's. */
  listening: () => boolean
  stop: () => Promise<void>
}

/** The address every server of this folder binds; its certificates name it. */
export const LOOPBACK_HOST = '127.0.0.1'

function close(server: Server, sockets: Set<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of sockets) socket.destroy()
  })
}

/** Listens on port 0 and remembers every TCP connection, so that `stop()` never waits for a client. */
export async function listen(server: Server): Promise<Listener> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, LOOPBACK_HOST, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  const { port } = address
  return { port, listening: () => server.listening, stop: () => close(server, sockets) }
}
