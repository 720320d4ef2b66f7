import { answerOf, createdSession } from '../../src/judge/answers.ts'
import type { Report, Rule } from '../../src/judge/rule.ts'
import type { ExchangeRecord, TraceIndex } from '../../src/judge/trace-index.ts'
import type { RequirementId } from '../../src/law/register.ts'
import { at, isObject, type Json } from '../../src/trace/json.ts'
import { holdsText, idsIn } from './session-ids.ts'

const row: RequirementId = 'avatar-sessions.create.refused-leaves-no-session'

interface Listing {
  readonly record: ExchangeRecord
  readonly line: number
  readonly data: Json | undefined
}

/**
 * A session that nobody made shows in List Sessions after a refused create, and is known by the avatar id that only the
 * refused body had. Others may use the workspace too: a session that bears no such sign proves nothing.
 */
export const refusedLeavesNoSession: Rule = {
  id: 'avatar-sessions.refused-leaves-no-session',
  proves: [row],
  judge(trace, report) {
    const known = knownSessions(trace)
    for (const listings of listingsByPlace(trace).values()) {
      for (const [place, after] of listings.entries()) {
        const before = listings[place - 1]
        if (before !== undefined) compare({ trace, report, known, before, after })
      }
    }
  },
}

interface Comparison {
  readonly trace: TraceIndex
  readonly report: Report
  readonly known: ReadonlyMap<string, number>
  readonly before: Listing
  readonly after: Listing
}

function compare({ trace, report, known, before, after }: Comparison): void {
  const refused = refusedBetween(trace, before, after)
  if (refused.length === 0) return
  const [old, now] = [idsIn(before.data), idsIn(after.data)]
  const shown = [...known].some(([id, line]) => line > before.line && line < after.line && now.has(id))
  if (!shown) {
    report.unobserved(row, 'model_choice', 'List Sessions does not show what was just created', after.line)
    return
  }
  const fresh = [...now].filter((id) => !old.has(id) && !known.has(id))
  if (fresh.length === 0) {
    report.held(row, after.line)
    return
  }
  const trail = refused.find((one) => leftTrail(trace, one, after, fresh))
  if (trail === undefined) {
    report.unobserved(row, 'model_choice', 'sessions of others appeared meanwhile', after.line)
    return
  }
  const lines = [lineOf(trail), after.line]
  const got = `session ${fresh.join(', ')}`
  report.broken(row, { expected: 'no session of a refused create', got, lines, scenario: trail.scenario })
}

function leftTrail(trace: TraceIndex, refused: ExchangeRecord, after: Listing, fresh: readonly string[]): boolean {
  const marks = avatarIds(refused)
  const shown = [after.data, ...fresh.map((id) => gotten(trace, id))]
  return marks.some((mark) => shown.some((data) => holdsText(data, mark)))
}

/** Avatar ids that no accepted create had are made up by the caller so that they are unique. */
function avatarIds(record: ExchangeRecord): readonly string[] {
  const avatars = at(record.attempts[0]?.request.entry.body, '/avatars')
  const ids = Array.isArray(avatars) ? (avatars as readonly Json[]).map((avatar) => at(avatar, '/avatar_id')) : []
  return ids.filter((id): id is string => typeof id === 'string' && id.length > 8)
}

function gotten(trace: TraceIndex, id: string): Json | undefined {
  for (const record of trace.exchanges.values()) {
    const path = record.attempts[0]?.request.entry.path ?? ''
    if (record.operation !== 'get-avatar-session' || !path.endsWith(`/${encodeURIComponent(id)}`)) continue
    const answer = answerOf(record)
    if (answer.kind === 'success') return answer.data
  }
  return undefined
}

function refusedBetween(trace: TraceIndex, before: Listing, after: Listing): readonly ExchangeRecord[] {
  return [...trace.exchanges.values()].filter((record) => {
    const line = lineOf(record)
    const inside = line > before.line && line < after.line && record.scenario === before.record.scenario
    const body = record.attempts[0]?.request.entry.body
    return inside && isCreate(record) && isObject(body) && answerOf(record).kind === 'failure'
  })
}

function isCreate({ operation }: ExchangeRecord): boolean {
  return operation === 'create-avatar-session'
}

function knownSessions(trace: TraceIndex): ReadonlyMap<string, number> {
  const known = new Map<string, number>()
  for (const record of trace.exchanges.values()) {
    const id = createdSession(record)
    if (id !== undefined) known.set(id, lineOf(record))
  }
  return known
}

function listingsByPlace(trace: TraceIndex): ReadonlyMap<string, Listing[]> {
  const found = new Map<string, Listing[]>()
  for (const record of trace.exchanges.values()) {
    if (record.operation !== 'list-avatar-sessions' || record.scenario === undefined) continue
    const answer = answerOf(record)
    if (answer.kind !== 'success') continue
    const place = `${record.scenario} ${record.key}`
    found.set(place, [...(found.get(place) ?? []), { record, line: answer.line, data: answer.data }])
  }
  return found
}

function lineOf(record: ExchangeRecord): number {
  return record.attempts[0]?.request.line ?? 0
}
