/** An event of the control channel, as far as this client reads it. */
interface ServerEvent {
  readonly type: string
  readonly delta?: string
  readonly text?: string
  readonly response?: { readonly status?: string }
  readonly request_event_id?: string
  readonly error?: { readonly event_id?: string; readonly message: string }
}

interface AvatarSession {
  readonly session_id: string
  readonly control: { readonly url: string; readonly client_secret: string }
}

interface Envelope {
  readonly code: number
  readonly message: string
  readonly data: AvatarSession
}

/** What a client may do about a create that fails (section 7): 429 and 5xx pass, everything else does not. */
const mostTries = 4
const firstPause_ms = 20

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/**
 * A small client as an app would write it, for the worked examples of `docs/stand-in.md`: it retries a create under its
 * idempotency key, connects again when the channel breaks, makes a new session when the old one is over, and does not wait
 * for ever for a text.
 */
export class SmallClient {
  readonly #base: string
  readonly #key: string
  #session: AvatarSession | undefined
  #socket: WebSocket | undefined
  #events: ServerEvent[] = []
  #count = 0
  /** What it did, in words; a test reads it. */
  readonly did: string[] = []

  constructor(base: string, key: string) {
    this.#base = base
    this.#key = key
  }

  /** Makes a session. @throws Error where no try succeeds */
  async start(): Promise<void> {
    this.#count += 1
    const body = JSON.stringify({
      model: 'svc-a1-stream',
      idempotency_key: `start-${this.#count}`,
      session: { mode: 'text_chat' },
      avatars: [{ avatar_id: 'host' }],
    })
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(`${this.#base}/v1/realtime-avatar/sessions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
        body,
      })
      const { code, message, data } = (await answer.json()) as Envelope
      if (code === 0) {
        this.#session = data
        return
      }
      const passes = answer.status === 429 || answer.status >= 500
      if (!passes || attempt === mostTries) throw new Error(`${code} ${message}`)
      this.did.push(`tried again after ${code}`)
      const told = Number(answer.headers.get('retry-after') ?? 0) * 1_000
      await pause(Math.max(told, firstPause_ms * 2 ** (attempt - 1)))
    }
  }

  /**
   * Says something and gives back the whole text of the answer.
   *
   * @param patience_ms without a word for so long, it asks once more, which interrupts what it asked before
   */
  async ask(text: string, patience_ms = 10_000): Promise<string> {
    for (let attempt = 1; attempt <= mostTries; attempt += 1) {
      const got = await this.#askOnce(text, patience_ms)
      if (got !== undefined) return got
    }
    throw new Error('no answer came')
  }

  async close(): Promise<void> {
    this.#socket?.close()
    this.#socket = undefined
  }

  async #askOnce(text: string, patience_ms: number): Promise<string | undefined> {
    const socket = await this.#connected()
    if (socket === undefined) return undefined
    this.#count += 1
    const id = `ask-${this.#count}`
    this.#events = []
    socket.send(JSON.stringify({ type: 'response.create', event_id: id, response: { instructions: text } }))
    const began = Date.now()
    for (;;) {
      await pause(5)
      if (socket.readyState !== WebSocket.OPEN) {
        this.did.push('connected again')
        this.#socket = undefined
        return undefined
      }
      if (this.#events.some(({ type, response }) => type === 'response.done' && response?.status === 'completed'))
        return this.#events.find(({ type }) => type === 'response.output_text.done')?.text ?? ''
      const silent = !this.#events.some(({ type }) => type === 'response.output_text.delta')
      if (silent && Date.now() - began > patience_ms) {
        this.did.push('asked again')
        return undefined
      }
    }
  }

  /** The connection; a new one where the old one broke, in a new session where that is over. */
  async #connected(): Promise<WebSocket | undefined> {
    if (this.#socket?.readyState === WebSocket.OPEN) return this.#socket
    if (this.#session === undefined) await this.start()
    const { url, client_secret: secret } = this.#session?.control ?? { url: '', client_secret: '' }
    const socket = new WebSocket(`${url}&token=${encodeURIComponent(secret)}`)
    const opened = await new Promise<boolean>((resolve) => {
      socket.addEventListener('open', () => resolve(true), { once: true })
      socket.addEventListener('close', () => resolve(false), { once: true })
    })
    if (!opened) {
      this.did.push('made a new session')
      this.#session = undefined
      return undefined
    }
    socket.addEventListener('message', ({ data }) => this.#events.push(JSON.parse(String(data)) as ServerEvent))
    this.#socket = socket
    return socket
  }
}
