import { ending } from '#judge/sessions/session-end'
import { type KeyName, workspaceOf } from '#spec/profile'
import { at, type Json, textsIn } from '#trace/json'
import { endOf, keyToEnd, type ResourceKind } from '../journal/creations.ts'
import type { Leak } from '../journal/journal-line.ts'
import { type JournalState, type Made, readJournal } from '../journal/journal-state.ts'
import type { Journal } from '../journal/journal.ts'
import { getters, isGone, isRefused, isThere, shownState, stillThere, whyNot } from './over.ts'
import { refusedWorlds } from './refused-worlds.ts'
import { itemOf, type Kind, kinds } from './search-lost.ts'
import { inTurn } from './sweep.ts'
import type { Found, LookBackTools } from './look-back-tools.ts'

/** Of ended things that a list still shows, and of what nobody knows, so many are looked at; a short run keeps to the routine. */
const sample = 3
const mostKnown = 60
const mostUnknown = { routine: 6, doubt: 20, found: 150 }
const mostDoubted = 12

interface Tools extends LookBackTools {
  /** Until reads show all that was ended before this look began; waited for once, by all that need it. */
  readonly caughtUp: () => Promise<void>
}

export interface LookedBack {
  /** Ids of what was ended now. */
  readonly closed: readonly string[]
  readonly leaked: readonly Leak[]
}

/** Where a look shows nothing, or that something stands which was ended, or that something is there which nobody named. */
interface Look {
  readonly standing: readonly Found[]
  readonly strays: readonly Found[]
  /** Listed, known to nobody here, and without anything of this run. */
  readonly foreign: readonly Found[]
  /** Of these, what shows nothing by which one could tell. */
  readonly blank: readonly Found[]
}

const nothing: Look = { standing: [], strays: [], foreign: [], blank: [] }

/**
 * Looks at the end whether what was ended is over, and whether more was made than answers named: what bears the run's id
 * and is not known. A target that is true to its word pays a list of each kind and a look at one world. What stands is
 * ended once more; what stands after that is told.
 */
export async function lookBack(given: LookBackTools): Promise<LookedBack> {
  const state = readJournal(given.journal.file)
  let lagged: Promise<void> | undefined
  const tools: Tools = { ...given, caughtUp: () => (lagged ??= given.lag()) }
  if (state === undefined || tools.deadline.aborted) return { closed: [], leaked: [] }
  const looks = await Promise.all([
    ...placesOf(state, tools).map((place) => lookAtList(place, state, tools).catch(() => nothing)),
    lookAtWorlds(state, tools).catch(() => nothing),
  ])
  const strays = distinct(looks.flatMap((look) => look.strays))
  const some = [...looks.flatMap((look) => look.standing), ...(await doubted(state, tools))]
  const standing = distinct([...some, ...(await others(some, state, tools))])
  for (const stray of strays) writeDown(tools.journal, stray)
  const worlds = await refusedWorlds(state, strays, tools)
  const ended = await endAgain(standing, [...strays, ...worlds.found], tools)
  const foreign = strays.length === 0 ? [] : distinct(looks.flatMap((look) => look.foreign))
  const lost = strays.length > 0 ? [] : lostAmong(distinct(looks.flatMap((look) => look.blank)), state)
  return { ...ended, leaked: [...ended.leaked, ...untold(state), ...worlds.leaked, ...lost, ...foreign.map(mayBeOurs)] }
}

/** A create may have made one of those that show too little to tell, where its answer was lost. */
function lostAmong(blank: readonly Found[], { unclear }: JournalState): Leak[] {
  const reason = 'a create got no answer, and nothing that the target shows of this tells whether it made it'
  return blank
    .filter((thing) =>
      unclear.some(({ resource, key }) => resource === thing.resource && inWorkspace(key) === thing.key),
    )
    .map(({ resource, id }) => ({ resource, id, reason }))
}

const inWorkspace = (key: KeyName | 'none'): KeyName => workspaceOf(keyToEnd(key))

/** Told only of a target that was seen to make things of creates that it refused. */
function mayBeOurs({ resource, id }: Found): Leak {
  return { resource, id, reason: 'no create was answered with it, and nothing in it tells whose it is' }
}

/** World sessions have no list: what a faulty key may have made beside what was named is only told. */
function untold({ doubled }: JournalState): Leak[] {
  const worlds = doubled.filter(({ resource }) => resource === 'world-session')
  const reason = 'its create got no answer, idempotency keys were seen to make second sessions, and nothing lists it'
  return worlds.map(({ resource }) => ({ resource, id: 'unknown', reason }))
}

