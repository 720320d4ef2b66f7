import { isRecording } from '#judge/recordings'
import type { Moment } from '#judge/conditions/points'
import { finalAttempt } from '#judge/answers'
import { callOf } from '#judge/calls'
import type { Report, Rule } from '#judge/rule'
import { sessionIn } from '#judge/sessions/session-in'
import { sureLife_ms } from '#judge/timing/sure-life'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { at, isObject, type Json, type JsonObject, stringAt } from '#trace/json'

import { livesOf, seenOpenAfter } from '../life/lives.ts'
import { type Creation, creations } from './creations.ts'

/** What no two sessions of a run share, whatever their fate. */
const everOwn: readonly (readonly [RequirementId, string])[] = [
  ['avatar-sessions.delivery.rtc-a-signature-session-scoped', '/delivery/media/rtc_a/user_sig'],
  ['avatar-sessions.delivery.rtc-b-token-session-scoped', '/delivery/media/rtc_b/token'],
]

/** Places that no two sessions share while both are open; a service may use them again later. */
const ownWhileOpen: readonly (readonly [RequirementId, readonly string[]])[] = [
  [
    'avatar-sessions.delivery.rtc-a-room-session-scoped',
    ['/delivery/media/rtc_a/sdk_app_id', '/delivery/media/rtc_a/room_id'],
  ],
  [
    'avatar-sessions.delivery.rtc-b-channel-session-scoped',
    ['/delivery/media/rtc_b/app_id', '/delivery/media/rtc_b/channel_name'],
  ],
]

const idRow: RequirementId = 'avatar-sessions.session.id-unique'

/** What is scoped to one session is never another's (2.1, 2.2, section 5). */
export const sessionsApart: Rule = {
  id: 'avatar-sessions.sessions-apart',
  proves: [idRow, ...everOwn.map(([row]) => row), ...ownWhileOpen.map(([row]) => row)],
  judge(trace, report) {
    const apart = told(creations(trace))
    judgeEver(idRow, '/session_id', apart, report)
    for (const [row, pointer] of everOwn) judgeEver(row, pointer, apart, report)
    for (const [row, pointers] of ownWhileOpen) judgeWhileOpen({ row, pointers, trace, report }, apart)
    judgeUpdates(apart, trace, report)
  },
}

/**
 * Without the same session told again, as a service does that takes two creates for one: then there is no second session
 * to be seen, and the rows on idempotency say what is wrong with it.
 */
function told(made: readonly Creation[]): readonly Creation[] {
  const byId = Map.groupBy(made, idOf)
  const seen = new Set<string>()
  return made.filter((creation) => {
    const id = idOf(creation)
    if (id === undefined) return false
    // The same answer has the same id: nearly none comes twice.
    if (byId.get(id)?.length === 1) return true
    const answer = JSON.stringify(lasting(creation.data))
    const isNew = !seen.has(answer)
    seen.add(answer)
    return isNew
  })
}

/** Without what may change while a session lasts. */
function lasting(data: JsonObject): Json {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !['status', 'expires_at'].includes(name)))
}

/** Details of a session's media that came after those of its creation, under the same pointers. */
interface Later {
  readonly session: string
  readonly data: JsonObject
  readonly line: number
  readonly t: number
  readonly scenario: string | undefined
}

/** "Updated connection details" (6.2), on the control channel. */
function shownLater(trace: TraceIndex): readonly Later[] {
  return [...trace.channels.values()].flatMap(({ session, scenario, frames }) =>
    frames.flatMap(({ direction, type, data, line, t }) => {
      const media = at(data, '/media')
      if (direction !== 'received' || type !== 'session.updated' || !isObject(media)) return []
      return [{ session, data: { delivery: { media } }, line, t, scenario }]
    }),
  )
}

/** What a session was told of its media, and the creation that it began with. */
interface Told {
  readonly creation: Creation
  readonly line: number
}

/** By what stands at the places of a row: who was told so, in order. */
type Known = Map<string, Told[]>

function judgeUpdates(apart: readonly Creation[], trace: TraceIndex, report: Report): void {
  const byId = new Map(apart.toReversed().map((creation) => [idOf(creation), creation]))
  const updates = shownLater(trace).toSorted((one, other) => one.t - other.t)
  for (const [row, pointers] of [...everOwn.map(([one, pointer]) => [one, [pointer]] as const), ...ownWhileOpen]) {
    const known: Known = new Map()
    for (const creation of apart) learn(known, valuesAt(creation.data, pointers), { creation, line: creation.line })
    for (const shown of updates) {
      const values = valuesAt(shown.data, pointers)
      judgeLater(shown, known.get(values ?? '') ?? [], { row, trace, report })
      const creation = byId.get(shown.session)
      if (creation !== undefined) learn(known, values, { creation, line: shown.line })
    }
  }
}

/** "Scoped to the session" (2.2): what an update tells is nothing that another session was told, by its creation or so. */
function judgeLater(shown: Later, same: readonly Told[], { row, trace, report }: Omit<Scope, 'pointers'>): void {
  const { session, line, t, scenario } = shown
  const other = same.find(({ creation }) => isOpenAt(creation, t, trace) && idOf(creation) !== session)
  if (other === undefined || same.some(({ creation }) => idOf(creation) === session)) return
  const [lines, expected] = [[other.line, line], 'a value of its own for each session']
  const more = accidentOf(other.creation, { line, t }, trace)
  if (isOpenQuestion(more, trace)) report.unobserved(row, 'model_choice', mayHaveEnded, ...lines)
  else report.broken(row, { expected, got: 'that of another session', lines, scenario, ...more })
}

