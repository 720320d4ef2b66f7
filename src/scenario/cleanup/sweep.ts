import { setTimeout as after } from 'node:timers/promises'
import { isLimited } from '#client/http/retry'
import type { Exchange, RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import { speaksOfEnd } from '#judge/sessions/session-end'
import type { OperationId } from '#spec/tables'
import { at } from '#trace/json'
import { creationOf, endOf, keyToEnd } from '../journal/creations.ts'
import type { Journal } from '../journal/journal.ts'
import type { Leak } from '../journal/journal-line.ts'
import type { JournalState, LostCreate, Made } from '../journal/journal-state.ts'
import { readJournal } from '../journal/journal-state.ts'
import { madeBy } from './made.ts'
import { createNameless, type Nameless } from './nameless.ts'
import { getters, isGone, isUnanswered, whyNot } from './over.ts'
import { markIn, searchLost, searchMs } from './search-lost.ts'

export interface SweepTools {
  /** Opened for appending; nothing that it does not list is touched. */
  readonly journal: Journal
  readonly rest: (operation: OperationId, call: RestCall) => Promise<Exchange>
  /** Keys that have a value. */
  readonly keys: readonly KeyName[]
  readonly deadline_ms: number
  /** Whether there is time to wait for what ends by itself or comes late. */
  readonly patient?: boolean
  /** Whether somebody waits for our end: what is known is ended at once, all of it side by side. */
  readonly hurried?: boolean
}

export interface Swept {
  /** Ids of what was ended now. */
  readonly closed: readonly string[]
  readonly leaked: readonly Leak[]
  readonly undeletable: JournalState['undeletable']
  /** Whether another sweep may end what this one could not. */
  readonly again: boolean
  /** Whether it may do so in a moment, as nobody answered. */
  readonly soon: boolean
  /** Whether the run may send nothing more to look whether all is over. */
  readonly unlooked?: boolean
}

export const nothingSwept: Swept = { closed: [], leaked: [], undeletable: [], again: false, soon: false }

/** Requests side by side where somebody waits for our end. */
const allAtOnce = 32

/** Undefined when all is well. */
type Trouble = { readonly reason: string; readonly again: boolean; readonly soon?: boolean } | undefined

/**
 * Ends everything that a journal lists and that is still there. A create whose answer was lost is sent again with the same
 * idempotency key first, which names the session; without a key the thing is searched for by what only it holds, or
 * waited for until its life is over. Ends within the deadline, whatever the target does.
 */
export async function sweep(tools: SweepTools): Promise<Swept> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), Math.max(0, tools.deadline_ms))
  try {
    return await sweepUntil(late.signal, tools)
  } finally {
    clearTimeout(timer)
  }
}

async function sweepUntil(deadline: AbortSignal, tools: SweepTools): Promise<Swept> {
  const closed: string[] = []
  const endAll = (open: readonly Made[]) =>
    inTurn(
      open,
      deadline,
      async (made) => {
        const trouble = await end(made, tools)
        if (trouble === undefined) closed.push(made.id)
        return trouble
      },
      tools.hurried === true ? allAtOnce : undefined,
    )
  // A start whose answer was lost is found again by its key only while its character is there.
  const known = tools.hurried === true ? read(tools).open.filter(({ resource }) => resource !== 'character') : []
  const [early, lost] = await Promise.all([endAll(known), resolveAll(deadline, tools)])
  const { open, undeletable } = read(tools)
  const tried = new Set(known.map(({ id }) => id))
  const left = [...early, ...(await endAll(open.filter(({ id }) => !tried.has(id))))]
  const leaked = [
    ...lost.map(([{ resource }, { reason }]) => ({ resource, id: 'unknown', reason })),
    ...left.map(([{ resource, id }, { reason }]) => ({ resource, id, reason })),
  ]
  tools.journal.end(leaked)
  const troubles = [...lost, ...left].map(([, trouble]) => trouble)
  const again = troubles.some((trouble) => trouble.again)
  return { closed, leaked, undeletable, again, soon: troubles.some(({ soon = false }) => soon) }
}

