import { isRecording } from '#judge/recordings'
import type { TraceIndex } from '#judge/trace-index'
import type { Connection, SentEvent } from './sessions.ts'

/** Longest `event_id` (section 8). */
const longest = 512

/** In a recording, a shorter id may be that of a client that counts: what the service makes may be the same by chance. */
const shortestUnique = 16

/** Whether nobody else makes this id of a client by chance: those of a run are its own. */
export function isOneOfAKind(trace: TraceIndex, id: string): boolean {
  return !isRecording(trace) || id.length >= shortestUnique
}

/** An event may be refused for its id alone, whatever else stands in it. */
export function hasLongId({ id = '' }: Pick<SentEvent, 'id'>): boolean {
  return id.length > longest
}

/** An id that was too long, or no string, or in a text that was no JSON, may come back in another form. */
export function mayBeOurs(id: string, connections: readonly Connection[]): boolean {
  return connections.some(({ sent, record }) => {
    const odd = sent.some(({ event }) => {
      const given = event['event_id']
      if (typeof given === 'string') return given.length > longest && given.startsWith(id)
      return given !== undefined && JSON.stringify(given) === id
    })
    return odd || record.frames.some(({ direction, text }) => direction === 'sent' && text?.includes(id) === true)
  })
}
