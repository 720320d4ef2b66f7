import type { Exchange } from '#client/types'
import { listedIds, listForm } from '#judge/sessions/listed-sessions'
import { isObject, type Json } from '#trace/json'
import { isOver, statesIn } from './context-closed.ts'
import type { Pool } from './pool.ts'

/** Closed sessions that are looked at, the latest ones. */
const lookedAt = 3

export interface HolderTools {
  readonly list: () => Promise<Exchange>
  readonly get: (id: string) => Promise<Exchange>
  /** Sessions of the run in all workspaces: two keys may have one workspace, whatever their names. */
  readonly known: ReadonlySet<string>
  /** How far what is read may be behind what was written. */
  readonly lag_ms: number
}

/**
 * Who holds the places of a full workspace: others; sessions of ours that are about to end; sessions of ours that stay
 * though they were closed; nobody that anything shows; or the target shows too little to tell.
 */
export type Holders = 'others' | 'ending' | 'stuck' | 'nobody' | 'unknown'

/** Asks List Sessions for others, and Get for what became of the sessions that were closed last. */
export async function holdersOf(pool: Pool, { list, get, known, lag_ms }: HolderTools): Promise<Holders> {
  const listed = await list()
  const sight = listed.ok ? othersIn(listed.data, known, pool.known) : 'unknown'
  if (sight !== 'none') return sight
  const latest = [...pool.ended].slice(-lookedAt)
  if (latest.length === 0) return 'unknown'
  const seen = await Promise.all(latest.map(async ([id, since]) => stateOf(await get(id), since, lag_ms)))
  if (seen.includes('unknown')) return 'unknown'
  if (seen.includes('ending')) return 'ending'
  return seen.includes('stuck') ? 'stuck' : 'nobody'
}

function stateOf(answer: Exchange, since: number, lag_ms: number): 'over' | 'ending' | 'stuck' | 'unknown' {
  const states = statesIn(answer)
  if (isOver(answer, states)) return 'over'
  if (states.includes('closing')) return 'ending'
  if (!answer.ok || states.length === 0) return 'unknown'
  return performance.now() - since > lag_ms ? 'stuck' : 'ending'
}

/**
 * The payload of List is not shown: what stands where known ids stand is an id, and what holds nothing shows nobody. A session
 * that the run made by another key of the same workspace holds a place, too: its end is waited for like that of other people's.
 */
function othersIn(
  data: Json | undefined,
  known: ReadonlySet<string>,
  own: ReadonlySet<string>,
): 'others' | 'none' | 'unknown' {
  const form = listForm(data, known)
  if (form.size > 0) return [...listedIds(data, form)].some((id) => !own.has(id)) ? 'others' : 'none'
  return isEmpty(data) ? 'none' : 'unknown'
}

function isEmpty(data: Json | undefined): boolean {
  if (Array.isArray(data)) return data.length === 0
  return (
    isObject(data) &&
    Object.values(data).every((value) => (Array.isArray(value) || isObject(value) ? isEmpty(value) : true))
  )
}
