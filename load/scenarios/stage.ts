import type { ConverseTally } from '../core/converse-measures.ts'
import type { Created, Session } from '../core/envelope.ts'

/** A control connection. */
export interface Line {
  send(frame: string): void
  /** Politely; `ended` follows. */
  close(): void
}

/** Who listens on a line. */
export interface Listener {
  opened(): void
  /** @param at when the frame came to the socket, on the clock of the stage */
  heard(frame: unknown, at: number): void
  /** Once: closed by either side, or never opened. */
  ended(): void
}

/** What a virtual user needs of the machine that it runs on. */
export interface Stage {
  /** Names the conversation, within the run and beyond. */
  readonly name: string
  readonly tally: ConverseTally
  /** Milliseconds; the moments of `heard` are on the same clock. */
  now(): number
  /** @returns how to call it off */
  later(ms: number, task: () => void): () => void
  /** From 0 to 1. */
  random(): number
  /** With the same idempotency key each time. */
  createSession(): Created
  closeSession(id: string): void
  /** @returns undefined when load must not go to the session's control URL */
  connect(session: Session, listener: Listener): Line | undefined
  /** Hands the tally over, and empties it. */
  flush(): void
}