interface Place {
  readonly resource: 'avatar-session' | 'character'
  readonly key: KeyName
  readonly doubt: boolean
}

/** Lists worth a look: that of the workspace that all use, and those about which there is a doubt. */
function placesOf({ doubts, unnamed, unclear, gone }: JournalState, { keys, routine }: Tools): Place[] {
  const found = new Map<string, Place>()
  const add = (resource: ResourceKind, key: KeyName | 'none', doubt: boolean): void => {
    if (resource !== 'avatar-session' && resource !== 'character') return
    const workspace = inWorkspace(key)
    if (!keys.includes(workspace)) return
    const name = `${resource} ${workspace}`
    found.set(name, { resource, key: workspace, doubt: doubt || found.get(name)?.doubt === true })
  }
  for (const { resource, key } of gone) {
    const usual = routine === 'everywhere' || resource === 'avatar-session'
    if (usual && workspaceOf(key) === 'primary') add(resource, key, false)
  }
  for (const { resource, key } of [...doubts, ...unnamed, ...unclear]) add(resource, key, true)
  return [...found.values()]
}

async function lookAtList(place: Place, state: JournalState, tools: Tools): Promise<Look> {
  const { resource, key, doubt } = place
  const kind = kinds[resource]
  if (kind === undefined) return nothing
  const list = await tools.look(kind.list, { key, query: kind.query })
  const shown = at(list.body, '/data') ?? list.body
  const ids = [...kind.ids(shown, state.ids)]
  const ended = new Map(state.gone.filter((one) => one.resource === resource).map((one) => [one.id, one]))
  const suspects = ids.flatMap((id) => {
    const made = ended.get(id)
    const item = itemOf(shown, kind.param, id)
    return made === undefined || speaksOfEnd(item) ? [] : [{ ...made, key }]
  })
  const unknown = ids.filter((id) => !state.ids.has(id))
  const listed = { kind, key, shown, run: state.begin.run, doubt }
  const most = doubt && tools.routine === 'everywhere' ? mostUnknown.doubt : mostUnknown.routine
  const first = await ours(unknown.slice(0, most), listed, tools)
  const more = first.strays.length === 0 ? nobody : await ours(unknown.slice(most, mostUnknown.found), listed, tools)
  const strays = new Set([...first.strays, ...more.strays])
  const found = (some: readonly string[]): readonly Found[] => some.map((id) => ({ resource, id, key }))
  const foreign = found(unknown.filter((id) => !strays.has(id)))
  const blank = found([...first.blank, ...more.blank])
  return { standing: await open(suspects, tools), strays: found([...strays]), foreign, blank }
}

function speaksOfEnd(item: Json | undefined): boolean {
  const status = at(item, '/status')
  return typeof status === 'string' && ending.includes(status)
}

interface Listed {
  readonly kind: Kind
  readonly key: KeyName
  readonly shown: Json | undefined
  readonly run: string
  readonly doubt: boolean
}

const nobody = { strays: [], blank: [] }

/** Those that bear the id of this run, in the list or in what Get shows of them, and those that show too little. */
async function ours(ids: readonly string[], { kind, key, shown, run, doubt }: Listed, tools: Tools) {
  const bears = (value: Json | undefined): boolean => textsIn(value).some((text) => text.includes(run))
  const [strays, blank]: [string[], string[]] = [[], []]
  await inTurn(ids, tools.deadline, async (id) => {
    const item = itemOf(shown, kind.param, id)
    const silent = !bears(item) && (doubt || typeof at(item, '/name') !== 'string')
    const got = silent ? await tools.look(kind.get, { key, params: { [kind.param]: id } }) : undefined
    if (bears(item) || bears(got?.body)) strays.push(id)
    else if (got?.ok === true && !kind.tells(got.data) && !speaksOfEnd(got.data)) blank.push(id)
    return undefined
  })
  return { strays, blank }
}

/** World sessions have no list: one is looked at. */
async function lookAtWorlds({ gone }: JournalState, tools: Tools): Promise<Look> {
  const worlds = gone.filter(({ resource }) => resource === 'world-session').flatMap(named)
  const first = tools.routine === 'everywhere' ? worlds.slice(0, 1) : []
  return { ...nothing, standing: await open(first, tools) }
}

