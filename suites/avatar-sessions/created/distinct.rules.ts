import type { Report, Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { at, isObject, type Json, type JsonObject, stringAt } from '#trace/json'

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
  const seen = new Set<string>()
  return made.filter(({ data }) => {
    if (stringAt(data, '/session_id') === undefined) return false
    const answer = JSON.stringify(lasting(data))
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

/** "Scoped to the session" (2.2): what an update tells is nothing that another session was told, by its creation or so. */
function judgeLater(shown: Later, known: readonly Told[], { trace, report }: Pick<Scope, 'trace' | 'report'>): void {
  const { session, data, line, t, scenario } = shown
  for (const [row, pointers] of [...everOwn.map(([one, pointer]) => [one, [pointer]] as const), ...ownWhileOpen]) {
    if (!pointers.every((pointer) => (stringAt(data, pointer) ?? '') !== '')) continue
    const same = known.filter((one) => pointers.every((pointer) => at(one.data, pointer) === at(data, pointer)))
    const other = same.find(({ creation }) => isOpenAt(creation, t, trace) && idOf(creation) !== session)
    if (other === undefined || same.some(({ creation }) => idOf(creation) === session)) continue
    const [lines, expected] = [[other.line, line], 'a value of its own for each session']
    report.broken(row, { expected, got: 'that of another session', lines, scenario })
  }
}

/** What a session was told of its media, and the creation that it began with. */
interface Told {
  readonly creation: Creation
  readonly data: JsonObject
  readonly line: number
}

function judgeUpdates(apart: readonly Creation[], trace: TraceIndex, report: Report): void {
  const known: Told[] = apart.map((creation) => ({ creation, data: creation.data, line: creation.line }))
  for (const shown of shownLater(trace).toSorted((one, other) => one.t - other.t)) {
    judgeLater(shown, known, { trace, report })
    const creation = apart.find((one) => idOf(one) === shown.session)
    if (creation !== undefined) known.push({ creation, data: shown.data, line: shown.line })
  }
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
  const here = made.filter(({ data }) => pointers.every((pointer) => (stringAt(data, pointer) ?? '') !== ''))
  const spans = here.map((creation) => ({ creation, until: openUntil(creation, trace) }))
  let together = 0
  for (const [place, { creation, until }] of spans.entries()) {
    for (const other of spans.slice(place + 1)) {
      if (other.creation.answered >= until || creation.answered >= other.until) continue
      together += 1
      const same = pointers.every((pointer) => at(creation.data, pointer) === at(other.creation.data, pointer))
      if (same) tell(row, [creation, other.creation], report)
      else report.held(row, creation.line, other.creation.line)
    }
  }
  if (here.length > 0 && together === 0)
    report.unobserved(row, 'model_choice', 'no two such sessions were open together')
}

/** Up to when a session was open for sure: asked to close, or at the first time at which it may have ended by itself. */
function openUntil({ record, body, data, sent }: Creation, trace: TraceIndex): number {
  const seconds = [
    at(body, '/max_duration_seconds'),
    at(data, '/auto_close/disconnected_timeout_seconds'),
    at(data, '/auto_close/interaction_idle_timeout_seconds'),
  ]
  const ends = seconds.map(Number).filter((value) => value > 0)
  const closes = closeTimes(trace).get(stringAt(data, '/session_id') ?? '') ?? Number.POSITIVE_INFINITY
  const known = record.operation === 'create-avatar-session' ? closes : sent
  return Math.min(known, ...ends.map((value) => sent + value * 1000))
}

const closings = new WeakMap<TraceIndex, ReadonlyMap<string, number>>()

/** When a close of each session was first sent. */
function closeTimes(trace: TraceIndex): ReadonlyMap<string, number> {
  const known = closings.get(trace)
  if (known !== undefined) return known
  const times = new Map<string, number>()
  for (const record of trace.exchanges.values()) {
    const request = record.attempts[0]?.request.entry
    const id = /\/sessions\/([^/]+)\/close$/.exec(request?.path ?? '')?.[1]
    if (record.operation !== 'close-avatar-session' || request === undefined || id === undefined) continue
    const name = decodeURIComponent(id)
    times.set(name, Math.min(times.get(name) ?? request.t, request.t))
  }
  closings.set(trace, times)
  return times
}

function tell(row: RequirementId, pair: readonly [Creation, Creation], report: Report): void {
  const lines = pair.map(({ line }) => line)
  const scenario = pair[1].record.scenario
  report.broken(row, {
    expected: 'a value of its own for each session',
    got: 'the same for two sessions',
    lines,
    scenario,
  })
}