/** What stands at several places, as one text; none where one of them holds nothing. */
function valuesAt(data: JsonObject, pointers: readonly string[]): string | undefined {
  const values = pointers.map((pointer) => stringAt(data, pointer) ?? '')
  return values.includes('') ? undefined : JSON.stringify(values)
}

function learn(known: Known, values: string | undefined, one: Told): void {
  if (values === undefined) return
  const before = known.get(values)
  if (before === undefined) known.set(values, [one])
  else before.push(one)
}

function idOf({ data }: Creation): string | undefined {
  return stringAt(data, '/session_id')
}

function isOpenAt(creation: Creation, t: number, trace: TraceIndex): boolean {
  return creation.answered < t && t < openUntil(creation, trace)
}

function judgeEver(row: RequirementId, pointer: string, made: readonly Creation[], report: Report): void {
  const owners = new Map<string, Creation>()
  for (const creation of made) {
    const own = stringAt(creation.data, pointer)
    if (own === undefined || own === '') continue
    const other = owners.get(own)
    if (other !== undefined) tell(row, [other, creation], report)
    else if (owners.size > 0) report.held(row, creation.line)
    owners.set(own, other ?? creation)
  }
}

interface Scope {
  readonly row: RequirementId
  readonly pointers: readonly string[]
  readonly trace: TraceIndex
  readonly report: Report
}

function judgeWhileOpen({ row, pointers, trace, report }: Scope, made: readonly Creation[]): void {
  const here = made.flatMap((creation) => {
    const values = valuesAt(creation.data, pointers)
    return values === undefined ? [] : [{ creation, values, until: openUntil(creation, trace) }]
  })
  const spans = here.toSorted((one, other) => one.creation.answered - other.creation.answered)
  let together = 0
  for (const [place, { creation, values, until }] of spans.entries()) {
    for (let next = place + 1; next < spans.length; next += 1) {
      const other = spans[next]
      if (other === undefined || other.creation.answered >= until) break
      if (creation.answered >= other.until) continue
      together += 1
      if (values !== other.values) report.held(row, creation.line, other.creation.line)
      else judgeSameValues(row, [creation, other.creation], trace, report)
    }
  }
  if (here.length > 0 && together === 0)
    report.unobserved(row, 'model_choice', 'no two such sessions were open together')
}

function judgeSameValues(
  row: RequirementId,
  [creation, other]: readonly [Creation, Creation],
  trace: TraceIndex,
  report: Report,
): void {
  const more = accidentOf(creation, { line: other.line, t: other.answered }, trace)
  if (isOpenQuestion(more, trace)) report.unobserved(row, 'model_choice', mayHaveEnded, other.line)
  else tell(row, [creation, other], report, more)
}

/** Up to when a session was open, if nothing but us and what it was told of ended it: asked to close, or timed out. */
function openUntil({ record, data, sent }: Creation, trace: TraceIndex): number {
  const attempt = finalAttempt(record)
  const lasts_ms = attempt === undefined ? 0 : sureLife_ms(trace, callOf(record, attempt))
  const closes = closeTimes(trace).get(stringAt(data, '/session_id') ?? '') ?? Number.POSITIVE_INFINITY
  return Math.min(closes, sent + lasts_ms)
}

/** Why what it was told may be free again, unless it was seen to be open later. */
const mayHaveEnded = 'the service may have ended the other session by itself'

/** The service may end a session by itself (3.1), and need not tell us. */
function accidentOf(creation: Creation, moment: Moment, trace: TraceIndex): { readonly accident?: string } {
  const { lives, started } = livesOf(trace)
  const life = lives.get(idOf(creation) ?? '') ?? started.get(idOf(creation) ?? '')
  return life === undefined || seenOpenAfter(trace, life, moment) ? {} : { accident: mayHaveEnded }
}

/** What ends sessions is not all recorded: there that one ended may come each time, and is no accident that adds up. */
function isOpenQuestion({ accident }: { readonly accident?: string }, { header }: TraceIndex): boolean {
  return accident !== undefined && isRecording({ header })
}

const closings = new WeakMap<TraceIndex, ReadonlyMap<string, number>>()

/** When a close of each session was first sent. */
function closeTimes(trace: TraceIndex): ReadonlyMap<string, number> {
  const known = closings.get(trace)
  if (known !== undefined) return known
  const times = new Map<string, number>()
  for (const record of trace.exchanges.values()) {
    const request = record.attempts[0]?.request.entry
    const name = sessionIn(request?.path ?? '')
    if (record.operation !== 'close-avatar-session' || request === undefined || name === undefined) continue
    times.set(name, Math.min(times.get(name) ?? request.t, request.t))
  }
  closings.set(trace, times)
  return times
}

function tell(
  row: RequirementId,
  pair: readonly [Creation, Creation],
  report: Report,
  more: { readonly accident?: string } = {},
): void {
  const lines = pair.map(({ line }) => line)
  const scenario = pair[1].record.scenario
  report.broken(row, {
    expected: 'a value of its own for each session',
    got: 'the same for two sessions',
    lines,
    scenario,
    ...more,
  })
}