/** What was shown as open after it had been ended. */
async function doubted({ doubts, gone }: JournalState, tools: Tools): Promise<readonly Found[]> {
  const ids = new Set(doubts.flatMap(({ resource, id }) => (id === undefined ? [] : [`${resource} ${id}`])))
  const things = gone.filter(({ resource, id }) => ids.has(`${resource} ${id}`)).flatMap(named)
  return openOf(things.slice(0, mostDoubted), tools)
}

/** Where one stands, all others of its kind are looked at as well, by whatever key they were made. */
async function others(some: readonly Found[], { gone }: JournalState, tools: Tools): Promise<readonly Found[]> {
  const kindsOfThem = new Set(some.map(({ resource }) => resource))
  const known = new Set(some.map(({ id }) => id))
  const rest = gone.filter(({ resource, id }) => kindsOfThem.has(resource) && !known.has(id)).flatMap(named)
  return openOf(rest.slice(-mostKnown), tools)
}

function named({ resource, id, key }: Made): Found[] {
  return [{ resource, id, key: keyToEnd(key) }]
}

/** Those that Get shows as open: all are looked at only where one of the first few is. */
async function open(things: readonly Found[], tools: Tools): Promise<readonly Found[]> {
  const first = await openOf(things.slice(0, sample), tools)
  return first.length === 0 ? [] : [...first, ...(await openOf(things.slice(sample, mostKnown), tools))]
}

/** Reads may be behind the end of a thing: what is open at the first look is looked at once more. */
async function openOf(things: readonly Found[], tools: Tools): Promise<readonly Found[]> {
  const found = await shownOpen(things, tools)
  if (found.length === 0) return []
  await tools.caughtUp()
  return shownOpen(found, tools)
}

async function shownOpen(things: readonly Found[], { look, deadline }: Tools): Promise<readonly Found[]> {
  const found: Found[] = []
  await inTurn(things, deadline, async (thing) => {
    if (await isOpen(thing, look)) found.push(thing)
    return undefined
  })
  return found
}

async function isOpen({ resource, id, key }: Found, rest: LookBackTools['rest']): Promise<boolean> {
  const [getter, way] = [getters[resource], endOf(resource)]
  if (getter === undefined || way === undefined) return false
  return isThere(shownState(resource, await rest(getter, { params: { [way.param]: id }, key })))
}

/** So that a later sweep knows of it, should this one not come to its end. */
function writeDown(journal: Journal, { resource, id, key }: Found): void {
  const operation = resource === 'character' ? 'create-character' : 'create-avatar-session'
  journal.intend({ resource, operation, key }).created(id)
}

/** Ends what is there, gives reads time to catch up, and looks what stands. */
async function endAgain(standing: readonly Found[], strays: readonly Found[], tools: Tools): Promise<LookedBack> {
  if (standing.length + strays.length === 0) return { closed: [], leaked: [] }
  const left = new Map<Found, string>()
  const late = await inTurn([...standing, ...strays], tools.deadline, async (thing) => {
    const trouble = await endOne(thing, tools)
    if (trouble !== undefined) left.set(thing, trouble)
    return undefined
  })
  for (const [thing, { reason }] of late) left.set(thing, reason)
  await tools.lag()
  const over = (things: readonly Found[]) => things.filter((thing) => !left.has(thing))
  // Whoever ended something looks what came of it.
  const sure = { ...tools, look: tools.rest }
  const stand = [...(await shownOpen(over(standing), sure)), ...(await open(over(strays), sure))]
  for (const thing of stand) left.set(thing, stillThere)
  for (const { resource, id } of over([...standing, ...strays])) tools.journal.ended(resource, id)
  return {
    closed: over(strays).map(({ id }) => id),
    leaked: [...left].map(([{ resource, id }, reason]) => ({ resource, id, reason })),
  }
}

/** @returns why it could not be ended */
async function endOne(thing: Found, { rest }: LookBackTools): Promise<string | undefined> {
  const way = endOf(thing.resource)
  if (way === undefined) return undefined
  const answer = await rest(way.operation, { params: { [way.param]: thing.id }, key: thing.key })
  if (isGone(answer)) return undefined
  return isRefused(answer) && !(await isOpen(thing, rest)) ? undefined : whyNot(answer)
}

function distinct(things: readonly Found[]): readonly Found[] {
  return [...new Map(things.map((thing) => [`${thing.resource} ${thing.id}`, thing])).values()]
}
