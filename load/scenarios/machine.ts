import type { CommonCount, CommonTime } from '../core/common-measures.ts'
import type { RestAnswer, Session } from '../core/envelope.ts'
import type { Names } from '../core/events/foreign.ts'
import type { Key } from '../core/keys.ts'
import type { RetryBudget } from '../core/retry.ts'
import type { Tally } from '../core/tally.ts'
import type { Workload } from '../workloads.ts'

/** A control connection. */
export interface Connection {
  /** @returns when it was sent, on the clock of the machine; undefined when the connection is not open */
  send(frame: string): number | undefined
  /** Sends a close frame with this code, 1000 if none is given, and lets go; `closed` follows. */
  close(code?: number): void
}

/** Who listens on a connection. */
export interface Listener {
  opened(at: number): void
  /** @param at when the frame came to the socket, on the clock of the machine */
  heard(frame: unknown, at: number): void
  /** Once: closed by either side, or never opened. */
  closed(end: ConnectionEnd): void
}

export interface ConnectionEnd {
  readonly at: number
  /** Whether it had opened before. */
  readonly opened: boolean
  /** Of the close frame that came; undefined when none did. */
  readonly code: number | undefined
}

/** Why an upgrade was refused: k6 tells neither status nor body, so it has to be asked for. */
export interface UpgradeRefusal {
  readonly status: number
  readonly code: string
  readonly retryAfter: string | undefined
  readonly date: string | undefined
}

export interface RestRequest {
  /** Row of `schemas/operations.json`, such as `create-avatar-session`. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** Sent as JSON. */
  readonly body?: object
  /** Sent as `multipart/form-data` instead. */
  readonly file?: { readonly field: string; readonly name: string; readonly type: string; readonly bytes: ArrayBuffer }
  /** Name of another key than the iteration's own. */
  readonly key?: string
  /** When it is given up, if not after the patience of the workload. */
  readonly timeout_ms?: number
}

/** What one iteration needs of the machine that it runs on. Nothing here blocks: sockets are heard while requests run. */
export interface Machine<Count extends string = never, Time extends string = never> {
  /** Names the iteration, within the run and beyond: for idempotency keys and event ids. */
  readonly name: string
  /** Begins the names of all iterations of the run. */
  readonly run: string
  readonly workload: Workload
  /** The key that this iteration spends from; its value stays in the machine. */
  readonly key: Key
  readonly keys: readonly Key[]
  readonly tally: Tally<Count | CommonCount, Time | CommonTime>
  /** When the schedule wanted this iteration to begin, on the clock of the machine. */
  readonly intended: number
  /** What this user may spend on retries, over all of its iterations. */
  readonly retries: RetryBudget
  /** Milliseconds since 1970, with fractions; all moments are on this clock. */
  now(): number
  /** @returns how to call it off */
  later(ms: number, task: () => void): () => void
  wait(ms: number): Promise<void>
  /** From 0 to 1; the same sequence for the same iteration of the same run, whichever process it is in. */
  random(): number
  /** Sends once and counts: no retry. Never rejects. */
  request(request: RestRequest): Promise<RestAnswer>
  /** @returns undefined when load must not go to the session's control URL */
  connect(session: Session, listener: Listener): Connection | undefined
  /** Asks why an upgrade was refused, by an upgrade that is not meant to last, which costs one; undefined where it is let in. */
  explainRefusal(session: Session): Promise<UpgradeRefusal | undefined>
  /** Hands all numbers over now: what k6 breaks off is missed then. The engine does it at the end in any case. */
  flush(): void
}

/** What one control channel needs of it. */
export type ChannelMachine = Pick<Machine, 'workload' | 'tally' | 'now' | 'later' | 'connect'>

/** What the event ids of an iteration begin with. */
export const namesOf = ({ name, run }: Pick<Machine, 'name' | 'run'>): Names => ({ own: `${name}-`, run: `${run}-` })
