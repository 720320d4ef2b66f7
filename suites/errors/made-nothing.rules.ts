import type { ListForm } from '#judge/listed-sessions'
import type { Report, Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import {
  type Create,
  formOf,
  knownIds,
  type Listing,
  shownIn,
  type Traffic,
  trafficByWorkspace,
} from './refused-creates.ts'
import { bearsMark } from './marks.ts'

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
  readonly refused: readonly Create[]
}

/** Refused creates between two lists. */
function enclosures({ lists, creates }: Traffic): Iterable<Enclosure> {
  const found = new Map<string, { before: Listing; after: Listing; refused: Create[] }>()
  const [byAnswer, bySend] = [
    lists.toSorted((one, other) => one.line - other.line),
    lists.toSorted((one, other) => one.sent - other.sent),
  ]
  for (const one of creates) {
    const before = one.code === 0 ? undefined : byAnswer.findLast(({ line }) => line < one.sent)
    const after = bySend.find(({ sent }) => sent > one.line)
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
  const rows = new Set([any, ...refused.flatMap(({ code }) => byCode.get(code) ?? [])])
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
  const accepted = traffic.creates.filter(({ code, line }) => code === 0 && line < after.sent)
  if (bearsMark(trace, { refused, taking: [...accepted, ...traffic.lostBodies] }, { data: after.data, fresh }))
    return `session ${shown} with its avatar`
  if (isFull(comparison, change)) return `session ${shown} in a workspace that had no place left`
  const many = refused.length >= conspicuous.count && fresh.length >= refused.length
  if (many && after.key === conspicuous.key) return `as many new sessions as refused creates: ${shown}`
  return undefined
}

/** A session listed before the retry that was answered with it: the refused create had made it. */
function foretold({ traffic, after, refused }: Comparison, { now }: Change): string | undefined {
  // An accepted create of the key, or one whose answer was lost, explains the session as well.
  const made = traffic.creates.filter(({ code, sent }) => code === 0 && sent < after.line)
  const explained = new Set([...traffic.lost, ...made.flatMap(({ again }) => again ?? [])])
  const keys = new Set(refused.flatMap(({ again }) => again ?? [])).difference(explained)
  const later = traffic.creates.filter(({ sent, again }) => sent > after.line && again !== undefined && keys.has(again))
  return later.find(({ session }) => session !== undefined && now.has(session))?.session
}

/**
 * Only our sessions were there, a create had just been refused for want of a place, and none was freed since. A recording
 * does not tell: who else uses the workspace is not in it.
 */
function isFull({ trace, traffic, before, after, known, refused }: Comparison, { old }: Change): boolean {
  if (trace.header?.recording !== undefined) return false
  const last = traffic.creates.filter(({ line }) => line < before.sent).at(-1)
  if (last?.code !== 30006 || old.size === 0 || ![...old].every((id) => known.has(id))) return false
  const freed = traffic.closes.some((line) => line > last.sent && line < after.line)
  const meanwhile = traffic.creates.filter(({ sent, line }) => line > before.sent && sent < after.line)
  return !freed && meanwhile.length === refused.length && refused.every(({ code }) => code === 30006)
}
