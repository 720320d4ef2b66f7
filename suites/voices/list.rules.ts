import { isOwnVoice } from '#judge/conditions/own-things'
import { isSettled } from '#judge/timing/lag'
import type { Report, Rule } from '#judge/rule'
import { judgeShape, type ShapeRows } from '#judge/shape-rule'
import type { TraceIndex } from '#judge/trace-index'
import { areApart } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { validate } from '#spec/validators'
import type { Json } from '#trace/json'
import { judgeSame } from './judge-same.ts'
import { isThoughtOf } from './names.ts'
import { type ClonedVoice, clonedVoices, isSuccess, shownBy, type Success, talks } from './log.ts'

const otherwise: RequirementId = 'voices.list.voices-array'
const table: ShapeRows = {
  rows: {
    'voices.list.voice-id': ['/voices/*/voice_id'],
    'voices.list.name': ['/voices/*/name'],
    'voices.list.language': ['/voices/*/language'],
  },
  otherwise,
}
const once: RequirementId = 'voices.list.voice-once'
const included: RequirementId = 'voices.list.own-included'
const unchanged: RequirementId = 'voices.list.own-unchanged'
const excluded: RequirementId = 'voices.list.other-workspace-excluded'
const publicly: RequirementId = 'voices.list.public-included'

export const listRows: readonly RequirementId[] = [
  ...(Object.keys(table.rows) as RequirementId[]),
  otherwise,
  once,
  included,
  unchanged,
  excluded,
  publicly,
]

/** "Its own cloned voices plus public voices" (4.3): all of its own, nobody else's, each once. */
export const listed: Rule = {
  id: 'voices.listed',
  proves: listRows,
  judge(trace, report) {
    const voices = clonedVoices(trace)
    const lists = talks(trace, 'list-voices').filter(isSuccess)
    for (const list of lists) {
      const value = list.answer.data ?? null
      const payload = { value, line: list.answer.line, scenario: list.record.scenario }
      judgeShape(payload, validate('rest/list-voices.response', value), table, report)
      judgeOnce(list, report)
      for (const voice of voices.filter((one) => one.talk.answer.line < list.sent)) {
        judgeVoice(trace, list, { voice, due: isListedBy(trace, list, voice) }, report)
      }
    }
    judgePublic(lists, voices, report)
  },
}

function judgeOnce(list: Success, report: Report): void {
  const ids = shownBy(list).map((voice) => voice['voice_id'])
  const twice = ids.find((id, place) => typeof id === 'string' && ids.indexOf(id) !== place)
  const { line } = list.answer
  if (twice !== undefined) {
    report.broken(once, { expected: 'each voice once', got: JSON.stringify(twice), lines: [line] })
  } else if (ids.length > 0) report.held(once, line)
}

/** Whether the list was asked for so late that it shows the voice: it may be behind. */
function isListedBy(trace: TraceIndex, list: Success, { talk }: ClonedVoice): boolean {
  const cloned = talk.record.attempts.at(-1)?.response?.entry.t ?? 0
  return isSettled(trace, cloned, list.record.attempts.at(-1)?.request.entry.t ?? 0)
}

/** A voice that was there before the list was asked for. */
function judgeVoice(
  trace: TraceIndex,
  list: Success,
  { voice, due }: { readonly voice: ClonedVoice; readonly due: boolean },
  report: Report,
): void {
  const entry = shownBy(list).find((one) => one['voice_id'] === voice.id)
  const lines = [voice.talk.answer.line, list.sent, list.answer.line]
  const { scenario } = list.record
  if (areApart(list.workspace, voice.talk.workspace)) {
    // A workspace may have a voice of the same id (1.6).
    const own = isOwnVoice(trace, list.workspace, voice.id, list.sent)
    if (entry === undefined) report.held(excluded, ...lines)
    else if (!own)
      report.broken(excluded, { expected: 'no voice of another workspace', got: voice.id, lines, scenario })
  }
  if (list.workspace !== voice.talk.workspace) return
  if (entry === undefined) {
    if (!due) return
    report.broken(included, { expected: `the voice ${voice.id}`, got: 'a list without it', lines, scenario })
    return
  }
  report.held(included, ...lines)
  judgeSame(report, unchanged, { expected: voice.name, got: entry['name'], lines, scenario })
  judgeSame(report, unchanged, { expected: voice.language, got: entry['language'], lines, scenario })
}

/**
 * Public is what two workspaces see; with one alone, what neither this run nor one before it cloned: voices can't be deleted.
 * Of what only one of two workspaces shows nobody knows who cloned it.
 */
function judgePublic(lists: readonly Success[], voices: readonly ClonedVoice[], report: Report): void {
  const mine = lists.findLast((list) => list.workspace === 'primary')
  if (mine === undefined) return
  const theirs = lists.findLast((list) => areApart(list.workspace, mine.workspace))
  const cloned = new Set<Json | undefined>(voices.map((voice) => voice.id))
  const elsewhere = theirs && new Set(shownBy(theirs).map((voice) => voice['voice_id']))
  const others = shownBy(mine).filter(({ voice_id: id, name }) => !cloned.has(id) && !isThoughtOf(name))
  const found = others.some(({ voice_id: id }) => elsewhere?.has(id) ?? true)
  const lines = [mine.answer.line, ...(theirs === undefined ? [] : [theirs.answer.line])]
  if (found) return report.held(publicly, ...lines)
  if (others.length > 0 && theirs !== undefined) {
    // Each may be public where it is shown: deployments may have other ones, or none.
    const why = 'no voice that this run did not clone is shown to two workspaces'
    return report.unobserved(publicly, 'model_choice', why, ...lines)
  }
  report.broken(publicly, { expected: 'a voice that the workspace did not clone', got: 'none', lines })
}
