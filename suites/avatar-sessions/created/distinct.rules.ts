import type { Report, Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { at, type Json, type JsonObject, stringAt } from '#trace/json'

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
