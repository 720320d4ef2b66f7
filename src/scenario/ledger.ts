import { workspaceOf } from '../law/profile.ts'
import type { Exchange, RestCall } from '../client/types.ts'
import type { KeyName } from '../law/profile.ts'
import type { OperationId } from '../law/tables.ts'
import { isObject } from '../trace/json.ts'
import type { Creation, Resource } from './creations.ts'
import { creationOf, endedBy, endOf, idOf } from './creations.ts'
import type { Journal } from './journal.ts'
import type { Slots } from './slots.ts'

/** Something that a scenario made and that is not known to be gone. */
export interface Thing {
  readonly resource: Resource
  readonly id: string
  readonly key: KeyName
}

type Rest = (operation: OperationId, call: RestCall) => Promise<Exchange>

/** Sees every REST call of one scenario; journals what it makes and ends. */
export interface Ledger {
  /** Sends by `rest`, with the intent on disk before. */
  send(operation: OperationId, call: RestCall, rest: Rest): Promise<Exchange>
  /** Avatar sessions that it holds open in the workspace of the key. */
  holds(key: KeyName): number
  /** Ends everything that is left, newest first; what can't be ended stays in the journal. */
  finish(rest: Rest): Promise<void>
}

export function createLedger(journal: Journal, slots: Slots): Ledger {
  const things = new Map<string, Thing>()
  const add = (thing: Thing): void => {
    things.set(name(thing), thing)
    if (thing.resource === 'avatar-session') slots.pool(thing.key).opened(thing.id)
  }
  const remove = (thing: Thing): void => {
    journal.ended(thing.resource, thing.id)
    things.delete(name(thing))
    if (thing.resource === 'avatar-session') slots.pool(thing.key).closed(thing.id)
  }
  const end = async (thing: Thing, rest: Rest): Promise<void> => {
    const way = endOf(thing.resource)
    if (way === undefined) return
    const answer = await rest(way.operation, { params: { [way.param]: thing.id }, key: thing.key })
    if (isGone(answer)) remove(thing)
    else if (thing.resource === 'avatar-session') slots.pool(thing.key).gaveUp(thing.id)
  }
  return {
    send: async (operation, call, rest) => {
      const creation = creationOf(operation)
      if (creation !== undefined) return make(journal, { creation, operation, call, rest, add })
      const answer = await rest(operation, call)
      const ended = isGone(answer) ? endedThing(things, operation, call) : undefined
      if (ended !== undefined) remove(ended)
      return answer
    },
    holds: (key) => [...things.values()].filter((thing) => holdsPlace(thing, key)).length,
    finish: async (rest) => {
      await Promise.all([...things.values()].toReversed().map((thing) => end(thing, rest)))
    },
  }
}

interface Making {
  readonly creation: Creation
  readonly operation: OperationId
  readonly call: RestCall
  readonly rest: Rest
  readonly add: (thing: Thing) => void
}

async function make(journal: Journal, { creation, operation, call, rest, add }: Making): Promise<Exchange> {
  const key = call.key ?? 'primary'
  const named = key === 'malformed' ? 'none' : key
  const line = journal.intend({ resource: creation.resource, operation, key: named, ...bodyOf(call), ...call.recall })
  const answer = await rest(operation, call).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'BudgetSpent') line.none()
    throw error
  })
  const id = madeNothing(answer) ? undefined : idOf(creation, answer)
  if (id !== undefined) {
    line.created(id)
    add({ resource: creation.resource, id, key: named === 'none' ? 'primary' : named })
  } else if (madeNothing(answer)) line.none()
  return answer
}

function bodyOf({ body }: RestCall) {
  if (!isObject(body)) return {}
  const key = body['idempotency_key']
  return typeof key === 'string' ? { body, idempotency_key: key } : { body }
}

/** A refusal in an envelope, or a request that never got there. Anything else may have made something. */
export function madeNothing({ code, failure }: Exchange): boolean {
  if (code !== undefined) return code !== 0
  return failure === 'refused' || failure === 'dns' || failure === 'tls'
}

/** Ended by us, or not there any more (20005). A success that lacks its envelope is one all the same. */
export function isGone({ code, status }: Exchange): boolean {
  if (code === undefined) return status >= 200 && status < 300
  return code === 0 || code === 20005
}

/** Asked with another workspace's key, 20005 says nothing about the thing. */
function endedThing(things: ReadonlyMap<string, Thing>, operation: OperationId, call: RestCall): Thing | undefined {
  const param = endedBy(operation)?.param
  const id = param === undefined ? undefined : call.params?.[param]
  const key = call.key ?? 'primary'
  if (key === 'none' || key === 'malformed') return undefined
  return [...things.values()].find(
    (thing) => thing.id === id && endOf(thing.resource)?.operation === operation && sameWorkspace(thing.key, key),
  )
}

function holdsPlace(thing: Thing, key: KeyName): boolean {
  return thing.resource === 'avatar-session' && sameWorkspace(thing.key, key)
}

function sameWorkspace(one: KeyName, other: KeyName): boolean {
  return workspaceOf(one) === workspaceOf(other)
}

function name({ resource, id }: Thing): string {
  return `${resource} ${id}`
}
