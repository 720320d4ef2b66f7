import { workspaceOf } from '#spec/profile'
import { type Answer, answerTo } from '#judge/answers'
import { type ListForm, listedIds, listForm } from '#judge/listed-sessions'
import { readOnce } from '#judge/read-once'
import type { TraceIndex } from '#judge/trace-index'
import { isMishap } from '#spec/tables'
import { at, isObject, type Json } from '#trace/json'

/** One answer of List Sessions. */
export interface Listing {
  readonly key: string
  /** Lines of the request and of the answer. */
  readonly sent: number
  readonly line: number
  readonly data: Json | undefined
  readonly scenario: string | undefined
}

/** One answer to a create, with the attempt's own lines. */
export interface Create {
  readonly key: string
  readonly sent: number
  readonly line: number
  /** 0 for a session that was made. */
  readonly code: number
  readonly session: string | undefined
  readonly body: Json | undefined
  readonly again: string | undefined
  readonly scenario: string | undefined
}

const creating = new Set(['create-avatar-session', 'create-session-from-character'])
const closing = 'close-avatar-session'

/** What happened to the avatar sessions of one workspace, in the order of the answers. */
export interface Traffic {
  readonly creates: readonly Create[]
  readonly lists: readonly Listing[]
  /** Lines at which closes were sent. */
  readonly closes: readonly number[]
  /** Idempotency keys of creates that got no answer of the service, or failed inside it: they may have made something. */
  readonly lost: ReadonlySet<string>
  /** Their bodies. */
  readonly lostBodies: readonly Pick<Create, 'body'>[]
}

/** All that a trace shows of creates and lists, by workspace. */
export const trafficByWorkspace = readOnce(readTraffic)

function readTraffic(trace: TraceIndex): ReadonlyMap<string, Traffic> {
  const found = new Map<
    string,
    { creates: Create[]; lists: Listing[]; closes: number[]; lost: Set<string>; lostBodies: Pick<Create, 'body'>[] }
  >()
  for (const { key, operation, scenario, attempts } of trace.exchanges.values()) {
    const name = workspaceOf(key)
    const traffic = found.get(name) ?? { creates: [], lists: [], closes: [], lost: new Set<string>(), lostBodies: [] }
    found.set(name, traffic)
    for (const attempt of attempts) {
      const sent = attempt.request.line
      const { body } = attempt.request.entry
      if (operation === closing) traffic.closes.push(sent)
      const answer = answerTo(attempt)
      // A 5xx by which the service fails inside may have made something all the same: that is why a create is retried.
      if ((answer.kind !== 'success' && answer.kind !== 'failure') || isFault(answer)) {
        traffic.lost.add(keyIn(body) ?? '')
        traffic.lostBodies.push({ body })
        continue
      }
      const common = { key, sent, line: answer.line, scenario }
      const data = answer.kind === 'success' ? answer.data : undefined
      if (operation === 'list-avatar-sessions' && answer.kind === 'success') traffic.lists.push({ ...common, data })
      if (operation === null || !creating.has(operation)) continue
      const code = answer.kind === 'success' ? 0 : answer.code
      traffic.creates.push({ ...common, code, session: sessionIn(data), body, again: keyIn(body) })
    }
  }
  return found
}

/** The form of List Sessions, learned from all of them. */
export const formOf = readOnce((trace: TraceIndex): ListForm => {
  const known = knownIds(trace)
  const traffics = [...trafficByWorkspace(trace).values()]
  return new Map(traffics.flatMap(({ lists }) => lists.flatMap(({ data }) => [...listForm(data, known)])))
})

/** Ids of all sessions that some create of the run made. */
export const knownIds = readOnce((trace: TraceIndex): ReadonlySet<string> => {
  const traffics = [...trafficByWorkspace(trace).values()]
  return new Set(traffics.flatMap(({ creates }) => creates.flatMap(({ session }) => session ?? [])))
})

export function shownIn(listing: Listing, form: ListForm): ReadonlySet<string> {
  return listedIds(listing.data, form)
}

function isFault(answer: Answer): boolean {
  return answer.kind === 'failure' && isMishap(answer)
}

function sessionIn(data: Json | undefined): string | undefined {
  const id = at(data, '/session_id')
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

function keyIn(body: Json | undefined): string | undefined {
  const key = isObject(body) ? at(body, '/idempotency_key') : undefined
  return typeof key === 'string' && key !== '' ? key : undefined
}
