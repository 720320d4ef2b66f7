import { WebSocket } from 'k6/websockets'
import type { Line, Listener } from '../scenarios/stage.ts'

/** `readyState` of an open socket; `WebSocket.OPEN` is in the types, but not in k6. */
const OPEN = 1

/**
 * Opens a control connection. Whatever k6 knows of the URL stays here: it holds the token, and k6 would make a tag of
 * it, quote it in errors and show it in events.
 */
export function openLine(url: string, listener: Listener): Line {
  const socket = dial(url)
  if (socket === undefined) {
    listener.ended()
    return { send: () => undefined, close: () => undefined }
  }
  let unwanted = false
  socket.onopen = (): void => {
    if (unwanted) socket.close(1000)
    else listener.opened()
  }
  socket.onmessage = (event): void => {
    if (event !== undefined) listener.heard(event.data, event.timestamp)
  }
  // "close" follows, and says as much.
  socket.onerror = (): void => undefined
  socket.onclose = (): void => listener.ended()
  return {
    send: (frame): void => {
      if (socket.readyState === OPEN) socket.send(frame)
    },
    close: (): void => {
      unwanted = true
      // While a handshake runs, k6 would block the whole user in close(), until the handshake ends or for ever.
      if (socket.readyState === OPEN) socket.close(1000)
    },
  }
}

function dial(url: string): WebSocket | undefined {
  try {
    return new WebSocket(url, null, { tags: { name: 'control-channel' } })
  } catch {
    return undefined
  }
}
