import { answerOf } from '#judge/answers'
import { createsAvatarSession } from '#judge/operations'
import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import { isRecording } from '#judge/recordings'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { at, isObject, type Json, type JsonObject, listAt, stringAt } from '#trace/json'
import { equal } from '#trace/match'
import { namesSession } from '../created/session-parameter.ts'

const row: RequirementId = 'avatar-sessions.idempotency.retry-shows-same'
const ownUrl: RequirementId = 'avatar-sessions.control.url-session-id-value'

/** What a session has for as long as it lasts (2.1). URLs may be written otherwise each time, and tokens be fresh. */
const lasting = [
  '/model',
  '/region',
  '/auto_close/disconnected_timeout_seconds',
  '/auto_close/interaction_idle_timeout_seconds',
  '/output/aspect_ratio',
  '/output/resolution',
  '/output/fps',
  '/conversation/instructions',
  '/conversation/tools',
  '/conversation/response_defaults/temperature',
  '/conversation/response_defaults/max_output_tokens',
  '/conversation/turn_detection/type',
  '/conversation/input_audio_transcription/enabled',
  '/conversation/input_audio_transcription/language',
] as const

/** What events on the control channel change. */
const mutable = [
  '/session/mode',
  '/session/active_avatar_id',
  '/session/source_image_id',
  '/delivery/media/transport',
] as const

interface Answered {
  readonly session: string
  readonly data: JsonObject
  /** Lines of the request and of the answer. */
  readonly lines: readonly [number, number]
  readonly scenario: string | undefined
}

/** A create repeated with its key and its body tells of the same session (4.1): what it shows of it is what the first showed. */
export const shownAgain: Rule = {
  id: 'avatar-sessions.shown-again',
  proves: [row, ownUrl],
  judge(trace, report) {
    const changed = changedFrom(trace)
    // A recording may not show the connection on which a session was changed.
    const recorded = isRecording(trace)
    for (const [first, ...later] of repeated(trace)) {
      if (first === undefined) continue
      for (const again of later) {
        const isChanged = recorded || (changed.get(again.session) ?? Number.POSITIVE_INFINITY) < again.lines[1]
        if (again.session === first.session) judge(first, again, isChanged, report)
      }
    }
  },
}

function judge(first: Answered, again: Answered, isChanged: boolean, report: Report): void {
  const places = isChanged ? lasting : [...lasting, ...mutable]
  const other = places.find((place) => differ(at(first.data, place), at(again.data, place)))
  const lines = [...first.lines, ...again.lines]
  const tell = (place: string, before: Json | undefined, now: Json | undefined): void =>
    report.broken(row, { expected: `${place} ${show(before)} again`, got: show(now), lines, scenario: again.scenario })
  const [ids, idsNow] = [idsOf(first.data), idsOf(again.data)]
  if (other !== undefined) tell(other, at(first.data, other), at(again.data, other))
  else if (!isChanged && ids.length > 0 && idsNow.length > 0 && !equal(ids, idsNow)) tell('avatars', ids, idsNow)
  else report.held(row, ...lines)
  const url = URL.parse(stringAt(again.data, '/control/url') ?? '')
  const id = url?.searchParams.get('session_id')
  if (url === null || typeof id !== 'string' || id === '' || namesSession(url, again.session)) return
  report.broken(ownUrl, { expected: again.session, got: id, lines: again.lines, scenario: again.scenario })
}

/** An empty region is none (2.1), and what is left out or null says nothing. */
function differ(before: Json | undefined, now: Json | undefined): boolean {
  const isNone = (one: Json | undefined): boolean => one === undefined || one === null || one === ''
  return !isNone(before) && !isNone(now) && !equal(before ?? null, now ?? null)
}

function idsOf(data: JsonObject): readonly string[] {
  return listAt(data, '/avatars')
    .flatMap((avatar) => stringAt(avatar, '/avatar_id') ?? [])
    .toSorted()
}

/** Answers of creates by one API key, with one idempotency key and one body, in their order. */
function repeated(trace: TraceIndex): Iterable<readonly Answered[]> {
  const groups = new Map<string, Answered[]>()
  for (const record of trace.exchanges.values()) {
    const attempt = record.attempts.at(-1)
    const [body, answer] = [attempt?.request.entry.body, answerOf(record)]
    if (!createsAvatarSession(record.operation) || answer.kind !== 'success' || !isObject(answer.data)) continue
    const session = stringAt(answer.data, '/session_id') ?? ''
    if (attempt === undefined || session === '' || (stringAt(body, '/idempotency_key') ?? '') === '') continue
    const name = JSON.stringify([record.key, record.operation, body])
    const lines = [attempt.request.line, answer.line] as const
    const answered = { session, data: answer.data, lines, scenario: record.scenario }
    groups.set(name, [...(groups.get(name) ?? []), answered])
  }
  const inOrder = (one: Answered, other: Answered): number => one.lines[1] - other.lines[1]
  return [...groups.values()].map((group) => group.toSorted(inOrder))
}

/** The line at which something was first sent that changes what a session shows. */
function changedFrom(trace: TraceIndex): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  for (const { session, frames } of trace.channels.values()) {
    const first = frames.find(
      ({ direction, type }) => direction === 'sent' && (type === 'session.update' || type === 'avatar.add'),
    )
    if (first !== undefined) lines.set(session, Math.min(first.line, lines.get(session) ?? first.line))
  }
  return lines
}
