import type { Entry, FrameSentEntry, RequestEntry, WaitEntry } from '#trace/entry'
import { at, type Json } from '#trace/json'

/** A text shorter than this is another one this time only where it stands alone. */
export const shortestWithin = 8

/** A text as it stands in a path or query; one that is no Unicode stands in none. */
export function inUrl(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : text
}

/** Events of which there are as many as pieces of a text, which is free: nobody waits for each of them. */
export const inPieces = 'response.output_text.delta'

/** Bytes of a binary frame, whose text in a trace is `(binary, 4 bytes)`; undefined for every other frame. */
export function binaryBytes({ text }: FrameSentEntry): number | undefined {
  const bytes = /^\(binary, (\d+) bytes\)$/.exec(text ?? '')?.[1]
  return bytes === undefined ? undefined : Number(bytes)
}

/** Whether a session is asked for how it is: as often as it takes until nothing of it is under way. */
export function asksHowItIs({ operation }: RequestEntry): boolean {
  return operation === 'get-avatar-session' || operation === 'get-world-session'
}

export function isUnderWay(body: Json | undefined): boolean {
  const status = at(body, '/data/status')
  return status === 'closing' || status === 'provisioning'
}

/** Milliseconds within which a wait ends after what it waited for. */
const atOnce = 30

/** Whether a wait for events ended since one came: that is waited for by itself. @param place of the wait */
export function endedByEvent(steps: readonly Entry[], place: number, { why, t }: WaitEntry): boolean {
  const before = steps.slice(0, place).findLast((one) => one.kind === 'frame-received')
  return why === 'event' && before !== undefined && t - before.t < atOnce
}
