import { answerOf } from '#judge/answers'
import type { Answer } from '#judge/answer'
import { exchangesOf } from '#judge/operations'
import type { TraceIndex } from '#judge/trace-index'
import { at, isObject, type Json, type JsonObject } from '#trace/json'

/** An upload of a form, and what came of it. */
export interface Upload {
  readonly parts: readonly JsonObject[]
  /** The part in field `file`, where there is exactly one. */
  readonly file: JsonObject | undefined
  readonly key: string
  readonly answer: Answer
  readonly scenario: string | undefined
}

/** All uploads that sent a form, in the order in which they were sent. */
export function uploadsOf(trace: TraceIndex): readonly Upload[] {
  return exchangesOf(trace, 'upload-audio').flatMap((record) => {
    const parts = at(record.attempts.at(-1)?.request.entry.body, '/multipart')
    if (!Array.isArray(parts)) return []
    const fields = (parts as readonly Json[]).filter(isObject)
    const files = fields.filter((part) => part['name'] === 'file')
    const { key, scenario } = record
    return [{ parts: fields, file: files.length === 1 ? files[0] : undefined, key, answer: answerOf(record), scenario }]
  })
}

/** An upload that was taken. */
export interface TakenUpload extends Upload {
  readonly answer: Extract<Answer, { kind: 'success' }>
}

export function isTaken(upload: Upload): upload is TakenUpload {
  return upload.answer.kind === 'success'
}
