import { answerOf } from '#judge/answers'
import type { Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { workspaceOf } from '#spec/profile'
import { isMishap } from '#spec/tables'
import { at, isObject, type Json, stringAt, textsIn } from '#trace/json'
import { shortest } from './marks.ts'

const any: RequirementId = 'errors.envelope.nonzero-code-is-failure'
const byCode: ReadonlyMap<number, readonly RequirementId[]> = new Map([
  [30006, ['limits.concurrency.refused-create-makes-nothing']],
])

/**
 * A session that Get shows, that no create of this run was answered with, and whose avatar stands in no body but those of
 * creates that were refused (or of a character from which every start was): the refused one has made it.
 */
export const leftOpen: Rule = {
  id: 'errors.left-open',
  proves: [any, ...[...byCode.values()].flat()],
  judge(trace, report) {
    const all = creations(trace)
    const made = new Set(all.flatMap(({ session }) => session ?? []))
    for (const { operation, key, attempts, scenario } of trace.exchanges.values()) {
      if (operation !== 'get-avatar-session') continue
      const path = attempts[0]?.request.entry.path ?? ''
      const id = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
      const response = attempts.at(-1)?.response
      if (made.has(id) || response === undefined) continue
      const data = at(response.entry.body, '/data')
      const here = all.filter((one) => one.workspace === workspaceOf(key) && one.line < response.line)
      const taken = new Set(here.flatMap(({ code, avatars }) => (code === 0 ? avatars : [])))
      // The last one before it was found: the same character may have been started in vain before.
      const owner = here.findLast(
        ({ code, avatars }) => code !== 0 && avatars.some((one) => !taken.has(one) && textsIn(data).includes(one)),
      )
      if (owner === undefined) continue
      for (const row of [any, ...(byCode.get(owner.code) ?? [])]) {
        report.broken(row, {
          expected: 'no session of a refused create',
          got: `session ${id} with its avatar`,
          lines: [owner.line, response.line],
          scenario,
        })
      }
    }
  },
}

/** One create or start that was answered. */
interface Creation {
  readonly workspace: string
  readonly line: number
  /** 0 for a session that was made. */
  readonly code: number
  readonly session: string | undefined
  /** Ids of the avatars that it would have. */
  readonly avatars: readonly string[]
}

function creations(trace: TraceIndex): readonly Creation[] {
  const saved = new Map<string, readonly string[]>()
  const found: Creation[] = []
  for (const record of trace.exchanges.values()) {
    const body = record.attempts[0]?.request.entry.body
    const answer = answerOf(record)
    if (answer.kind !== 'success' && (answer.kind !== 'failure' || isMishap(answer))) continue
    const data = answer.kind === 'success' ? answer.data : undefined
    const character = stringAt(data, '/character_id')
    if (record.operation === 'create-character' && character !== undefined) saved.set(character, avatarsIn(body))
    const started = record.operation === 'create-session-from-character'
    if (record.operation !== 'create-avatar-session' && !started) continue
    const avatars = started ? (saved.get(stringAt(body, '/character_id') ?? '') ?? []) : avatarsIn(body)
    const session = stringAt(data, '/session_id')
    const { line } = answer
    found.push({
      workspace: workspaceOf(record.key),
      line,
      code: answer.kind === 'failure' ? answer.code : 0,
      session,
      avatars,
    })
  }
  return found
}

function avatarsIn(body: Json | undefined): readonly string[] {
  const avatars = isObject(body) ? at(body, '/avatars') : undefined
  const ids = Array.isArray(avatars) ? (avatars as readonly Json[]).map((one) => at(one, '/avatar_id')) : []
  return ids.filter((id): id is string => typeof id === 'string' && id.length >= shortest)
}
