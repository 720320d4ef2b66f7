import { answerOf } from '#judge/answers'
import { type AvatarCreate, avatarCreates, bearsMark, marksOf, untoldSessions } from '#judge/creates/avatar-creates'
import { type ListForm, listedIds, listForm } from '#judge/sessions/listed-sessions'
import { exchangesOf } from '#judge/operations'
import type { Report, Rule } from '#judge/rule'
import type { ExchangeRecord, TraceIndex } from '#judge/trace-index'
import { workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Json } from '#trace/json'

const row: RequirementId = 'avatar-sessions.create.refused-leaves-no-session'

/** So many unknown sessions, one for each refused create, are no coincidence. */
const conspicuous = 3

interface Listing {
  readonly record: ExchangeRecord
  readonly line: number
  readonly data: Json | undefined
}

/**
 * List Sessions before and after refused creates: what is new must be known. Others may use the workspace too, so that an
 * unknown session counts only where it bears the avatar id of a refused body, or where there is one for each of several and
 * nobody else was seen to end a session meanwhile.
 */
export const refusedLeavesNoSession: Rule = {
  id: 'avatar-sessions.refused-leaves-no-session',
  proves: [row],
  judge(trace, report) {
    const creates = avatarCreates(trace)
    const known = new Map(
      creates.flatMap(({ session, sent }) => (session === undefined ? [] : [[session, sent] as const])),
    )
    const byScenario = Map.groupBy(refusedAtLast(creates), ({ scenario }) => scenario)
    const places = listingsByPlace(trace)
    const form = formOf([...places.values()].flat(), known)
    for (const listings of places.values()) {
      for (const [place, after] of listings.entries()) {
        const before = listings[place - 1]
        const refusals = byScenario.get(after.record.scenario) ?? []
        if (before !== undefined) compare({ trace, report, creates, refusals, known, form, before, after })
      }
    }
  },
}

interface Comparison {
  readonly trace: TraceIndex
  readonly report: Report
  readonly creates: readonly AvatarCreate[]
  /** Refused creates of the scenario that asked for both lists. */
  readonly refusals: readonly AvatarCreate[]
  /** Sessions that the run made, with the lines of their creates. */
  readonly known: ReadonlyMap<string, number>
  readonly form: ListForm
  readonly before: Listing
  readonly after: Listing
}

function compare({ trace, report, creates, refusals, known, form, before, after }: Comparison): void {
  const refused = refusedBetween(refusals, before, after)
  if (refused.length === 0) return
  const [old, now] = [listedIds(before.data, form), listedIds(after.data, form)]
  const shown = [...now].some((id) => isBetween(known.get(id), before, after))
  const fresh = [...now].filter((id) => !old.has(id) && !known.has(id))
  const bears = (one: AvatarCreate) => bearsMark(trace, marksOf([one], creates), { data: after.data, fresh })
  const trail = fresh.length === 0 ? undefined : refused.find(bears)
  const unexplained = fresh.length === 0 ? 0 : fresh.length - untoldBefore(after, creates)
  // A list that does not reach as far as our own session shows a part, and others who come also go.
  const counts = shown && ![...old].some((id) => !known.has(id) && !now.has(id))
  const isOneEach = refused.length >= conspicuous && unexplained === refused.length
  const blamed = trail ?? (counts && isOneEach ? refused[0] : undefined)
  if (blamed !== undefined) {
    const got = `session ${fresh.join(', ')}`
    const lines = [blamed.sent, after.line]
    report.broken(row, { expected: 'no session of a refused create', got, lines, scenario: blamed.scenario })
  } else if (!shown) {
    report.unobserved(row, 'model_choice', 'List Sessions does not show what was just created', after.line)
  } else if (fresh.length === 0) report.held(row, after.line)
  else report.unobserved(row, 'model_choice', 'sessions of others appeared meanwhile', after.line)
}

/** The last attempts of creates, where they were refused. */
function refusedAtLast(creates: readonly AvatarCreate[]): readonly AvatarCreate[] {
  const sent = creates.filter(({ operation }) => operation === 'create-avatar-session')
  const last = new Map(sent.map((one) => [one.exchange, one]))
  return [...last.values()].filter(({ outcome }) => outcome === 'refused')
}

function refusedBetween(refusals: readonly AvatarCreate[], before: Listing, after: Listing): readonly AvatarCreate[] {
  return refusals.filter(({ sent }) => sent > before.line && sent < after.line)
}

function isBetween(line: number | undefined, before: Listing, after: Listing): boolean {
  return line !== undefined && line > before.line && line < after.line
}

/** How many sessions creates of the workspace may have made before a list of which nobody was told. */
function untoldBefore({ record, line }: Listing, creates: readonly AvatarCreate[]): number {
  const workspace = workspaceOf(record.key)
  return untoldSessions(creates.filter((one) => one.workspace === workspace && one.sent < line))
}

/** The form of the list, learned from every one that shows a session of ours. */
function formOf(listings: readonly Listing[], known: ReadonlyMap<string, number>): ListForm {
  const ids = new Set(known.keys())
  return new Map(listings.flatMap(({ data }) => [...listForm(data, ids)]))
}

function listingsByPlace(trace: TraceIndex): ReadonlyMap<string, readonly Listing[]> {
  const listings = exchangesOf(trace, 'list-avatar-sessions').flatMap((record) => {
    const answer = record.scenario === undefined ? undefined : answerOf(record)
    return answer?.kind === 'success' ? [{ record, line: answer.line, data: answer.data }] : []
  })
  return Map.groupBy(listings, ({ record }) => `${record.scenario} ${record.key}`)
}
