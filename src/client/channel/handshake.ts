import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import type { ChannelRefusedEntry } from '#trace/entry'
import { startDeadline } from '../deadline.ts'
import { classify } from '../failure.ts'
import type { Core } from '../core.ts'
import type { WebSocketWay } from '../sockets/sockets.ts'

/** How an upgrade ended. */
export type Handshake =
  | { readonly opened: true }
  | {
      readonly opened: false
      readonly status?: number
      readonly reason: ChannelRefusedEntry['reason']
      readonly message: string
    }

/** How much of a refusal's body is shown, and how long we wait for it. */
const longestBody = 500
const bodyPatience = 500

/** Most fragments of one message. */
const mostFragments = 4_096

/** A WebSocket that connects to exactly this path. Frames may come as soon as it opens: listen at once. */
export function openSocket(
  core: Core,
  url: string,
  path: string,
  headers: { readonly [name: string]: string },
): WebSocket {
  const options: WebSocketWay & { closeTimeout: number } = {
    ...core.sockets.webSocket,
    headers: { ...headers },
    perMessageDeflate: false,
    followRedirects: false,
    skipUTF8Validation: false,
    autoPong: false,
    maxPayload: core.bounds.frame_bytes,
    maxFragments: mostFragments,
    closeTimeout: 2_000,
    finishRequest: (request) => {
      request.path = path
      request.end()
    },
  }
  return new WebSocket(url, options)
}

/**
 * Waits for the upgrade's end: by the wall clock, since ws starts its own timer again with every byte.
 *
 * @param opened called at once when it opens; the first frames come before a promise would tell
 */
export function handshake(
  socket: WebSocket,
  deadline_ms: number,
  signal: AbortSignal | undefined,
  opened: () => void,
): Promise<Handshake> {
  return new Promise((resolve) => {
    const settle = (result: Handshake) => {
      met()
      signal?.removeEventListener('abort', abort)
      resolve(result)
    }
    const give = (reason: ChannelRefusedEntry['reason'], message: string) => {
      settle({ opened: false, reason, message })
      socket.terminate()
    }
    const abort = () => give('aborted', 'The run was interrupted')
    const met = startDeadline(deadline_ms, () => give('timeout', `No answer to the upgrade within ${deadline_ms} ms`))
    signal?.addEventListener('abort', abort, { once: true })
    socket.once('open', () => {
      opened()
      settle({ opened: true })
    })
    socket.on('error', (error) => settle({ opened: false, ...classify(error) }))
    socket.once('close', () => settle({ opened: false, reason: 'reset', message: 'The connection was closed' }))
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      const status = response.statusCode ?? 0
      bodyStart(response, (text) => {
        settle({ opened: false, status, reason: 'status', message: `HTTP ${status}${text === '' ? '' : `: ${text}`}` })
        socket.terminate()
      })
    })
  })
}

function bodyStart(response: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  const end = () => {
    clearTimeout(timer)
    response.destroy()
    done(Buffer.concat(chunks).toString('utf8').slice(0, longestBody))
  }
  const timer = setTimeout(end, bodyPatience)
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length > 16 * longestBody) end()
  })
  response.once('end', end)
  response.once('error', end)
}
