import type { Account } from './accounts/accounts.ts'
import type { AudioFiles } from './voices/audio-files.ts'
import type { Characters } from './characters/characters.ts'
import type { Memory } from './memory.ts'
import { parsed } from './shapes/pipeline-shape.ts'
import { Reader } from './reader.ts'
import { Refusal } from './refusal.ts'
import type { SessionBook } from './avatar-sessions/session-book.ts'
import type { Choices } from './choices.ts'
import type { Timers } from './timers.ts'
import type { Voices } from './voices/voices.ts'
import type { Worlds } from './worlds/worlds.ts'

/** One REST call of somebody whose key is good. */
export interface Call {
  readonly account: Account
  /** What stands in the path where an id belongs. */
  readonly id: string
  readonly query: URLSearchParams
  readonly body: Buffer
  readonly contentType: string
}

/** All that the operations work on. */
export interface Service {
  readonly choices: Choices
  readonly timers: Timers
  /** Host and port. */
  readonly host: string
  readonly memory: Memory
  readonly sessions: SessionBook
  readonly characters: Characters
  readonly files: AudioFiles
  readonly voices: Voices
  readonly worlds: Worlds
}

/** An operation: what its `data` is. */
export type Operation = (call: Call, service: Service) => unknown

/** The body as a JSON object. @param code what everything that is wrong with it is told by */
export function bodyOf(call: Call, code: number): Reader {
  return new Reader(parsed(call.body.toString('utf8')), 'body', (message) => new Refusal(code, message))
}

/** The body, where none may be there. */
export function maybeBodyOf(call: Call, code: number): Reader {
  const complain = (message: string): Refusal => new Refusal(code, message)
  return call.body.length === 0 ? new Reader({}, 'body', complain) : bodyOf(call, code)
}
