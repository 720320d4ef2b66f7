import { type AvatarCreate, bearsMark, marksOf, untoldSessions } from '#judge/creates/avatar-creates'
import { firstPlace } from '#trace/first-place'
import type { ListForm } from '#judge/sessions/listed-sessions'
import { readOnce } from '#judge/read-once'
import type { Report, Rule } from '#judge/rule'
import { isRecording } from '#judge/recordings'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { formOf, knownIds, type Listing, shownIn, type Traffic, trafficByWorkspace } from './refused-creates.ts'

const any: RequirementId = 'errors.envelope.nonzero-code-is-failure'
const byCode: ReadonlyMap<number, RequirementId> = new Map([
  [30006, 'limits.concurrency.refused-create-makes-nothing'],
  [10008, 'limits.api-key-rate.refused-create-makes-nothing'],
])
/** So many unknown sessions at once, one for each refused create, are no coincidence on a key that is for tests alone. */
const conspicuous = { count: 3, key: 'rate_limited' }

/**
 * "Any non-zero `code` means failure" (Conventions): a refused create has made nothing, as List Sessions shows before and
 * after. Others may use the workspace too, so an unknown session counts only where it can't be theirs.
 */
export const madeNothing: Rule = {
  id: 'errors.made-nothing',
  proves: [any, ...byCode.values()],
  judge(trace, report) {
    const traffics = trafficByWorkspace(trace)
    const known = knownIds(trace)
    const form = formOf(trace)
    for (const traffic of traffics.values()) {
      for (const enclosure of enclosures(traffic)) compare({ trace, traffic, known, form, ...enclosure }, report)
    }
  },
}

interface Enclosure {
  /** The last list before them, and the first after them. */
  readonly before: Listing
  readonly after: Listing
  readonly refused: readonly AvatarCreate[]
}

/** Refused creates between two lists. */
function enclosures({ lists, creates }: Traffic): Iterable<Enclosure> {
  const found = new Map<string, { before: Listing; after: Listing; refused: AvatarCreate[] }>()
  const [byAnswer, bySend] = [
    lists.toSorted((one, other) => one.line - other.line),
    lists.toSorted((one, other) => one.sent - other.sent),
  ]
  for (const one of creates) {
    if (one.outcome !== 'refused') continue
    const before = byAnswer[firstPlace(byAnswer, ({ line }) => line >= one.sent) - 1]
    const after = bySend[firstPlace(bySend, ({ sent }) => sent > one.line)]
    if (before === undefined || after === undefined) continue
    const name = `${before.line} ${after.line}`
    const enclosure = found.get(name) ?? { before, after, refused: [] }
    found.set(name, enclosure)
    enclosure.refused.push(one)
  }
  return found.values()
}

interface Comparison extends Enclosure {
  readonly trace: TraceIndex
  readonly traffic: Traffic
  readonly known: ReadonlySet<string>
  readonly form: ListForm
}

function compare(comparison: Comparison, report: Report): void {
  const { before, after, refused, known, form } = comparison
  const rows = new Set([any, ...refused.flatMap(({ code }) => byCode.get(code ?? 0) ?? [])])
  const [old, now] = [shownIn(before, form), shownIn(after, form)]
  const fresh = [...now].filter((id) => !old.has(id) && !known.has(id))
  const proof = proofOf(comparison, { old, fresh, now })
  for (const row of rows) {
    if (form.size === 0)
      report.unobserved(row, 'model_choice', 'List Sessions shows no session that we know', after.line)
    else if (proof !== undefined) {
      const lines = [...refused.map(({ line }) => line).slice(0, 5), after.line]
      report.broken(row, { expected: 'no session of a refused create', got: proof, lines, scenario: after.scenario })
    } else if (fresh.length === 0) report.held(row, before.line, after.line)
    else report.unobserved(row, 'model_choice', 'sessions of others appeared meanwhile', after.line)
  }
}

interface Change {
  readonly old: ReadonlySet<string>
  readonly now: ReadonlySet<string>
  readonly fresh: readonly string[]
}

/** Why a session must be that of a refused create; undefined where nothing shows that. */
function proofOf(comparison: Comparison, change: Change): string | undefined {
  const { fresh } = change
  const early = foretold(comparison, change)
  if (early !== undefined) return `session ${early}, before the create that was answered with it`
  if (fresh.length === 0) return undefined
  const { after, trace, traffic, refused } = comparison
  const shown = fresh.join(', ')
  const before = traffic.creates.filter(({ sent }) => sent < after.sent)
  // An app names its avatars alike in all of its sessions, also in those of instances that a recording does not show.
  const isOurs = !isRecording(trace)
  if (isOurs && bearsMark(trace, marksOf(refused, before), { data: after.data, fresh }))
    return `session ${shown} with its avatar`
  const unexplained = fresh.length - untoldSessions(before)
  if (unexplained <= 0) return undefined
  if (isFull(comparison, change)) return `session ${shown} in a workspace that had no place left`
  const many = refused.length >= conspicuous.count && unexplained >= refused.length
  if (many && after.key === conspicuous.key && !isShared(comparison))
    return `as many new sessions as refused creates: ${shown}`
  return undefined
}

/** Others use the workspace: a session that we don't know was listed, and later not any more. */
function isShared({ traffic, after, known, form }: Comparison): boolean {
  const lists = traffic.lists.filter(({ line }) => line <= after.line)
  const shown = lists.toSorted((one, other) => one.line - other.line).map((list) => shownIn(list, form))
  return shown.some((ids, place) => {
    const next = shown[place + 1]
    return next !== undefined && [...ids].some((id) => !known.has(id) && !next.has(id))
  })
}

/** A session listed before the retry that was answered with it: the refused create had made it. */
function foretold({ trace, traffic, after, refused }: Comparison, { old, now }: Change): string | undefined {
  // A key that made its session before the recording began is answered with it once more.
  if (isRecording(trace)) return undefined
  // An accepted create of the key, or one whose answer was lost, explains the session as well.
  const explains = ({ outcome, sent }: AvatarCreate): boolean =>
    outcome === 'lost' || (outcome === 'made' && sent < after.line)
  const keys = new Set(refused.map(({ idempotencyKey }) => idempotencyKey))
  const retries = [...keys].flatMap((key) => {
    const same = (key === undefined ? undefined : createsByKey(traffic).get(key)) ?? []
    return same.some(explains) ? [] : same
  })
  const isEarly = ({ sent, session }: AvatarCreate): boolean =>
    sent > after.line && session !== undefined && now.has(session) && !old.has(session)
  return retries.find(isEarly)?.session
}

const createsByKey = readOnce(({ creates }: Traffic) => Map.groupBy(creates, ({ idempotencyKey }) => idempotencyKey))

/**
 * Only our sessions were there, a create had just been refused for want of a place, and none was freed since. A recording
 * does not tell: who else uses the workspace is not in it.
 */
function isFull({ trace, traffic, before, after, known, refused }: Comparison, { old }: Change): boolean {
  if (isRecording(trace)) return false
  const answered = traffic.creates.filter(({ outcome }) => outcome !== 'lost')
  const last = answered.filter(({ line }) => line < before.sent).at(-1)
  if (last?.code !== 30006 || old.size === 0 || ![...old].every((id) => known.has(id))) return false
  const freed = traffic.closes.some((line) => line > last.sent && line < after.line)
  const meanwhile = answered.filter(({ sent, line }) => line > before.sent && sent < after.line)
  return !freed && meanwhile.length === refused.length && refused.every(({ code }) => code === 30006)
}
