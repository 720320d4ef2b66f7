import type { Report, Rule } from '#judge/rule'
import { readOnce } from '#judge/read-once'
import { show } from '#judge/show'
import { isRecording } from '#judge/recordings'
import type { TraceIndex } from '#judge/trace-index'
import { workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { at, type Json, type JsonObject, stringAt } from '#trace/json'
import { sameWords } from '#trace/same-words'
import { equal } from '#trace/match'
import { type Echo, type EchoRows, echo, echoes } from '../echo.ts'
import {
  areBeside,
  bodyOf,
  type Call,
  callsOf,
  dataOf,
  type Life,
  lifeIn,
  livesOf,
  type Save,
  stateAt,
} from '../history.ts'
import { isLost } from './kept.ts'
import { startsOf } from '../session/model.ts'

const part = 'characters.configuration'
const nameRow: RequirementId = 'characters.character.name-echoed'
const replacedName: RequirementId = 'characters.replace.name-replaced'
const written: RequirementId = 'characters.replace.returns-written'
const stored: RequirementId = 'characters.replace.stored'
const returned: RequirementId = 'characters.create.returned-by-get'
const unchanged: RequirementId = 'characters.replace.refused-changes-nothing'
const unmoved: RequirementId = 'characters.session.body-leaves-character'
const zero: RequirementId = `${part}.timeout-zero-echoed`

const timeouts = [
  [`${part}.disconnected-timeout-echoed`, '/auto_close/disconnected_timeout_seconds'],
  [`${part}.idle-timeout-echoed`, '/auto_close/interaction_idle_timeout_seconds'],
] as const

const rows: EchoRows = {
  plain: [
    [`${part}.model-echoed`, '/model'],
    [`${part}.mode-echoed`, '/session/mode'],
    [`${part}.active-avatar-id-echoed`, '/session/active_avatar_id'],
    [`${part}.tts-echoed`, '/pipeline_config/tts_config'],
    [`${part}.pipeline-echoed`, '/pipeline_config/tag_audio_enabled'],
    [`${part}.pipeline-echoed`, '/pipeline_config/llm_config'],
    [`${part}.pipeline-echoed`, '/pipeline_config/asr_config'],
    // "A numeric string" (2.6), also where it stands inside of another object.
    [`${part}.pipeline-echoed`, '/pipeline_config/asr_config/eou_timeout_ms'],
    [`${part}.pipeline-echoed`, '/pipeline_config/motion_enhanced'],
    [`${part}.pipeline-echoed`, '/pipeline_config/motion_planner'],
    [`${part}.conversation-instructions-echoed`, '/conversation/instructions'],
    [`${part}.tools-echoed`, '/conversation/tools'],
    [`${part}.response-defaults-echoed`, '/conversation/response_defaults'],
    [`${part}.turn-detection-echoed`, '/conversation/turn_detection'],
    [`${part}.transcription-echoed`, '/conversation/input_audio_transcription'],
    [`${part}.max-duration-echoed`, '/max_duration_seconds'],
  ],
  video: [
    [`${part}.source-image-id-echoed`, '/session/source_image_id'],
    [`${part}.aspect-ratio-echoed`, '/output/aspect_ratio'],
    [`${part}.resolution-echoed`, '/output/resolution'],
  ],
  avatars: `${part}.avatars-echoed`,
  instructions: `${part}.avatar-instructions-echoed`,
  images: `${part}.source-images-echoed`,
  once: `${part}.source-images-once`,
  url: `${part}.source-image-url-kept-or-rehosted`,
  visual: `${part}.visual-echoed`,
}

/** The saved configuration comes back beside the metadata (2.7): from create, from replace and from get. */
export const savedConfiguration: Rule = {
  id: 'characters.saved-configuration',
  proves: [
    nameRow,
    replacedName,
    written,
    stored,
    returned,
    unchanged,
    unmoved,
    zero,
    ...timeouts.map(([row]) => row),
    ...[...rows.plain, ...rows.video].map(([row]) => row),
    rows.avatars,
    rows.instructions,
    rows.images,
    ...[rows.once, rows.url, rows.visual].filter((row) => row !== undefined),
  ],
  judge(trace, report) {
    for (const life of livesOf(trace).values()) {
      for (const { effect } of life.changes) {
        if (typeof effect === 'object' && !showsAnother(trace, life, effect)) judgeSave(trace, effect, report)
      }
    }
    for (const call of callsOf(trace, 'get-character')) {
      const life = lifeIn(trace, call.record)
      const [state, data] = [life && stateAt(life, call.from, call.until), dataOf(call.record)]
      if (life !== undefined && typeof state === 'object' && data !== undefined) {
        judgeGet(trace, { state, data, call, row: rowOf(life, state, call) }, report)
      }
    }
  },
}

/** A replace may answer with what is read after it: another one that ran beside it may have come in between. */
function showsAnother(trace: TraceIndex, { changes }: Life, save: Save): boolean {
  return changes.some(
    ({ effect }) =>
      typeof effect === 'object' &&
      effect !== save &&
      areBeside(effect, save) &&
      comparisons(trace, effect.body, save.data).every(({ holds }) => holds),
  )
}

function judgeSave(trace: TraceIndex, save: Save, report: Report): void {
  const all = comparisons(trace, save.body, save.data)
  const found = all.filter((one) => !isLostHere(trace, save, one))
  for (const { row, place } of all.filter((one) => !found.includes(one))) {
    report.unobserved(row, 'model_choice', `${place} is nothing that characters keep here`, save.until)
  }
  if (save.by === 'create') {
    for (const one of found) tell(one.row, one, save, report)
    return
  }
  tellAll(written, found, save, report)
}

/** What nobody shows to be kept, neither a character nor a session from one. */
function isLostHere(trace: TraceIndex, { key }: Call, { place, shown, holds }: Echo): boolean {
  if (holds) return false
  const sessions = startsOf(trace).map((start) => ({ key: start.key, body: start.save.body, data: start.data }))
  return isLost(trace, { key, place, shown }, sessions)
}

interface Visit {
  readonly state: Save
  readonly data: JsonObject
  readonly call: Call
  /** The row that what is shown speaks about. */
  readonly row: RequirementId
}

/** What the save did not show either has been told already. */
function judgeGet(trace: TraceIndex, { state, data, call, row }: Visit, report: Report): void {
  const lost = new Set(comparisons(trace, state.body, state.data).flatMap(({ place, holds }) => (holds ? [] : [place])))
  const found = comparisons(trace, state.body, data).filter((one) => !isLostHere(trace, call, one))
  judgeMoved(trace, { state, call, found }, report)
  const told = row === stored ? found : found.filter(({ place }) => !lost.has(place))
  tellAll(row, told, call, report)
}

/** What starts sent, by the character that they named. */
const askedFor = readOnce((trace: TraceIndex) => {
  const starts = callsOf(trace, 'create-session-from-character').flatMap(({ record, key, from, until }) => {
    const body = bodyOf(record)
    return body === undefined ? [] : [{ body, key, from, until }]
  })
  return Map.groupBy(starts, ({ body }) => stringAt(body, '/character_id'))
})

/** What starts sent since the save is in force for their sessions alone. */
function judgeMoved(
  trace: TraceIndex,
  { state, call, found }: Pick<Visit, 'state' | 'call'> & { readonly found: readonly Echo[] },
  report: Report,
): void {
  const sent = (askedFor(trace).get(state.id) ?? []).flatMap(({ body, key, from, until }) =>
    workspaceOf(key) === workspaceOf(call.key) && from > state.until && until < call.from ? [body] : [],
  )
  const over = found.filter(({ place }) => sent.some((body) => at(body, place) !== undefined))
  const moved = over.filter(
    ({ place, shown, holds }) => !holds && sent.some((body) => equal(at(body, place) ?? null, shown ?? null)),
  )
  if (over.length > 0 && moved.length === 0) report.held(unmoved, call.until)
  for (const one of moved) tell(unmoved, one, call, report)
}

/** A refused replace must have changed nothing; otherwise what is shown is what was written. */
function rowOf(life: Life, state: Save, call: Call): RequirementId {
  const refused = life.changes.some(
    ({ effect, record, from }) =>
      effect === 'none' && record.operation === 'replace-character' && from > state.until && from < call.from,
  )
  if (refused) return unchanged
  return state.by === 'replace' ? stored : returned
}

function comparisons(trace: TraceIndex, body: JsonObject, data: JsonObject): readonly Echo[] {
  // What `check` saves is tidy; what a client of a recording saves a service may tidy up.
  const tidied = isRecording(trace) && sameWords(body['name'], data['name'])
  return [
    ...echo(nameRow, body['name'], { place: '/name', shown: tidied ? body['name'] : data['name'] }),
    ...timeouts.flatMap(([row, place]) => timeout(row, at(body, place), { place, shown: at(data, place) })),
    ...echoes(body, data, rows),
  ]
}

/** `0` disables: what is disabled may be left out, but is no other number. */
function timeout(
  row: RequirementId,
  saved: Json | undefined,
  where: { readonly place: string; readonly shown: Json | undefined },
): readonly Echo[] {
  if (saved !== 0) return echo(row, saved, where)
  const { place, shown } = where
  return [{ row: zero, place, saved, shown, holds: shown === undefined || shown === null || Number(shown) === 0 }]
}

/** One row for all of a record; the name has one of its own. */
function tellAll(row: RequirementId, found: readonly Echo[], call: Call, report: Report): void {
  const rest = found.filter((one) => one.row !== nameRow)
  for (const one of found.filter((other) => other.row === nameRow)) {
    tell(row === written || row === stored ? replacedName : row, one, call, report)
  }
  const faults = rest.filter(({ holds }) => !holds)
  if (faults.length === 0 && rest.length > 0) report.held(row, call.until)
  for (const fault of faults) tell(row, fault, call, report)
}

function tell(row: string, one: Echo, call: Call, report: Report): void {
  if (one.holds) return report.held(row, call.until)
  report.broken(row, {
    expected: `${one.place} as it was saved: ${show(one.saved)}`,
    got: one.shown === undefined ? 'nothing' : show(one.shown),
    lines: [call.from, call.until],
    scenario: call.record.scenario,
  })
}
