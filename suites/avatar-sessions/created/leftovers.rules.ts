import { answerOf, createdSession } from '#judge/answers'
import { type ListForm, listedIds, listForm } from '#judge/listed-sessions'
import { firstGot } from '#judge/operations'
import type { Report, Rule } from '#judge/rule'
import type { ExchangeRecord, TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { isObject, type Json, textsIn, stringAt } from '#trace/json'
import { avatarsOf } from './model.ts'

const row: RequirementId = 'avatar-sessions.create.refused-leaves-no-session'

/** Shorter ids may occur anywhere. */
const shortestMark = 9
/** So many unknown sessions, one for each refused create, are no coincidence. */
const conspicuous = 3

interface Listing {
  readonly record: ExchangeRecord
  readonly line: number
  readonly data: Json | undefined
}

/**
 * List Sessions before and after refused creates: what is new must be known. Others may use the workspace too, so that an
 * unknown session counts only where it bears the avatar id of a refused body, or where there is one for each of several.
 */
export const refusedLeavesNoSession: Rule = {
  id: 'avatar-sessions.refused-leaves-no-session',
  proves: [row],
  judge(trace, report) {
    const [known, made] = [knownSessions(trace), avatarsMade(trace)]
    const places = listingsByPlace(trace)
    const form = formOf([...places.values()].flat(), known)
    const refusals = Map.groupBy(refusedCreates(trace), ({ scenario }) => scenario)
    for (const listings of places.values()) {
      for (const [place, after] of listings.entries()) {
        const before = listings[place - 1]
        if (before !== undefined) compare({ trace, report, known, made, refusals, form, before, after })
      }
    }
  },
}

interface Comparison {
  readonly trace: TraceIndex
  readonly report: Report
  /** Sessions that the run made, with the lines of their creates. */
  readonly known: ReadonlyMap<string, number>
  /** Ids of avatars in bodies that were accepted: a loser of a volley has the body of its winner. */
  readonly made: ReadonlySet<string>
  /** By the scenario that caused them. */
  readonly refusals: ReadonlyMap<string | undefined, readonly ExchangeRecord[]>
  readonly form: ListForm
  readonly before: Listing
  readonly after: Listing
}

function compare({ trace, report, known, made, refusals, form, before, after }: Comparison): void {
  const refused = (refusals.get(before.record.scenario) ?? []).filter((one) => isBetween(one, before, after))
  if (refused.length === 0) return
  const [old, now] = [listedIds(before.data, form), listedIds(after.data, form)]
  const shown = [...known].some(([id, line]) => line > before.line && line < after.line && now.has(id))
  const fresh = [...now].filter((id) => !old.has(id) && !known.has(id))
  const trail = fresh.length === 0 ? undefined : refused.find((one) => bearsMark(trace, one, { after, fresh, made }))
  const blamed = trail ?? (refused.length >= conspicuous && fresh.length === refused.length ? refused[0] : undefined)
  if (blamed !== undefined) {
    const got = `session ${fresh.join(', ')}`
    const lines = [lineOf(blamed), after.line]
    report.broken(row, { expected: 'no session of a refused create', got, lines, scenario: blamed.scenario })
  } else if (!shown) {
    report.unobserved(row, 'model_choice', 'List Sessions does not show what was just created', after.line)
  } else if (fresh.length === 0) report.held(row, after.line)
  else report.unobserved(row, 'model_choice', 'sessions of others appeared meanwhile', after.line)
}

interface Shown {
  readonly after: Listing
  readonly fresh: readonly string[]
  readonly made: ReadonlySet<string>
}

function avatarsMade(trace: TraceIndex): ReadonlySet<string> {
  const accepted = [...trace.exchanges.values()].filter((record) => createdSession(record) !== undefined)
  return new Set(accepted.flatMap(avatarIdsIn))
}

const avatarIdsIn = (record: ExchangeRecord): readonly string[] =>
  avatarsOf(bodyOf(record)).map((avatar) => stringAt(avatar, '/avatar_id') ?? '')

function bearsMark(trace: TraceIndex, refused: ExchangeRecord, { after, fresh, made }: Shown): boolean {
  const ids = avatarIdsIn(refused).filter((id) => !made.has(id))
  const shown = [after.data, ...fresh.map((id) => firstGot(trace, id))]
  return ids.some((id) => id.length >= shortestMark && shown.some((data) => textsIn(data).includes(id)))
}

function refusedCreates(trace: TraceIndex): readonly ExchangeRecord[] {
  return [...trace.exchanges.values()].filter((record) => {
    const isCreate = record.operation === 'create-avatar-session' && isObject(bodyOf(record))
    return isCreate && answerOf(record).kind === 'failure'
  })
}

function isBetween(record: ExchangeRecord, before: Listing, after: Listing): boolean {
  const line = lineOf(record)
  return line > before.line && line < after.line
}

function knownSessions(trace: TraceIndex): ReadonlyMap<string, number> {
  const known = new Map<string, number>()
  for (const record of trace.exchanges.values()) {
    const id = createdSession(record)
    if (id !== undefined) known.set(id, lineOf(record))
  }
  return known
}

/** The form of the list, learned from every one that shows a session of ours. */
function formOf(listings: readonly Listing[], known: ReadonlyMap<string, number>): ListForm {
  const ids = new Set(known.keys())
  return new Map(listings.flatMap(({ data }) => [...listForm(data, ids)]))
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

function bodyOf(record: ExchangeRecord): Json | undefined {
  return record.attempts[0]?.request.entry.body
}

function lineOf(record: ExchangeRecord): number {
  return record.attempts[0]?.request.line ?? 0
}
