import type { OperationId } from '#spec/tables'
import { at, isObject, type Json, textAt } from '#trace/json'

/** A timer that runs for so long, in seconds, ends no session while one scenario goes on. */
const long_s = 60

/** What sessions may have been ended by that one scenario made: which have a timer that is short. */
export interface Timers {
  answered(
    operation: OperationId,
    body: Json | undefined,
    data: Json | undefined,
    character_id: string | undefined,
  ): void
  /** Whether no timer of its own can have ended the session. */
  none(session: string): boolean
}

export function createTimers(): Timers {
  /** By character that was saved here: the shortest of all its timers. */
  const saved = new Map<string, number>()
  const lasting = new Set<string>()
  const note = (session: string | undefined, shortest: number): void => {
    if (session !== undefined && shortest >= long_s) lasting.add(session)
  }
  return {
    answered: (operation, body, data, character_id) => {
      const made = textAt(data, '/session_id')
      const shortest = shortestIn(body)
      if (operation === 'create-avatar-session' || operation === 'create-world-session') note(made, shortest)
      if (operation === 'create-session-from-character') {
        // Timers that somebody else saved are not known.
        note(made, Math.min(shortest, saved.get(textAt(body, '/character_id') ?? '') ?? 0))
      }
      if (operation !== 'create-character' && operation !== 'replace-character') return
      const character = character_id ?? textAt(data, '/character_id')
      if (character !== undefined) saved.set(character, Math.min(shortest, saved.get(character) ?? Infinity))
    },
    none: (session) => lasting.has(session),
  }
}

/** Seconds of the shortest timer that a body sets (4.1, 4.5); zero switches one off. */
function shortestIn(body: Json | undefined): number {
  const policy = at(body, '/auto_close')
  const durations = ['/max_duration_seconds', '/max_session_duration_seconds'].map((place) => at(body, place))
  const set = [...durations, ...(isObject(policy) ? Object.values(policy) : [policy])]
  const seconds = set.flatMap((one) => (one === undefined || one === null || one === 0 ? [] : [Number(one)]))
  return Math.min(Infinity, ...seconds.map((one) => (Number.isNaN(one) ? 0 : one)))
}
