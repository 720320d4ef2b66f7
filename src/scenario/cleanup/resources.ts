import { workspaceOf } from '#spec/profile'
import type { Exchange, RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import { isObject } from '#trace/json'
import { Blocked } from '../author/blocked.ts'
import type { Creation, ResourceKind } from '../journal/creations.ts'
import { creationOf, endedBy, endOf, keyToEnd } from '../journal/creations.ts'
import type { Leftovers } from './leftovers.ts'
import type { Journal, JournalledCreate } from '../journal/journal.ts'
import { madeBy } from './made.ts'
import { getters, isGone, isRefused, isThere, shownState, stillThere, whyNot } from './over.ts'
import { kinds } from './search-lost.ts'
import type { Slots } from '../runner/slots.ts'

/** Something that a scenario made and that is not known to be gone. */
export interface Resource {
  readonly resource: ResourceKind
  readonly id: string
  readonly key: KeyName
}

type Rest = (operation: OperationId, call: RestCall) => Promise<Exchange>

/** How resources are cleaned up. */
export interface Cleaner {
  readonly rest: Rest
  /** Lets reads catch up with what was written. */
  readonly lag: () => Promise<void>
  /** Whether the key may send a few requests more without waiting for its limit. */
  readonly room: (key: KeyName) => boolean
}

/** Sees every REST call of one scenario; journals what it makes and ends. */
export interface Resources {
  /**
   * Sends by `rest`, with the intent on disk before.
   *
   * @throws Blocked where too much of the kind could not be ended
   */
  send(operation: OperationId, call: RestCall, rest: Rest): Promise<Exchange>
  /** Avatar sessions that it holds open in the workspace of the key. */
  holds(key: KeyName): number
  /** Ends everything that is left, newest first; what can't be ended stays in the journal. */
  finish(cleaner: Cleaner): Promise<void>
}

export interface ResourcesTools {
  readonly journal: Journal
  readonly slots: Slots
  readonly leftovers: Leftovers
  /** How far reads may be behind. */
  readonly lag_ms: number
}

export function trackResources(tools: ResourcesTools): Resources {
  const things = new Map<string, Resource>()
  const tracked: Tracked = { ...tools, things, gone: new Map(), refused: new Set() }
  return {
    send: async (operation, call, rest) => {
      const creation = creationOf(operation)
      if (creation !== undefined) return make(tracked, { creation, operation, call, rest })
      const answer = await rest(operation, call)
      const ended = endedThing(tracked, operation, call)
      if (ended !== undefined && isRefused(answer)) tracked.refused.add(name(ended))
      if (ended !== undefined && isEnded(ended, call, answer)) remove(tracked, ended)
      else doubtIfOpen(tracked, operation, call, answer)
      doubtIfUnknown(tracked, operation, call, answer)
      return answer
    },
    holds: (key) => [...things.values()].filter((thing) => holdsPlace(thing, key)).length,
    finish: async (cleaner) => {
      const now = [...things.values()].toReversed().filter((thing) => !isForLater(tracked, thing, cleaner))
      await Promise.all(now.map((thing) => end(tracked, thing, cleaner)))
      for (const thing of things.values()) giveUp(tracked, thing)
    },
  }
}

/** What one scenario made: what is there, and what is not any more, by the target's word. */
interface Tracked extends ResourcesTools {
  readonly things: Map<string, Resource>
  readonly gone: Map<string, Resource & { readonly since: number }>
  /** Names of those that the target would not end. */
  readonly refused: Set<string>
}

function add({ things, slots, leftovers }: Tracked, thing: Resource): void {
  things.set(name(thing), thing)
  leftovers.made(thing.id)
  if (thing.resource === 'avatar-session') slots.pool(thing.key).opened(thing.id)
}

function remove({ journal, things, gone, slots, leftovers }: Tracked, thing: Resource): void {
  journal.ended(thing.resource, thing.id)
  things.delete(name(thing))
  gone.set(name(thing), { ...thing, since: performance.now() })
  leftovers.over(thing.resource, thing.id)
  if (thing.resource === 'avatar-session') slots.pool(thing.key).closed(thing.id)
}

function giveUp({ slots }: Tracked, thing: Resource): void {
  if (thing.resource === 'avatar-session') slots.pool(thing.key).gaveUp(thing.id)
}

interface Making {
  readonly creation: Creation
  readonly operation: OperationId
  readonly call: RestCall
  readonly rest: Rest
}

async function make(tracked: Tracked, { creation, operation, call, rest }: Making): Promise<Exchange> {
  const { journal, leftovers } = tracked
  const { resource } = creation
  const obstacle = leftovers.obstacle(resource)
  if (obstacle !== undefined) throw new Blocked(obstacle.code, obstacle.reason)
  const key = call.key ?? 'primary'
  const named = key === 'malformed' ? 'none' : key
  const line = journal.intend({ resource, operation, key: named, ...bodyOf(call), ...call.recall })
  const answer = await rest(operation, call).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'BudgetSpent') line.none()
    throw error
  })
  for (const id of note(line, madeBy(creation, answer))) {
    add(tracked, { resource, id, key: keyToEnd(named) })
  }
  return answer
}

