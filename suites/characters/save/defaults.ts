import { readOnce } from '#judge/read-once'
import type { TraceIndex } from '#judge/trace-index'
import { at, type Json, type JsonObject } from '#trace/json'
import { equal } from '#trace/match'
import { type Call, callsOf, dataOf, lifeIn, livesOf, type Save, stateAt } from '../history.ts'

/** What was saved, and what is shown of it or of a session from it. */
export interface ShownSave {
  readonly save: Save
  readonly data: JsonObject
}

/** Every answer to a save whose configuration is certain. */
export function shownSaves(trace: TraceIndex): readonly ShownSave[] {
  return [...livesOf(trace).values()].flatMap(({ changes }) =>
    changes.flatMap(({ effect }) => (typeof effect === 'object' ? [{ save: effect, data: effect.data }] : [])),
  )
}

/** An answer that shows a character whose configuration is certain. */
export interface ShownRecord extends ShownSave {
  readonly call: Call
}

/** Every answer to a save, and every Get, that shows such a character. */
export const recordsIn = readOnce((trace: TraceIndex): readonly ShownRecord[] => {
  const saves = shownSaves(trace).map((one) => ({ ...one, call: one.save }))
  const gets = callsOf(trace, 'get-character').flatMap((call): readonly ShownRecord[] => {
    const life = lifeIn(trace, call.record)
    const [save, data] = [life && stateAt(life, call.from, call.until), dataOf(call.record)]
    return typeof save === 'object' && data !== undefined ? [{ save, data, call }] : []
  })
  return [...saves, ...gets]
})

/** What nobody named is whatever a service takes for granted (2.5), which may be what was saved before. */
const untold: readonly string[] = [
  '/conversation/input_audio_transcription/language',
  '/conversation/turn_detection/silence_duration_ms',
]

/**
 * Whether what stands at a place may be there by default ("as a default"), and not be left of what stood there before: it
 * is shown as well where nothing ever stood there, or nobody can tell what is shown then.
 */
export function mayBeByDefault(shown: readonly ShownSave[], place: string, old: Json): boolean {
  if (!place.startsWith('/')) return false
  const defaults = shown.flatMap(({ save, data }) => (neverHad(save, place) ? [at(data, place) ?? null] : []))
  return defaults.length === 0 ? untold.includes(place) : defaults.some((one) => equal(one, old))
}

function neverHad({ body, by, before }: Save, place: string): boolean {
  if (at(body, place) !== undefined) return false
  return by === 'create' || (before !== undefined && neverHad(before, place))
}
