import type { Exchange, RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import { at, isObject, type Json, type JsonObject, textsIn } from '#trace/json'
import type { ResourceKind } from '../journal/creations.ts'
import { idsIn, idsLike } from '../author/session-ids.ts'

/** Pauses between two looks: a target may still be at work on the create that somebody no longer waits for. */
const pauses_ms = [500, 2_000]
/** How long a search takes that finds nothing, in milliseconds. */
export const searchMs = pauses_ms.reduce((sum, ms) => sum + ms, 0)

/** Things of others that are looked at, at most. */
const most = 100

export interface SearchTools {
  readonly rest: (operation: OperationId, call: RestCall) => Promise<Exchange>
  /** Ids that the journal names: none of them is the lost one. */
  readonly known: ReadonlySet<string>
  /** Lets time pass between two looks; where missing, one look is all. */
  readonly pause?: ((ms: number) => Promise<void>) | undefined
}

/** What is searched for: by whose key, and which text it holds. */
export interface Wanted {
  readonly resource: ResourceKind
  readonly key: KeyName
  readonly mark: string
  /** Whether that text is its name. */
  readonly named: boolean
}

/** The id that was searched for; that there is no such thing; or that the target shows too little to tell. */
export type Found = { readonly id: string } | 'none' | 'hidden'

/** How the interface shows things of a kind. */
export interface Kind {
  readonly list: OperationId
  readonly query: { readonly [name: string]: string }
  readonly get: OperationId
  readonly param: string
  readonly ids: (data: Json | undefined, known?: ReadonlySet<string>) => Iterable<string>
  /** Whether what is shown of a thing would hold the mark if it were the lost one. */
  readonly tells: (data: Json | undefined) => boolean
}

export const kinds: { readonly [resource in ResourceKind]?: Kind } = {
  'avatar-session': {
    list: 'list-avatar-sessions',
    query: {},
    get: 'get-avatar-session',
    param: 'session_id',
    ids: sessionsIn,
    // What Get shows of a session is not shown (4.1): one without avatars may be the lost one.
    tells: (data) => isObject(data) && Array.isArray(data['avatars']),
  },
  character: {
    list: 'list-characters',
    // Newest first (4.2): what was lost a moment ago is on the first page.
    query: { page_size: '200' },
    get: 'get-character',
    param: 'character_id',
    ids: (data) => itemsOf(data).flatMap(({ character_id: id }) => (typeof id === 'string' ? [id] : [])),
    tells: isObject,
  },
}

/** By the end of a run a list may hold none but the lost one, and what is shown of it may be its id alone (4.1). */
function sessionsIn(data: Json | undefined, known: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  const found = idsIn(data, known)
  return found.size > 0 ? found : idsLike(data, known)
}

/** Looks for what a lost create made, in the list of its kind and in what Get shows of each. */
export async function searchLost(wanted: Wanted, { rest, known, pause }: SearchTools): Promise<Found> {
  const kind = kinds[wanted.resource]
  if (kind === undefined) return 'hidden'
  const others = new Set(known)
  let found = await look(kind, wanted, { rest, others })
  for (const ms of pauses_ms) {
    if (found !== 'none' || pause === undefined) break
    await pause(ms)
    found = await look(kind, wanted, { rest, others })
  }
  return found
}

interface LookTools extends Pick<SearchTools, 'rest'> {
  /** Ids of what is not the lost one; grows. */
  readonly others: Set<string>
}

async function look(kind: Kind, { key, mark, named }: Wanted, { rest, others }: LookTools): Promise<Found> {
  const list = await rest(kind.list, { key, query: kind.query })
  if (!list.ok) return 'hidden'
  const items = [...kind.ids(list.data, others)]
    .filter((id) => !others.has(id))
    .map((id) => ({ id, item: itemOf(list.data, kind.param, id) }))
  const listed = items.find(({ item }) => holds(item, mark))
  if (listed !== undefined) return { id: listed.id }
  const silent = items.filter(({ item }) => !named || typeof at(item, '/name') !== 'string')
  let sight: Found = silent.length > most ? 'hidden' : 'none'
  for (const { id } of silent.slice(0, most)) {
    const got = await rest(kind.get, { key, params: { [kind.param]: id } })
    if (holds(got.data, mark)) return { id }
    if (got.code === 20005 || kind.tells(got.data)) others.add(id)
    else sight = 'hidden'
  }
  return sight
}

function itemsOf(data: Json | undefined): JsonObject[] {
  const items = at(data, '/items')
  return Array.isArray(items) ? (items as readonly Json[]).filter(isObject) : []
}

/** What a list says of one thing, wherever it says it. */
export function itemOf(value: Json | undefined, param: string, id: string): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => itemOf(one, param, id)).find(isObject)
  if (!isObject(value)) return undefined
  if (value[param] === id) return value
  return itemOf(Object.values(value), param, id)
}

/** Marks end with a number: `ada-r1-1` is not in `ada-r1-10`. */
function holds(value: Json | undefined, mark: string): boolean {
  const whole = new RegExp(String.raw`${escaped(mark)}(?!\d)`)
  return textsIn(value).some((text) => whole.test(text))
}

/** The first text in the body that no other run ever sends: `<word>-<run>-<number>`, but for the idempotency key. */
export function markIn(body: JsonObject | undefined, run: string): string | undefined {
  const { idempotency_key: _, ...rest } = body ?? {}
  return new RegExp(String.raw`[a-z-]+-${escaped(run)}-\d+\b`, 'i').exec(JSON.stringify(rest))?.[0]
}

/** As a part of an expression that stands for nothing but itself. */
function escaped(text: string): string {
  return text.replaceAll(/[^\w-]/g, String.raw`\$&`)
}
