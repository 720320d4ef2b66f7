import { workspaceOf } from '#spec/profile'
import { answerTo } from '#judge/answers'
import { type AvatarCreate, avatarCreates } from '#judge/creates/avatar-creates'
import { isAskedInPart, type ListForm, listedIds, listForm } from '#judge/sessions/listed-sessions'
import { exchangesOf } from '#judge/operations'
import { readOnce } from '#judge/read-once'
import type { TraceIndex } from '#judge/trace-index'
import type { Json } from '#trace/json'

/** One answer of List Sessions. */
export interface Listing {
  readonly key: string
  /** Lines of the request and of the answer. */
  readonly sent: number
  readonly line: number
  readonly data: Json | undefined
  readonly scenario: string | undefined
}

/** What happened to the avatar sessions of one workspace, in the order of the answers. */
export interface Traffic {
  readonly creates: readonly AvatarCreate[]
  readonly lists: readonly Listing[]
  /** Lines at which closes were sent. */
  readonly closes: readonly number[]
}

/** All that a trace shows of creates and lists, by workspace. */
export const trafficByWorkspace = readOnce((trace: TraceIndex): ReadonlyMap<string, Traffic> => {
  const lists = Map.groupBy(listings(trace), ({ key }) => workspaceOf(key))
  const closes = Map.groupBy(exchangesOf(trace, 'close-avatar-session'), ({ key }) => workspaceOf(key))
  const creates = Map.groupBy(avatarCreates(trace), ({ workspace }) => workspace)
  return new Map(
    [...lists].map(([workspace, found]) => {
      const ends = closes.get(workspace) ?? []
      const sent = ends.flatMap(({ attempts }) => attempts.map(({ request }) => request.line))
      return [workspace, { creates: creates.get(workspace) ?? [], lists: found, closes: sent }]
    }),
  )
})

function listings(trace: TraceIndex): readonly Listing[] {
  return exchangesOf(trace, 'list-avatar-sessions').flatMap(({ key, scenario, attempts }) =>
    attempts.flatMap((attempt) => {
      const answer = answerTo(attempt)
      if (answer.kind !== 'success' || isAskedInPart(attempt.request.entry)) return []
      return [{ key, sent: attempt.request.line, line: answer.line, data: answer.data, scenario }]
    }),
  )
}

/** The form of List Sessions, learned from all of them. */
export const formOf = readOnce((trace: TraceIndex): ListForm => {
  const known = knownIds(trace)
  const traffics = [...trafficByWorkspace(trace).values()]
  return new Map(traffics.flatMap(({ lists }) => lists.flatMap(({ data }) => [...listForm(data, known)])))
})

/** Ids of all sessions that some create of the run made. */
export const knownIds = readOnce(
  (trace: TraceIndex): ReadonlySet<string> => new Set(avatarCreates(trace).flatMap(({ session }) => session ?? [])),
)

export function shownIn(listing: Listing, form: ListForm): ReadonlySet<string> {
  return listedIds(listing.data, form)
}
