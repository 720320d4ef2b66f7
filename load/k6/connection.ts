import { WebSocket } from 'k6/websockets'
import type { Connection, Listener } from '../scenarios/machine.ts'

/** `readyState` of an open socket; `WebSocket.OPEN` is in the types, but not in k6. */
const OPEN = 1

/** What k6 gives to `onclose`, which its types don't tell. */
interface CloseEvent {
  readonly code?: number
  readonly timestamp?: number
}

/**
 * Opens a control connection. Whatever k6 knows of the URL stays here: it holds the token, and k6 would make a tag of
 * it, quote it in errors and show it in events.
 */
export function openConnection(
  url: string,
  headers: { readonly [name: string]: string },
  listener: Listener,
  now: () => number,
): Connection {
  const socket = dial(url, headers)
  if (socket === undefined) {
    listener.closed({ at: now(), opened: false, code: undefined })
    return { send: () => undefined, close: () => undefined }
  }
  let [opened, unwanted] = [false, false]
  socket.onopen = (): void => {
    opened = true
    if (unwanted) hangUp(socket, 1_000)
    else listener.opened(now())
  }
  socket.onmessage = (event): void => {
    if (event !== undefined) listener.heard(event.data, event.timestamp)
  }
  // "close" follows, and says as much.
  socket.onerror = (): void => undefined
  socket.onclose = (event?: CloseEvent): void => listener.closed({ at: now(), opened, code: event?.code })
  return {
    send: (frame): number | undefined => {
      if (socket.readyState !== OPEN) return undefined
      const at = now()
      socket.send(frame)
      return at
    },
    close: (code = 1_000): void => {
      unwanted = true
      // While a handshake runs, k6 would block the whole user in close(), until the handshake ends or for ever.
      if (socket.readyState === OPEN) hangUp(socket, code)
    },
  }
}

function dial(url: string, headers: { readonly [name: string]: string }): WebSocket | undefined {
  try {
    return new WebSocket(url, null, { headers, tags: { name: 'control-channel' } })
  } catch {
    return undefined
  }
}

/**
 * Sends a close frame, and lets go of the connection without waiting for the other side's. k6 would wait for it without
 * end, even when it is told to stop, and a k6 that must be killed leaves no summary. It lets go when it can't write, and
 * after a close frame nothing can be written; but as soon as close() was called it takes nothing to write either. So
 * close() is called while k6 looks at what it is to write, which it does by `ArrayBuffer.isView`.
 */
function hangUp(socket: WebSocket, code: number): void {
  const { isView } = ArrayBuffer
  ArrayBuffer.isView = (value: unknown): value is ArrayBufferView => {
    socket.close(code)
    return isView(value) || Array.isArray(value)
  }
  try {
    // k6 makes bytes of any list; the first typed array of a user costs 10 kB for good.
    socket.send([0] as unknown as ArrayBufferView)
  } finally {
    ArrayBuffer.isView = isView
  }
  // For a k6 that looks in another way.
  socket.close(code)
}