/** Writes down what came of a create. @returns ids of what was made */
function note(line: JournalledCreate, made: ReturnType<typeof madeBy>): readonly string[] {
  if (typeof made !== 'string') {
    for (const id of made) line.created(id)
    return made
  }
  if (made === 'nothing') line.none()
  else if (made !== 'lost') line.vague(made)
  return []
}

function bodyOf({ body }: RestCall) {
  if (!isObject(body)) return {}
  const key = body['idempotency_key']
  return typeof key === 'string' ? { body, idempotency_key: key } : { body }
}

/** Nobody waits for a limit to pass, that of a minute, to hear the same refusal again, or on the key whose limit was crossed. */
function isForLater({ refused }: Tracked, thing: Resource, { room }: Cleaner): boolean {
  return (refused.has(name(thing)) || thing.key === 'rate_limited') && !room(thing.key)
}

/** Ends one thing; where something spoke against the target's word, looks whether it is over. */
async function end(tracked: Tracked, thing: Resource, { rest, lag, room }: Cleaner): Promise<void> {
  const { leftovers, journal } = tracked
  const { resource, id, key } = thing
  const way = endOf(resource)
  if (way === undefined) return
  const call: RestCall = { params: { [way.param]: id }, key }
  const getter = getters[resource]
  const look = async () => (getter === undefined ? 'hidden' : shownState(resource, await rest(getter, call)))
  // Whose limit was crossed on purpose is not waited for here: all that is left is ended when the run is over.
  const crossed = key === 'rate_limited'
  const answer = await rest(way.operation, crossed ? { ...call, retry: 'never' } : call)
  if (crossed && answer.status === 429) return
  if (isRefused(answer)) {
    if (!room(key)) return
    const shown = await look()
    if (shown === 'over') remove(tracked, thing)
    // What is early is ended when the run is over.
    else if (shown !== 'early') leftovers.stands(resource, id, whyNot(answer))
  } else if (isGone(answer)) {
    remove(tracked, thing)
    if (!room(key) || !leftovers.looks(resource) || !isThere(await look())) return
    await lag()
    if (!isThere(await look())) return
    await rest(way.operation, call)
    if (!isThere(await look())) return
    journal.doubt({ resource, id, key })
    leftovers.stands(resource, id, stillThere)
  }
}

/** Asked with another key than that which made it, 20005 says nothing about the thing. */
function isEnded(thing: Resource, { key = 'primary' }: RestCall, answer: Exchange): boolean {
  return isGone(answer) && (answer.code !== 20005 || key === thing.key)
}

function endedThing({ things }: Tracked, operation: OperationId, call: RestCall): Resource | undefined {
  const param = endedBy(operation)?.param
  const id = param === undefined ? undefined : call.params?.[param]
  const key = call.key ?? 'primary'
  if (key === 'none' || key === 'malformed') return undefined
  return [...things.values()].find(
    (thing) => thing.id === id && endOf(thing.resource)?.operation === operation && sameWorkspace(thing.key, key),
  )
}

/**
 * A thing that was ended and is shown as open: reads may lag, or the target's word is not to be trusted. It is not where
 * they had time to catch up.
 */
function doubtIfOpen(
  { gone, leftovers, journal, lag_ms }: Tracked,
  operation: OperationId,
  call: RestCall,
  answer: Exchange,
): void {
  const id = Object.values(call.params ?? {})[0]
  const thing = [...gone.values()].find((one) => one.id === id && getters[one.resource] === operation)
  if (thing === undefined) return
  const { resource, key, since } = thing
  const shown = shownState(resource, answer)
  if (shown === 'over') leftovers.over(resource, thing.id)
  if (!isThere(shown)) return
  if (performance.now() - since > lag_ms) leftovers.stands(resource, thing.id, stillThere)
  else leftovers.doubt(resource)
  journal.doubt({ resource, id: thing.id, key })
}

const lists: { readonly [operation in OperationId]?: 'avatar-session' | 'character' } = {
  'list-avatar-sessions': 'avatar-session',
  'list-characters': 'character',
}

/** A list shows what no create of this run was answered with: it is somebody else's, or was made without a word. */
function doubtIfUnknown(
  { leftovers, journal }: Tracked,
  operation: OperationId,
  call: RestCall,
  answer: Exchange,
): void {
  const resource = lists[operation]
  const { key = 'primary' } = call
  if (resource === undefined || !answer.ok || key === 'none' || key === 'malformed') return
  const ids = [...(kinds[resource]?.ids(answer.data) ?? [])]
  if (ids.some((id) => !leftovers.knows(id))) journal.doubt({ resource, key: workspaceOf(key) })
}

function holdsPlace(thing: Resource, key: KeyName): boolean {
  return thing.resource === 'avatar-session' && sameWorkspace(thing.key, key)
}

function sameWorkspace(one: KeyName, other: KeyName): boolean {
  return workspaceOf(one) === workspaceOf(other)
}

function name({ resource, id }: Resource): string {
  return `${resource} ${id}`
}
