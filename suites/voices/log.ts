import { workspaceOf } from '#spec/profile'
import { answerOf } from '#judge/answers'
import type { Answer } from '#judge/answer'
import { exchangesOf } from '#judge/operations'
import type { ExchangeRecord, TraceIndex } from '#judge/trace-index'
import { at, isObject, type Json, type JsonObject } from '#trace/json'

/** One request about voices, and what came of it. */
export interface Talk {
  readonly record: ExchangeRecord
  readonly answer: Answer
  /** Line of its (last) request. */
  readonly sent: number
  /** Keys of one workspace have one name. */
  readonly workspace: string
}

export interface Success extends Talk {
  readonly answer: Extract<Answer, { kind: 'success' }>
}

/** All requests of an operation, in order. */
export function talks(trace: TraceIndex, operation: string): readonly Talk[] {
  return exchangesOf(trace, operation).map((record) => ({
    record,
    answer: answerOf(record),
    sent: record.attempts.at(-1)?.request.line ?? 0,
    workspace: workspaceOf(record.key),
  }))
}

export function isSuccess(talk: Talk): talk is Success {
  return talk.answer.kind === 'success'
}

/** A voice that was cloned in this run, as its clone answered. */
export interface ClonedVoice {
  readonly talk: Success
  readonly id: string
  readonly name: Json | undefined
  readonly language: Json | undefined
}

export function clonedVoices(trace: TraceIndex): readonly ClonedVoice[] {
  return talks(trace, 'clone-voice')
    .filter(isSuccess)
    .flatMap((talk) => {
      const id = at(talk.answer.data, '/voice_id')
      if (typeof id !== 'string' || id === '') return []
      return [{ talk, id, name: at(talk.answer.data, '/name'), language: at(talk.answer.data, '/language') }]
    })
}

/** The voices that a list shows. */
export function shownBy(list: Success): readonly JsonObject[] {
  const voices = at(list.answer.data, '/voices')
  return Array.isArray(voices) ? (voices as readonly Json[]).filter(isObject) : []
}

/** What was sent to Clone Voice. */
export function bodyOf({ record }: Talk): Json | undefined {
  return record.attempts.at(-1)?.request.entry.body
}
