import { answerOf } from '#judge/answers'
import type { Breach, Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { at, isObject, type Json, type JsonObject } from '#trace/json'
import { avatarEchoes, type Echo, headEchoes, outputEchoes, plainEchoes } from './echo-table.ts'
import { avatarsOf, effectiveOf } from './model.ts'
import { type Creation, plainCreations } from './creations.ts'

const idsRow: RequirementId = 'avatar-sessions.avatars.ids-echoed'
const returnedRow: RequirementId = 'avatar-sessions.assets.returned'

/** What was sent comes back (2.1): on every accepted create, whichever scenario sent it. */
export const sessionEcho: Rule = {
  id: 'avatar-sessions.session-echo',
  proves: [idsRow, returnedRow],
  judge(trace, report) {
    for (const creation of plainCreations(trace)) {
      for (const one of echoesOf(creation, isVideo(creation))) tell(one, creation, report)
      judgeIds(creation, report)
      judgeReturned(creation, report)
    }
    for (const [row, place] of optional) judgeLacking(trace, row, place, report)
  },
}

/** Settings that a model may lack, so that no create with them is accepted. */
const optional: readonly (readonly [RequirementId, string])[] = [
  ['avatar-sessions.conversation.transcription-language-echoed', '/conversation/input_audio_transcription/language'],
]

function judgeLacking(trace: TraceIndex, row: RequirementId, place: string, report: Report): void {
  if (plainCreations(trace).some(({ body }) => at(body, place) !== undefined)) return
  for (const record of trace.exchanges.values()) {
    const answer = answerOf(record)
    const body = record.attempts.at(-1)?.request.entry.body
    if (record.operation !== 'create-avatar-session' || answer.kind !== 'failure' || answer.code !== 30004) continue
    if (at(body, place) !== undefined) report.unobserved(row, 'model_choice', 'the model lacks it', answer.line)
  }
}

/** Places of an answer that differ from what was sent: their shape is no second fault. */
export function echoFaults(creation: Creation): readonly string[] {
  return echoesOf(creation, true).flatMap(({ holds, place }) => (holds ? [] : [place]))
}

function isVideo({ body, data }: Creation): boolean {
  return effectiveOf(body).mode.value === 'video_avatar' && at(data, '/session/mode') === 'video_avatar'
}

function echoesOf({ body, data }: Creation, inVideo: boolean): readonly Echo[] {
  return [
    ...headEchoes(body, data),
    ...plainEchoes(body, data),
    ...avatarEchoes(body, data, inVideo),
    ...(inVideo ? outputEchoes(body, data) : []),
  ]
}

function tell({ row, place, sent, shown, holds }: Echo, { lines, line, record }: Creation, report: Report): void {
  if (holds) {
    report.held(row, line)
    return
  }
  const expected = `${place} as it was sent: ${show(sent)}`
  report.broken(row, { expected, got: show(shown), lines, scenario: record.scenario })
}

/** "The returned avatars are those that were sent", in whatever order. */
function judgeIds({ body, data, lines, line, record }: Creation, report: Report): void {
  const shown = data['avatars']
  if (!Array.isArray(shown) || shown.length === 0) return
  const [wanted, got] = [idsOf(body), idsOf(data)]
  if (JSON.stringify(wanted) === JSON.stringify(got)) report.held(idsRow, line)
  else report.broken(idsRow, breach(`avatars ${show(wanted)}`, show(got), { lines, scenario: record.scenario }))
}

function idsOf(data: JsonObject): readonly Json[] {
  return avatarsOf(data)
    .map((avatar) => at(avatar, '/avatar_id') ?? null)
    .toSorted((one, other) => (show(one) < show(other) ? -1 : 1))
}

/** `assets` is an optional field, so that its absence is no more than a warning. */
function judgeReturned({ body, data, lines, line, record }: Creation, report: Report): void {
  const sent = body['assets']
  if (!isObject(sent) || !Object.values(sent).some((list) => Array.isArray(list) && list.length > 0)) return
  if (isObject(data['assets'])) report.held(returnedRow, line)
  else if (data['assets'] === undefined) {
    report.broken(returnedRow, breach('the assets that were sent', 'no assets', { lines, scenario: record.scenario }))
  }
}

function breach(expected: string, got: string, where: Pick<Breach, 'lines' | 'scenario'>): Breach {
  return { expected, got, ...where }
}
