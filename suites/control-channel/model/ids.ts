import { readOnce } from '#judge/read-once'
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
  return connections.some((connection) => {
    const { long, other, texts } = sentOddly(connection)
    return other.has(id) || long.some((given) => given.startsWith(id)) || texts.some((text) => text.includes(id))
  })
}

/** The odd ids and texts that we sent: looked for once, since a flood asks for each of its frames. */
const sentOddly = readOnce(({ sent, record }: Connection) => {
  const ids = sent.map(({ event }) => event['event_id'])
  const others = ids.filter((id) => id !== undefined && typeof id !== 'string')
  const texts = ids.filter((id) => typeof id === 'string')
  return {
    long: texts.filter((id) => id.length > longest),
    /** As JSON. */
    other: new Set(others.map((id) => JSON.stringify(id))),
    texts: record.frames.flatMap(({ direction, text }) => (direction === 'sent' && text !== undefined ? [text] : [])),
  }
})
