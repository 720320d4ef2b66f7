import { clockOf } from '#judge/calls'
import type { Report, Rule } from '#judge/rule'
import { clocksAgree } from '#judge/timing/clocks-agree'
import { clock_ms } from '#judge/timing/made'
import { ourClockAt } from '#judge/timing/our-clock'
import { isRecording } from '#judge/recordings'
import type { TraceIndex } from '#judge/trace-index'
import { isDateTime } from '#spec/formats'
import { workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { type Json, type JsonObject, stringAt } from '#trace/json'
import { equal } from '#trace/match'

import { bodyOf, type Call, callsOf, dataOf, type Life, lifeIn, livesOf, type Save, stateAt } from '../history.ts'

const part = 'characters.character'
const utc = `${part}.created-at-utc`
const updatedUtc: RequirementId = `${part}.updated-at-utc`
const order = `${part}.updated-at-not-before-created-at`
const createdKept = `${part}.created-at-kept-by-replace`
const moved = `${part}.updated-at-moved-by-replace`
const returned: RequirementId = 'characters.create.returned-by-get'
const keptByRefusal: RequirementId = `${part}.updated-at-kept-by-refused-replace`
const keptByForeign: RequirementId = 'characters.scope.other-workspace-replace-changes-nothing'

/** When a character was made and changed (2.7). Its timestamps tell whole seconds. */
export const characterTimes: Rule = {
  id: 'characters.character-times',
  proves: [utc, updatedUtc, order, createdKept, returned, moved, keptByRefusal, keptByForeign],
  judge(trace, report) {
    for (const life of livesOf(trace).values()) {
      judgeUtc(trace, life.created, { row: utc, place: '/created_at' }, report)
      for (const { effect } of life.changes) {
        if (typeof effect !== 'object') continue
        if (isWritten(trace, effect)) judgeUtc(trace, effect, { row: updatedUtc, place: '/updated_at' }, report)
        judgeSave(trace, effect, report)
      }
    }
    for (const call of callsOf(trace, 'get-character')) judgeGet(trace, call, report)
  },
}

/** What is saved again without a change may have the time of before; so may what a key repeats that a recording did not see. */
function isWritten(trace: TraceIndex, save: Save): boolean {
  if (isRecording(trace) && save.body['idempotency_key'] !== undefined) return false
  return save.before === undefined || isChange(trace, save, save.before)
}

/** Whether a replace asked for something new. Where a client of a recording did, that may be nothing that is stored. */
function isChange({ header }: TraceIndex, { body, data }: Save, before: Save): boolean {
  if (equal(body, before.body)) return false
  return !isRecording({ header }) || !equal(untimed(data), untimed(before.data))
}

function untimed(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'updated_at'))
}

/**
 * The clock that counts is the target's own, by the `Date` of its answer. Without one it is ours, if other times of the
 * target show that the two agree.
 */
function judgeUtc(
  trace: TraceIndex,
  { data, record, from, until }: Save,
  { row, place }: { readonly row: RequirementId; readonly place: string },
  report: Report,
): void {
  const shown = timeAt(data, place)
  const answer = record.attempts.at(-1)?.response?.entry
  if (shown === undefined || answer === undefined) return
  const own = clockOf(answer.headers['date'])
  const clock = own ?? ourClockAt(trace, answer.t)
  if (clock !== undefined && Math.abs(shown - clock) <= clock_ms) return report.held(row, until)
  if (clock === undefined || (own === undefined && !clocksAgree(trace)))
    return report.unobserved(row, 'model_choice', 'the answer has no Date header', until)
  const whose = own === undefined ? 'time by our clock, which other answers agree with' : 'Date of the answer'
  const expected = `about ${new Date(clock).toISOString()}, the ${whose}`
  report.broken(row, {
    expected,
    got: stringAt(data, place) ?? '',
    lines: [from, until],
    scenario: record.scenario,
  })
}

/** So far the clocks of a service's machines may be apart, each of which may write a save. */
export const apart_ms = 2_000

function judgeSave(trace: TraceIndex, save: Save, report: Report): void {
  const [created, updated] = [timeAt(save.data, '/created_at'), timeAt(save.data, '/updated_at')]
  if (created !== undefined && updated !== undefined) {
    judge(
      order,
      updated >= created - apart_ms,
      { call: save, expected: `no earlier than ${textOf(save.data, 'created_at')}` },
      report,
    )
  }
  if (save.before === undefined) return
  const first = timeAt(save.before.data, '/created_at')
  if (first !== undefined && created !== undefined) {
    const expected = textOf(save.before.data, 'created_at')
    judge(createdKept, isSameTime(created, first), { call: save, expected, field: 'created_at' }, report)
  }
  judgeMoved(trace, save, { call: save, data: save.data }, report)
}

/** A character as an answer shows it. */
interface Shown {
  readonly call: Call
  readonly data: JsonObject
}

