import type { Session } from '../sessions/session.ts'
import type { JsonObject } from '../wire.ts'

/** Speech of a simulated user. */
export interface UserSpeech {
  /** Milliseconds after the first connection. */
  afterMs: number
  transcript: string
  /** Whether its transcription fails. */
  fails: boolean
  /** Whether it is transcribed unasked. */
  unasked?: boolean
}

/** Things that only some services do: openings and, since RTC audio reaches no simulated one, simulated user speech. */
export const extras = () => ({
  /** `session.bootstrap.opening.done`; `undefined` = this service has no opening. */
  opening: undefined as { status: string; reason: string | undefined } | undefined,
  /** "may be replayed to a new control connection" */
  replaysOpening: true,
  /** An opening that the avatar speaks so long after the first connection, unless a response was asked for by then. */
  spokenOpening: undefined as { afterMs: number; text: string } | undefined,
  openingMs: 10,
  /** Events that a fresh connection gets unasked, `event_id` aside. */
  greeting: (_session: Session): JsonObject[] => [],
  /** What the simulated user says this long after the first connection; `undefined` = nothing. */
  userSpeech: undefined as UserSpeech | undefined,
})
