import { workspaceOf } from '#spec/profile'
import { answerOf } from '#judge/answers'
import type { TraceIndex } from '#judge/trace-index'
import { at, type Json, listAt, stringAt } from '#trace/json'

import { type Call, callsOf, dataOf, livesOf, type Save, stateAt } from '../history.ts'

/** One accepted page of List Characters. */
export interface Page extends Call {
  readonly size: number | undefined
  readonly token: string | undefined
  readonly next: string | undefined
  readonly items: readonly Json[]
}

/** Pages that lead from one to the next, from the first one on. */
export interface Walk {
  readonly key: string
  readonly pages: readonly Page[]
  readonly from: number
  readonly until: number
  /** The last page says that nothing follows. */
  readonly whole: boolean
}

/** A character of ours that was stored while a walk lasted. */
export interface Stored {
  readonly id: string
  readonly save: Save
  readonly created: Save
}

const known = new WeakMap<TraceIndex, readonly Page[]>()

/** Every accepted page, in the order of sending. */
export function pagesOf(trace: TraceIndex): readonly Page[] {
  const found = known.get(trace)
  if (found !== undefined) return found
  const pages = callsOf(trace, 'list-characters').flatMap((call) => {
    const data = dataOf(call.record)
    if (data === undefined || answerOf(call.record).kind !== 'success') return []
    const query = queryOf(call)
    const page: Page = {
      ...call,
      size: sizeIn(query),
      token: query?.get('page_token') ?? undefined,
      next: stringAt(data, '/next_page_token'),
      items: listAt(data, '/items'),
    }
    return [page]
  })
  const sorted = pages.toSorted((one, other) => one.from - other.from)
  known.set(trace, sorted)
  return sorted
}

/** The page that began what this one goes on with; undefined where nobody can tell. */
export function firstOf(trace: TraceIndex, page: Page): Page | undefined {
  if (page.token === undefined) return page
  const before = pagesOf(trace).findLast(
    ({ key, next, until }) => key === page.key && next === page.token && until < page.from,
  )
  return before === undefined ? undefined : firstOf(trace, before)
}

/** What was answered as if the token of an earlier page were invalid. */
export interface RefusedTurn extends Call {
  /** The page that gave the token. */
  readonly given: Page
  readonly size: number | undefined
}

/** Asks for the page that a token of an earlier one leads to, refused as if the token were invalid (20004). */
export function refusedTurns(trace: TraceIndex): readonly RefusedTurn[] {
  return callsOf(trace, 'list-characters').flatMap((call) => {
    const answer = answerOf(call.record)
    if (answer.kind !== 'failure' || answer.code !== 20004) return []
    const query = queryOf(call)
    const token = query?.get('page_token')
    const given = pagesOf(trace).findLast(
      ({ key, next, until }) => key === call.key && next === token && until < call.from,
    )
    return token === undefined || token === null || given === undefined ? [] : [{ ...call, given, size: sizeIn(query) }]
  })
}

function sizeIn(query: URLSearchParams | undefined): number | undefined {
  const size = Number(query?.get('page_size') ?? Number.NaN)
  return Number.isInteger(size) ? size : undefined
}

function queryOf({ record }: Call): URLSearchParams | undefined {
  return URL.parse(record.attempts[0]?.request.entry.path ?? '', 'http://any')?.searchParams
}

/** Walks from first pages on; each by one key in one scenario. */
export function walksOf(trace: TraceIndex): readonly Walk[] {
  const all = pagesOf(trace)
  const firsts = all.filter(({ token }) => token === undefined)
  return firsts.map((first) => {
    const end = firsts.find((one) => one.from > first.from && sameWalker(one, first))?.from ?? Infinity
    const rest = all.filter((page) => page.from > first.until && page.from < end && sameWalker(page, first))
    const pages = [first]
    for (const page of rest) if (page.token !== undefined && page.token === pages.at(-1)?.next) pages.push(page)
    const last = pages.at(-1) ?? first
    return { key: first.key, pages, from: first.from, until: last.until, whole: last.next === '' }
  })
}

function sameWalker(one: Page, other: Page): boolean {
  return one.key === other.key && one.record.scenario === other.record.scenario
}

/** Characters of the walker's workspace that were stored all along, in the order of their creation. */
export function storedDuring(trace: TraceIndex, walk: Walk): readonly Stored[] {
  const lives = [...livesOf(trace).values()].toSorted((one, other) => one.created.until - other.created.until)
  return lives.flatMap(({ id, created, changes }) => {
    if (workspaceOf(created.key) !== workspaceOf(walk.key)) return []
    const states = [stateAt({ id, created, changes }, walk.from, walk.until)]
    return states.flatMap((save) => (typeof save === 'object' ? [{ id, save, created }] : []))
  })
}

/** Accepted changes of the workspace while a walk lasted: whether something was created, and whether something deleted. */
export function changesDuring(
  trace: TraceIndex,
  walk: Pick<Walk, 'key' | 'from' | 'until'>,
): { readonly created: boolean; readonly deleted: boolean } {
  const happened = (operation: string): boolean =>
    callsOf(trace, operation).some(
      ({ key, from, until, record }) =>
        from < walk.until &&
        until > walk.from &&
        workspaceOf(key) === workspaceOf(walk.key) &&
        answerOf(record).kind === 'success',
    )
  return { created: happened('create-character'), deleted: happened('delete-character') }
}

export function idOf(item: Json | undefined): string | undefined {
  const id = at(item, '/character_id')
  return typeof id === 'string' && id !== '' ? id : undefined
}
