import type { Report, Rule } from '#judge/rule'
import { answerTo } from '#judge/answers'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { at } from '#trace/json'
import { sessionIn } from '#judge/sessions/session-in'

type Kind = 'avatar' | 'world'

const kinds = {
  'create-avatar-session': 'avatar',
  'create-session-from-character': 'avatar',
  'create-world-session': 'world',
} as const

const rows: { readonly [kind in Kind]: RequirementId } = {
  avatar: 'errors.code-20005.get-unknown-avatar-session',
  world: 'world-sessions.code-20005.get-unknown',
}

/** A session of one kind is unknown among those of the other: its id finds nothing there (20005). */
export const otherWorkspaces: Rule = {
  id: 'world-sessions.other-workspaces',
  proves: Object.values(rows),
  judge(trace, report) {
    const ids = { avatar: new Set<string>(), world: new Set<string>() }
    for (const { operation, attempts } of trace.exchanges.values()) {
      const kind = kinds[operation as keyof typeof kinds]
      if (kind !== undefined) for (const attempt of attempts) note(answerTo(attempt), ids[kind])
    }
    // Counters may give the same id to sessions of either kind.
    if (!areDrawn(ids.avatar) || !areDrawn(ids.world)) return
    judgeGets(trace, 'avatar', ids, report)
    judgeGets(trace, 'world', ids, report)
  },
}

function note(answer: ReturnType<typeof answerTo>, ids: Set<string>): void {
  const id = answer.kind === 'success' ? at(answer.data, '/session_id') : undefined
  if (typeof id === 'string' && id !== '') ids.add(id)
}

/** Any two of them differ in so many places that they were not counted. */
const placesApart = 6

function areDrawn(ids: ReadonlySet<string>): boolean {
  const sorted = [...ids].toSorted()
  return sorted.length > 1 && sorted.slice(1).every((id, place) => distance(id, sorted[place] ?? '') >= placesApart)
}

function distance(one: string, other: string): number {
  return Array.from(one).filter((character, place) => character !== other[place]).length
}

/** Beside a Get that found a session of its own kind; what refuses the id under another code is no proof of a finding. */
function judgeGets(
  trace: TraceIndex,
  kind: Kind,
  ids: { readonly [kind in Kind]: ReadonlySet<string> },
  report: Report,
): void {
  const strange = ids[kind === 'avatar' ? 'world' : 'avatar']
  const gets = [...trace.exchanges.values()].filter(({ operation }) => operation === `get-${kind}-session`)
  const looks = gets.flatMap(({ scenario, attempts }) =>
    attempts.map((attempt) => ({
      scenario,
      id: sessionIn(attempt.request.entry.path) ?? '',
      answer: answerTo(attempt),
    })),
  )
  if (!looks.some(({ id, answer }) => answer.kind === 'success' && ids[kind].has(id))) return
  for (const { scenario, id, answer } of looks) {
    if (!strange.has(id) || ids[kind].has(id)) continue
    const lines = [answer.line]
    if (answer.kind === 'success') {
      report.broken(rows[kind], { expected: 'code 20005', got: `the session ${id}, of another kind`, lines, scenario })
    } else if (answer.kind === 'failure' && answer.code === 20005) report.held(rows[kind], ...lines)
  }
}
