import type { Frame } from '#client/types'
import type { Pattern } from '#trace/claim'
import type { JsonObject } from '#trace/json'
import { matches } from '#trace/match'
import { failureOver } from './error-about.ts'
import type { Talk } from './talk.ts'

/**
 * "A client or server processing step fails" (6.2): where the service itself failed over an event whose effect what follows
 * is about, the event is sent once more. Nothing is claimed of that.
 *
 * @param since how many frames had come when the event was sent
 * @returns what answered the repetition, if there was one
 */
export async function sayAgainIfFailed(
  talk: Talk,
  message: JsonObject,
  match: Pattern,
  since: number,
): Promise<Frame | undefined> {
  return hasFailedOver(talk, message, since) ? sayAgain(talk, message, match) : undefined
}

/** Whether the service itself failed over an event since then, as it seems. */
export function hasFailedOver(talk: Talk, { event_id }: JsonObject, since: number): boolean {
  return hasHeard(talk, failureOver(typeof event_id === 'string' ? event_id : ''), since)
}

/** Whether an event that fits has come since so many frames had. */
export function hasHeard({ channel }: Talk, match: Pattern, since: number): boolean {
  return channel.frames.slice(since).some(({ data }) => matches(data, match))
}

/** Sends an event once more, under an id of its own, and waits for what answers it. */
export function sayAgain(talk: Talk, message: JsonObject, match: Pattern): Promise<Frame | undefined> {
  const frame = talk.send({ ...message, event_id: talk.context.id('again') })
  return talk.hear(match, frame, 'again')
}
