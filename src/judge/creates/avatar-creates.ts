import { isRecording } from '../recordings.ts'
import { workspaceOf } from '#spec/profile'
import { isMishap } from '#spec/tables'
import { at, type Json, listAt, textAt, textsIn } from '#trace/json'
import { answerTo } from '../answers.ts'
import { createsAvatarSession, firstGot } from '../operations.ts'
import { readOnce } from '../read-once.ts'
import type { Attempt, ExchangeRecord, TraceIndex } from '../trace-index.ts'

/** One attempt to make an avatar session, from a body or from a character, with what came of it. */
export interface AvatarCreate {
  readonly operation: string
  readonly exchange: number
  readonly key: string
  readonly workspace: string
  readonly scenario: string | undefined
  /** Lines of the request, and of the answer or of what came in its place. */
  readonly sent: number
  readonly line: number
  /**
   * `lost`: without an answer of the service, or failed inside it. It may have made a session all the same: that is why a
   * create is tried again (section 7).
   */
  readonly outcome: 'made' | 'refused' | 'lost'
  /** Of the answer: 0 for a session that was made, undefined for what was lost. */
  readonly code: number | undefined
  readonly session: string | undefined
  readonly idempotencyKey: string | undefined
  /** Ids of the avatars that its session has, or would have. */
  readonly avatars: readonly string[]
}

/** Every attempt to make an avatar session, by exchange in the order in which they were begun. */
export const avatarCreates = readOnce((trace: TraceIndex): readonly AvatarCreate[] => {
  const saved = savedAvatars(trace)
  return [...trace.exchanges.values()].flatMap((record) => {
    const { operation, attempts } = record
    if (!createsAvatarSession(operation)) return []
    return attempts.map((attempt) => {
      const { body } = attempt.request.entry
      const character = operation === 'create-avatar-session' ? undefined : textAt(body, '/character_id')
      const avatars = [...avatarsIn(body), ...(saved.get(character ?? '') ?? [])]
      const who = whoAsked(record)
      const came = whatCame(attempt)
      return {
        operation,
        ...who,
        ...(isSwept(trace, who, came) ? unknown(came) : came),
        sent: attempt.request.line,
        avatars,
      }
    })
  })
})

function whoAsked({ exchange, key, scenario, attempts }: ExchangeRecord) {
  const idempotencyKey = textAt(attempts[0]?.request.entry.body, '/idempotency_key')
  return { exchange, key, workspace: workspaceOf(key), scenario, idempotencyKey }
}

/**
 * Cleanup sends a create again whose answer was lost, maybe to a run that was killed: it made what it made, whatever it is
 * refused for now.
 */
function isSwept(
  { header }: TraceIndex,
  { scenario, idempotencyKey }: Pick<AvatarCreate, 'scenario' | 'idempotencyKey'>,
  { outcome }: Pick<AvatarCreate, 'outcome'>,
): boolean {
  if (isRecording({ header })) return false
  return outcome === 'refused' && scenario === undefined && idempotencyKey !== undefined
}

const unknown = ({ line }: Pick<AvatarCreate, 'line'>) =>
  ({ line, outcome: 'lost', code: undefined, session: undefined }) as const

function whatCame(attempt: Attempt): Pick<AvatarCreate, 'line' | 'outcome' | 'code' | 'session'> {
  const answer = answerTo(attempt)
  const { line } = answer
  if (answer.kind === 'success') return { line, outcome: 'made', code: 0, session: idAt(answer.data, '/session_id') }
  if (answer.kind === 'failure' && !isMishap(answer))
    return { line, outcome: 'refused', code: answer.code, session: undefined }
  return { line, outcome: 'lost', code: undefined, session: undefined }
}

/** By the id of a character the avatars that were ever saved with it: a start may come before or after a change. */
function savedAvatars(trace: TraceIndex): ReadonlyMap<string, ReadonlySet<string>> {
  const saved = new Map<string, Set<string>>()
  for (const { operation, attempts } of trace.exchanges.values()) {
    for (const attempt of attempts) {
      const answer = answerTo(attempt)
      if (answer.kind === 'failure' && !isMishap(answer)) continue
      const data = answer.kind === 'success' ? answer.data : undefined
      const { body, path } = attempt.request.entry
      const named = operation === 'replace-character' ? path.slice(path.lastIndexOf('/') + 1) : undefined
      const character = textAt(data, '/character_id') ?? named
      if (character === undefined) continue
      const ids = saved.get(character) ?? new Set<string>()
      saved.set(character, ids)
      for (const id of [...avatarsIn(body), ...avatarsIn(data)]) ids.add(id)
    }
  }
  return saved
}

function avatarsIn(configuration: Json | undefined): readonly string[] {
  return listAt(configuration, '/avatars').flatMap((avatar) => textAt(avatar, '/avatar_id') ?? [])
}

function idAt(data: Json | undefined, place: string): string | undefined {
  const id = at(data, place)
  return typeof id === 'number' ? String(id) : textAt(data, place)
}

/** Shorter words may occur anywhere. */
const shortestMark = 9

/**
 * Avatars that only refused creates had: a session with one of them was made by what was refused.
 *
 * @param creates all that may have made the session
 */
export function marksOf(refused: readonly AvatarCreate[], creates: readonly AvatarCreate[]): readonly string[] {
  const taken = new Set(creates.flatMap(({ outcome, avatars }) => (outcome === 'refused' ? [] : avatars)))
  return refused.flatMap(({ avatars }) => avatars).filter((id) => id.length >= shortestMark && !taken.has(id))
}

/** Whether a list, or what Get says of its new sessions, shows one of the marks. */
export function bearsMark(
  trace: TraceIndex,
  marks: readonly string[],
  { data, fresh }: { readonly data: Json | undefined; readonly fresh: readonly string[] },
): boolean {
  const shown = new Set([data, ...fresh.map((id) => firstGot(trace, id))].flatMap(textsIn))
  return marks.some((mark) => shown.has(mark))
}

/** How many sessions those creates may have made of which nobody was told: a lost one tried again with success is not among them. */
export function untoldSessions(creates: readonly AvatarCreate[]): number {
  const told = new Set(
    creates.flatMap(({ outcome, idempotencyKey }) => (outcome === 'made' ? (idempotencyKey ?? []) : [])),
  )
  const untold = creates.filter(({ outcome }) => outcome === 'lost')
  return untold.filter(({ idempotencyKey }) => idempotencyKey === undefined || !told.has(idempotencyKey)).length
}
