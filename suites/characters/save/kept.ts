import { readOnce } from '#judge/read-once'
import type { TraceIndex } from '#judge/trace-index'
import { workspaceOf } from '#spec/profile'
import { at, isObject, type Json, type JsonObject } from '#trace/json'
import { shows } from '../echo.ts'
import { recordsIn } from './defaults.ts'

/**
 * 4.2: "`conversation` holds `tools`, `turn_detection`, `input_audio_transcription`". What 2.5 names beside them a service
 * may keep or lose; whoever keeps it once keeps it always. Two workspaces may lie on two deployments (9.4), each of which
 * has its own way.
 */
export const optionalPlaces = ['/conversation/instructions', '/conversation/response_defaults'] as const

/** What a record was saved with, and what is shown of it or of a session from it. */
export interface Shown {
  readonly key: string
  readonly body: JsonObject
  readonly data: JsonObject
}

/** Every answer of this run that shows a character whose configuration is certain. */
const recordsOf = readOnce((trace: TraceIndex): readonly Shown[] =>
  recordsIn(trace).map(({ save, data, call: { key } }) => ({ key, body: save.body, data })),
)

interface Place {
  readonly key: string
  readonly place: string
  readonly shown: Json | undefined
}

/** Whether what is shown at a place that may be lost is lost, and not wrong. */
export function isLost(trace: TraceIndex, { key: own, place, shown }: Place, sessions: readonly Shown[]): boolean {
  if (!optionalPlaces.some((one) => one === place)) return false
  const isHere = ({ key }: Shown): boolean => workspaceOf(key) === workspaceOf(own)
  const records = recordsOf(trace).filter(isHere)
  const keeps = ({ body, data }: Shown): boolean => {
    const saved = at(body, place)
    return saved !== undefined && !isEmpty(saved) && shows(at(data, place), saved)
  }
  if (records.some(keeps) || sessions.filter(isHere).some(keeps)) return false
  return isEmpty(shown) || byDefault(records, place).some((one) => shows(shown, one))
}

/** What is shown there of records that were saved without. */
function byDefault(records: readonly Shown[], place: string): readonly Json[] {
  return records.flatMap(({ body, data }) => {
    const shown = at(data, place)
    return at(body, place) === undefined && shown !== undefined ? [shown] : []
  })
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  return isObject(value) && Object.keys(value).length === 0
}
