import type { WebSocket } from 'ws'
import type { HeardChannel } from '../traffic/recorder.ts'

/** What may wait to be sent to an end that does not read; beyond, the connection is given up. */
const mostUnsent = 64 * 2 ** 20
/** How long the other end may take to close. */
const closePatience_ms = 5_000

/** No close frame came (RFC 6455 7.1.5). */
const broken = 1_006
/** Codes that stand for what happened, and are never sent. */
const unsendable = new Set([1_004, 1_005, broken, 1_015])

/** Hands on messages, pings and the close, both ways, each as it came. */
export function linkChannels(client: WebSocket, target: WebSocket, heard: HeardChannel, done: () => void): void {
  let over = false
  client.on('message', (data: Buffer, binary: boolean) => {
    heard.sent(data, binary)
    pass(target, data, binary, client)
  })
  target.on('message', (data: Buffer, binary: boolean) => {
    pass(client, data, binary, target)
    // In the same turn: nothing that the client does upon it can be written before it.
    heard.received(data, binary)
  })
  for (const [from, to] of [
    [client, target],
    [target, client],
  ] as const) {
    from.on('ping', (data: Buffer) => {
      if (to.readyState === to.OPEN) to.ping(data)
    })
    from.on('pong', (data: Buffer) => {
      if (to.readyState === to.OPEN) to.pong(data)
    })
    from.on('error', () => to.terminate())
    from.on('close', (code: number, reason: Buffer) => {
      if (!over) {
        over = true
        const byTarget = code === broken ? 'network' : 'target'
        heard.closed(from === client ? 'us' : byTarget, code, reason.toString('utf8'))
        done()
      }
      close(to, code, reason)
    })
  }
}

function pass(to: WebSocket, data: Buffer, binary: boolean, from: WebSocket): void {
  if (to.readyState !== to.OPEN) return
  to.send(data, { binary })
  if (to.bufferedAmount > mostUnsent) from.terminate()
}

function close(to: WebSocket, code: number, reason: Buffer): void {
  if (to.readyState === to.CLOSED) return
  if (code === broken) to.terminate()
  else if (unsendable.has(code)) to.close()
  else to.close(code, reason)
  setTimeout(() => to.terminate(), closePatience_ms).unref()
}