/** Those with a key first; then those that are searched for, one by one, so that none is taken for another. */
async function resolveAll(deadline: AbortSignal, tools: SweepTools) {
  const { lost, begin } = read(tools)
  const nameless = createNameless()
  const turn = (creates: readonly LostCreate[], action: Resolve, workers?: number) =>
    inTurn(creates, deadline, (create) => whileKnown(create, tools, action), workers)
  const [keyed, keyless] = [lost.filter(isKeyed), lost.filter((create) => !isKeyed(create))]
  const { marked = [], unmarked = [] } = Object.groupBy(keyless, (create) =>
    markOf(create, begin.run) === undefined ? 'unmarked' : 'marked',
  )
  return [
    ...(await turn(keyed, (create) => resolveKeyed(create, tools, nameless))),
    ...(await turn(marked, markedOneByOne(tools.patient === true), 1)),
    ...(await turn(unmarked, outlive)),
  ]
}

/** Section 4.2 promises nothing of a key of a character. */
function isKeyed({ body, idempotency_key, resource }: LostCreate): boolean {
  return body !== undefined && idempotency_key !== undefined && resource !== 'character'
}

function markOf({ known_by, body }: LostCreate, run: string): string | undefined {
  return known_by ?? markIn(body, run)
}

/** What nothing can end, and what was asked for without a valid key, is not looked for. */
async function whileKnown(create: LostCreate, tools: SweepTools, action: Resolve): Promise<Trouble> {
  const { key, resource } = create
  if (endOf(resource) === undefined || key === 'none') return undefined
  if (!tools.keys.includes(key)) return withoutValue(key, tools)
  return action({ ...create, key }, tools)
}

function withoutValue(key: KeyName, tools: SweepTools): Trouble {
  const variable = read(tools).begin.keys[key]
  const remedy = variable === undefined ? '' : `; set ${variable}`
  return { reason: `the key ${key} has no value${remedy}`, again: true }
}

function read({ journal }: SweepTools): JournalState {
  const state = readJournal(journal.file)
  if (state === undefined) throw new Error(`${journal.file} is no journal`)
  return state
}

type Known = LostCreate & { readonly key: KeyName }

/** Finds out what became of a lost create. */
type Resolve = (create: Known, tools: SweepTools) => Promise<Trouble>

/** A create that was cut off may be under way still, and its key be told so, by whichever code: pauses before it is sent again. */
const underWay_ms = [250, 1_000]

/** Keys, billing, access and what is not found (section 7) are told before a key is looked at. */
const toldBefore: readonly (number | undefined)[] = [10001, 10003, 10004, 10005, 10008, 10009, 20005]

function mayBeUnderWay({ ok, failure, code }: Exchange): boolean {
  return !ok && failure === undefined && code !== undefined && !toldBefore.includes(code)
}

/** Names the session of a lost create, or finds out that there is none. */
async function resolveKeyed(
  { create, operation, key, body = {} }: Known,
  tools: SweepTools,
  nameless: Nameless,
): Promise<Trouble> {
  if (nameless.expected(operation)) {
    return {
      reason: 'its create got no answer, and others that were sent again were answered without an id',
      again: true,
    }
  }
  const creation = creationOf(operation)
  let answer = await tools.rest(operation, { body, key })
  for (const ms of underWay_ms) {
    if (!mayBeUnderWay(answer)) break
    await pause(ms)
    answer = await tools.rest(operation, { body, key })
  }
  // What does not reach the target this time says nothing of the create before.
  const reached = answer.failure === undefined
  const made = creation === undefined ? 'nothing' : reached ? madeBy(creation, answer) : 'lost'
  if (made !== 'lost') nameless.heard(operation, made !== 'unnamed')
  const line = tools.journal.resume(create)
  if (typeof made !== 'string') for (const id of made) line.created(id)
  else if (made === 'nothing' || made === 'unclear') line.none()
  else {
    const soon = made === 'lost'
    return { reason: 'its create was sent again and is still without an answer that names it', again: true, soon }
  }
  return undefined
}

/** After the pauses of one search, what was sent before is there by now, or never will be. */
function markedOneByOne(patient: boolean): Resolve {
  const began = performance.now()
  return (create, tools) => resolveMarked(create, tools, patient && performance.now() - began < searchMs)
}