/** Within one second a replace may leave the text as it was, and so may one that writes what stood there before. */
function judgeMoved(trace: TraceIndex, save: Save, { call, data }: Shown, report: Report): void {
  const { before } = save
  const [last, updated] = [before && timeAt(before.data, '/updated_at'), timeAt(data, '/updated_at')]
  if (before === undefined || last === undefined || updated === undefined) return
  if (!isChange(trace, save, before)) return
  const apart = save.sent - before.answered > 1_000
  if (apart && updated === last && isItsTime(save, updated)) {
    return report.unobserved(moved, 'model_choice', 'the machine that replaced it is behind the one before', call.until)
  }
  const holds = (!apart || updated !== last) && updated >= last - apart_ms
  if (apart || !holds)
    judge(moved, holds, { call, expected: `later than ${textOf(before.data, 'updated_at')}` }, report)
}

/** By the `Date` of the answer a save was written in this very second: by its own clock that is the time of it. */
function isItsTime({ record }: Save, written: number): boolean {
  return clockOf(record.attempts.at(-1)?.response?.entry.headers['date']) === written
}

function judgeGet(trace: TraceIndex, call: Call, report: Report): void {
  const life = lifeIn(trace, call.record)
  const [state, data] = [life && stateAt(life, call.from, call.until), dataOf(call.record)]
  if (life === undefined || typeof state !== 'object' || data === undefined) return
  judgeCreated(life, state, { call, data }, report)
  const [saved, now] = [timeAt(state.data, '/updated_at'), timeAt(data, '/updated_at')]
  if (saved === undefined || now === undefined) return
  judgeMoved(trace, state, { call, data }, report)
  const expected = textOf(state.data, 'updated_at')
  const row = refusedBetween(life, state, call)
  if (row === undefined) return
  if (now === saved) report.held(row, call.until)
  else if (isMovedByUse(trace) || startedBetween(trace, life, state, call)) {
    report.unobserved(row, 'model_choice', 'use moves `updated_at` here', call.until)
  } else judge(row, false, { call, expected }, report)
}

/** One second of two: an answer from memory may be cut to it where the store, from which others come, rounds. */
const isSameTime = (one: number, other: number): boolean => Math.abs(one - other) <= 1_000

/** What is read of a character was made when the character was, replaced or not. */
function judgeCreated(life: Life, { before }: Save, { call, data }: Shown, report: Report): void {
  const [first, created] = [timeAt(life.created.data, '/created_at'), timeAt(data, '/created_at')]
  if (first === undefined || created === undefined) return
  const expected = textOf(life.created.data, 'created_at')
  judge(
    before === undefined ? returned : createdKept,
    isSameTime(created, first),
    { call, expected, field: 'created_at' },
    report,
  )
}

/** The row of a replace that was refused since the last write, so late that a moved timestamp would show it. */
function refusedBetween(life: Life, state: Save, call: Call): RequirementId | undefined {
  const refused = life.changes.filter(
    ({ effect, record, from, sent }) =>
      effect === 'none' &&
      record.operation === 'replace-character' &&
      from > state.until &&
      from < call.from &&
      sent - state.answered > 1_000,
  )
  if (refused.length === 0) return undefined
  const home = workspaceOf(life.created.key)
  return refused.some(({ key }) => workspaceOf(key) === home) ? keptByRefusal : keptByForeign
}

const movedByUse = new WeakMap<TraceIndex, boolean>()

/** Whether a Get of this run shows a later `updated_at` though nobody tried to write. */
function isMovedByUse(trace: TraceIndex): boolean {
  const known = movedByUse.get(trace)
  if (known !== undefined) return known
  const moves = callsOf(trace, 'get-character').some((call) => {
    const life = lifeIn(trace, call.record)
    const [state, data] = [life && stateAt(life, call.from, call.until), dataOf(call.record)]
    if (life === undefined || typeof state !== 'object' || data === undefined) return false
    const [saved, now] = [timeAt(state.data, '/updated_at'), timeAt(data, '/updated_at')]
    const later = saved !== undefined && now !== undefined && now > saved
    return later && refusedBetween(life, state, call) === undefined
  })
  movedByUse.set(trace, moves)
  return moves
}

function startedBetween(trace: TraceIndex, { id }: Life, state: Save, call: Call): boolean {
  return callsOf(trace, 'create-session-from-character').some(
    ({ record, from, until }) =>
      stringAt(bodyOf(record), '/character_id') === id &&
      from > state.until &&
      until < call.from &&
      dataOf(record) !== undefined,
  )
}

interface Finding {
  readonly call: Call
  readonly expected: string
  readonly field?: string
}

function judge(row: string, holds: boolean, { call, expected, field = 'updated_at' }: Finding, report: Report): void {
  const { record, from, until } = call
  if (holds) return report.held(row, until)
  const got = textOf(dataOf(record) ?? {}, field)
  report.broken(row, { expected: `${field} ${expected}`, got, lines: [from, until], scenario: record.scenario })
}

function textOf(data: JsonObject, name: string): string {
  return stringAt(data, `/${name}`) ?? 'nothing'
}

/** A timestamp of another form is a fault of its own. */
function timeAt(data: Json | undefined, pointer: string): number | undefined {
  const text = stringAt(data, pointer)
  return text !== undefined && isDateTime(text) ? Date.parse(text) : undefined
}
