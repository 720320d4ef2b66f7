import { theK6, type User } from '../fake-k6.ts'
import type { ServiceSocket, SocketHandler, UpgradeAnswer } from '../fake-service.ts'

interface MessageEvent {
  readonly data: string
  readonly timestamp: number
}

interface CloseEvent {
  readonly code?: number
  readonly timestamp: number
}

const [CONNECTING, OPEN, CLOSING, CLOSED] = [0, 1, 2, 3]

/** A handshake ends in k6 after this long at the latest. */
const HANDSHAKE_MS = 60_000

/** A socket of k6: it tells nothing of a refused handshake but that it was refused. */
export class WebSocket {
  readyState = CONNECTING
  onopen: (() => void) | undefined
  onmessage: ((event: MessageEvent) => void) | undefined
  onerror: ((event: { readonly error: string }) => void) | undefined
  onclose: ((event: CloseEvent) => void) | undefined
  readonly #user: User | undefined
  readonly #release: () => void
  #handler: SocketHandler = {}

  constructor(url: string) {
    const k6 = theK6()
    this.#user = k6.user
    this.#release = k6.hold()
    const answer = k6.service.upgrade({ method: 'GET', url, headers: {}, body: '' })
    if (answer === 'silence') this.#later(HANDSHAKE_MS, () => this.#fail('i/o timeout'))
    else this.#later(answer.after_ms ?? 0, () => this.#answered(answer))
  }

  send(frame: string | ArrayBufferView): void {
    if (this.readyState !== OPEN) throw new Error("InvalidStateError: the socket isn't open")
    // k6 looks at what it is to write in this way; what looks back may close the socket.
    if (ArrayBuffer.isView(frame)) return
    this.#later(0, () => this.#handler.heard?.(frame))
  }

  close(code = 1_000): void {
    if (this.readyState === CLOSING || this.readyState === CLOSED) return
    this.readyState = CLOSING
    this.#later(0, () => {
      this.#handler.closed?.(code)
      this.#end(code)
    })
  }

  #answered(answer: Exclude<UpgradeAnswer, 'silence'>): void {
    if (!('open' in answer)) {
      this.#fail('websocket: bad handshake')
      return
    }
    this.readyState = OPEN
    const socket: ServiceSocket = {
      send: (frame) => {
        const timestamp = theK6().time.now()
        this.#later(0, () => {
          if (this.readyState === OPEN) this.onmessage?.({ data: frame, timestamp })
        })
      },
      close: (code) =>
        this.#later(0, () => {
          if (code > 1_001) this.onerror?.({ error: `websocket: close ${code}` })
          this.#end(code)
        }),
      drop: () => this.#later(0, () => this.#fail('unexpected EOF')),
    }
    this.#handler = answer.open(socket)
    this.onopen?.()
    this.#handler.opened?.()
  }

  #fail(error: string): void {
    this.onerror?.({ error })
    this.#end(undefined)
  }

  #end(code: number | undefined): void {
    if (this.readyState === CLOSED) return
    this.readyState = CLOSED
    const timestamp = theK6().time.now()
    this.onclose?.(code === undefined ? { timestamp } : { code, timestamp })
    this.#release()
  }

  #later(ms: number, task: () => void): void {
    theK6().time.later(ms, () => theK6().as(this.#user, task))
  }
}