/** Finds the thing by a text that only it holds. */
async function resolveMarked(create: Known, tools: SweepTools, waits: boolean): Promise<Trouble> {
  const { journal, rest } = tools
  const { begin, ids: known } = read(tools)
  const mark = markOf(create, begin.run)
  if (mark === undefined) return outlive(create, tools)
  const wanted = { resource: create.resource, key: create.key, mark, named: create.body?.['name'] === mark }
  const found = await searchLost(wanted, { rest, known, pause: waits ? pause : undefined })
  if (found === 'hidden') return outlive(create, tools)
  const line = journal.resume(create.create)
  if (found === 'none') line.none()
  else line.created(found.id)
  return undefined
}

/** Lets the life of a session run out that cannot be found. */
async function outlive({ create, ends_within_s, body }: Known, tools: SweepTools): Promise<Trouble> {
  const { hurried = false, journal } = tools
  if (ends_within_s === undefined && JSON.stringify(body ?? {}).includes(read(tools).begin.run)) {
    // It bears the id of the run: who looks back at the end finds it.
    journal.resume(create).vague('unclear')
    return undefined
  }
  if (ends_within_s === undefined) {
    return { reason: 'its create got no answer and nothing names what it made', again: false }
  }
  if (hurried) return { reason: `it ends by itself within ${ends_within_s} s`, again: true }
  // Whoever sent the create has given up, so the life began before now.
  await pause(ends_within_s * 1_000)
  journal.resume(create).none()
  return undefined
}

/** Nobody need wait for it to leave the process. */
function pause(ms: number): Promise<void> {
  return after(ms, undefined, { ref: false })
}

async function end({ resource, id, key }: Made, tools: SweepTools): Promise<Trouble> {
  const way = endOf(resource)
  const named = keyToEnd(key)
  if (way === undefined) return undefined
  if (!tools.keys.includes(named)) return withoutValue(named, tools)
  const call: RestCall = { params: { [way.param]: id }, key: named }
  const answer = await endNow(way.operation, call, tools)
  // Nobody is there to say more of it, and somebody waits.
  const silent = tools.hurried === true && isUnanswered(answer)
  if (!isGone(answer) && (silent || !(await isOver(resource, call, tools))))
    return { reason: whyNot(answer), again: true, soon: isUnanswered(answer) }
  tools.journal.ended(resource, id)
  return undefined
}

/** Others no longer need the limit of the key: only where it is really met is it waited for. */
async function endNow(operation: OperationId, call: RestCall, { rest }: SweepTools): Promise<Exchange> {
  const answer = await rest(operation, { ...call, pace: false, retry: 'never' })
  return isLimited(answer) || isUnanswered(answer) ? rest(operation, call) : answer
}

/** A close that is refused may mean that the session has ended already. */
async function isOver(resource: Made['resource'], call: RestCall, tools: SweepTools): Promise<boolean> {
  const getter = getters[resource]
  if (getter === undefined) return false
  const answer = await tools.rest(getter, call)
  return answer.code === 20005 || speaksOfEnd(at(answer.body, '/data'), ['closed']) === true
}

/** Some at a time until the deadline; gives what went wrong, with what it went wrong for. */
export async function inTurn<T>(
  items: readonly T[],
  deadline: AbortSignal,
  action: (item: T) => Promise<Trouble>,
  workers = 6,
): Promise<(readonly [T, NonNullable<Trouble>])[]> {
  const troubles: (readonly [T, NonNullable<Trouble>])[] = []
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const trouble = await before(deadline, action(item).catch(thrown))
      if (trouble !== undefined) troubles.push([item, trouble])
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return troubles
}

const tooLate = { reason: 'no time was left to end it', again: true }

function before(deadline: AbortSignal, work: Promise<Trouble>): Promise<Trouble> {
  if (deadline.aborted) return Promise.resolve(tooLate)
  const { promise, resolve: settle } = Promise.withResolvers<Trouble>()
  const onLate = (): void => settle(tooLate)
  deadline.addEventListener('abort', onLate, { once: true })
  void work.then(settle).finally(() => deadline.removeEventListener('abort', onLate))
  return promise
}

function thrown(error: unknown): NonNullable<Trouble> {
  return { reason: error instanceof Error ? error.message : 'unknown', again: true }
}
