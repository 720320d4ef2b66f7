import { endedByItself } from '#judge/sessions/session-end'
import { mayHaveTimedOut } from '#judge/timing/own-timers'
import { isSettled } from '#judge/timing/lag'
import { missingAfter } from '#judge/timing/timeouts'
import { readOnce } from '#judge/read-once'
import { unnamedKey, workspaceOf } from '#spec/profile'
import type { Report, Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import { at, isObject, type Json } from '#trace/json'
import { entriesIn, tellsOf } from './entries.ts'
import { type Life, type Lives, livesOf, partsIn, seenOpenAfter, statusIn, surelyOpen } from './lives.ts'
import { type Call } from '#judge/calls'

const part = 'avatar-sessions.list'
const hidesOthers = 'avatar-sessions.list.hides-other-workspaces'
const hidesClosed = 'avatar-sessions.list.hides-closed-sessions'
const behind = 'the list may be behind what was written'

/** "List the workspace's open sessions" (4.1). The payload is not shown: ids are looked for anywhere in `data`. */
export const list: Rule = {
  id: part,
  proves: [
    `${part}.shows-open-sessions`,
    `${part}.shows-sessions-of-other-keys`,
    hidesOthers,
    hidesClosed,
    `${part}.each-once`,
    `${part}.shows-sessions-that-hold-quota`,
  ],
  judge(trace, report) {
    const { lives, started, lists, creates, starts } = livesOf(trace)
    const begun = firstAsked([...creates, ...starts])
    const byWorkspace = Map.groupBy([...lives.values(), ...started.values()], ({ workspace }) => workspace)
    for (const call of lists) {
      if (call.answer.kind === 'success' && call.key !== unnamedKey)
        judgeList({ trace, call, byWorkspace, begun }, report)
    }
  },
}

/** Lines of the first creates of the idempotency keys: a session may be older than the answer that told of it. */
type Begun = ReadonlyMap<string, number>

function firstAsked(creates: Lives['creates']): Begun {
  const named = creates.flatMap(({ call, asked }) => {
    const name = nameOf(call.key, asked)
    return name === undefined ? [] : [[name, call.line] as const]
  })
  return new Map(named.toReversed())
}

function nameOf(key: string, asked: Json | undefined): string | undefined {
  const again = at(asked, '/idempotency_key')
  return typeof again === 'string' && again !== '' ? `${key} ${again}` : undefined
}

interface Listing {
  readonly trace: TraceIndex
  readonly call: Call
  readonly byWorkspace: ReadonlyMap<string, readonly Life[]>
  readonly begun: Begun
}

function judgeList({ trace, call, byWorkspace, begun }: Listing, report: Report): void {
  const data = call.answer.kind === 'success' ? call.answer.data : undefined
  const shown = partsIn(call)
  const lines = [call.line, call.answeredLine]
  const own = byWorkspace.get(workspaceOf(call.key)) ?? []
  const open = own.filter(
    (life) => life.created.answeredLine < call.line && surelyOpen(life, call.answeredT, call.answeredLine),
  )
  const full = call.key === 'capped' && atCap(trace, call)
  for (const life of open) judgePresence(trace, call, life, { open, full, shown, data, lines, begun }, report)
  const told = entriesIn(trace, call)
  for (const life of byWorkspace.get(otherWorkspace(call) ?? '') ?? []) {
    if (life.created.answeredLine <= call.line)
      judgeAbsence(report, hidesOthers, life, tellsOf(trace, call, life.id), call, lines)
  }
  for (const ended of shownClosed(own)) {
    if (ended.life.created.answeredLine > call.line || ended.since >= call.line) continue
    const doubt = told.has(ended.life.id) ? mayStandThere(trace, ended, call) : undefined
    if (doubt === undefined) judgeAbsence(report, hidesClosed, ended.life, told.has(ended.life.id), call, lines)
    else report.unobserved(hidesClosed, 'model_choice', doubt, ...lines)
  }
  const twice = repeated(data, idsOf(own))
  if (twice !== undefined)
    report.broken(`${part}.each-once`, {
      expected: 'each session once',
      got: `${twice} twice`,
      lines,
      scenario: call.scenario,
    })
  else if (open.some((life) => shown.has(life.id))) report.held(`${part}.each-once`, ...lines)
}

/**
 * Why a list that is right may show a session that is closed. One that ended by itself may hold its place until somebody
 * closes it, and is listed "to find and close" it (4.1); what that close has to clean up takes its time (3.1).
 */
function mayStandThere(trace: TraceIndex, { life, gets }: Ended, call: Call): string | undefined {
  const close = life.closes.find((one) => one.answer.kind === 'success' && one.answeredLine < call.line)
  if (close === undefined) return 'it ended by itself, and may hold its place until it is closed'
  const known = gets.filter((get) => get.answeredLine < call.line && isSettled(trace, get.answeredT, call.t))
  if (!known.some((get) => get.line > close.line)) return behind
  if (!endedByItself(trace, life.id) && !mayHaveTimedOut(trace, life.id, close.t)) return undefined
  const cleaned = call.t - close.answeredT >= missingAfter(trace, 'closed_ms')
  return cleaned ? undefined : 'it may have ended by itself before, and its close may still be at work'
}

interface Page {
  readonly open: readonly Life[]
  /** The key had as many sessions as it may have. */
  readonly full: boolean
  readonly shown: ReadonlySet<string>
  readonly data: Json | undefined
  readonly lines: readonly number[]
  readonly begun: Begun
}

/** A create by the same key was refused for the cap (30006) before, and nothing was closed since. */
function atCap(trace: TraceIndex, call: Call): boolean {
  const { refused, closes } = placesOf(trace)
  const lines = (refused.get(call.key) ?? []).filter((line) => line < call.line)
  const last = lines.reduce((latest, line) => Math.max(latest, line), 0)
  return last > 0 && (closes.get(call.key) ?? []).every((line) => line <= last || line >= call.line)
}

/** By key the lines at which creates were refused for the cap, and those of closes. */
const placesOf = readOnce((trace: TraceIndex) => {
  const { creates, lives } = livesOf(trace)
  const full = creates.filter(({ call: { answer } }) => answer.kind === 'failure' && answer.code === 30006)
  const refused = Map.groupBy(full, ({ call }) => call.key)
  const closed = Map.groupBy(lives.values(), ({ key }) => key)
  return {
    refused: new Map([...refused].map(([key, all]) => [key, all.map(({ call }) => call.answeredLine)])),
    closes: new Map(
      [...closed].map(([key, all]) => [key, all.flatMap(({ closes }) => closes.map(({ line }) => line))]),
    ),
  }
})

function judgePresence(trace: TraceIndex, call: Call, life: Life, page: Page, report: Report): void {
  const rows = [life.key === call.key ? 'shows-open-sessions' : 'shows-sessions-of-other-keys']
  if (page.full) rows.push('shows-sessions-that-hold-quota')
  const ended = mayHaveEnded(trace, life, call) ? 'the service may have ended the session by itself' : undefined
  const doubt = isSettled(trace, life.created.answeredT, call.t) ? ended : behind
  for (const row of rows) judgeRow(`${part}.${row}`, { call, life, doubt }, page, report)
}

/** Nobody saw the session open after the list. */
function mayHaveEnded(trace: TraceIndex, life: Life, call: Call): boolean {
  return endedByItself(trace, life.id) || !seenOpenAfter(trace, life, { line: call.answeredLine, t: call.answeredT })
}

interface Presence {
  readonly call: Call
  readonly life: Life
  /** Why a list that is right may lack the session. */
  readonly doubt: string | undefined
}

function judgeRow(row: string, { call, life, doubt }: Presence, page: Page, report: Report): void {
  if (page.shown.has(life.id)) report.held(row, ...page.lines)
  else if (doubt !== undefined) report.unobserved(row, 'model_choice', doubt, ...page.lines)
  else if (mustShow(life, page)) {
    report.broken(row, {
      expected: `the open session ${life.id}`,
      got: 'a list without it',
      lines: [life.created.line, ...page.lines],
      scenario: call.scenario,
    })
  } else report.unobserved(row, 'model_choice', 'the list may be paged', ...page.lines)
}

/**
 * A list that may be paged may lack a session. It may not where it shows sessions made before and after it, or where
 * nothing in it speaks of further pages and it is shorter than any page would be.
 */
function mustShow(life: Life, page: Page): boolean {
  const begin = ({ key, asked, created }: Life) => page.begun.get(nameOf(key, asked) ?? '') ?? created.line
  const shown = page.open.filter((other) => page.shown.has(other.id))
  const older = shown.some((other) => other.created.answeredLine < begin(life))
  if (older && shown.some((other) => begin(other) > life.created.answeredLine)) return true
  return !speaksOfPages(page.data) && longest(page.data) < 10
}

const pageWords = /page|next|cursor|has_?more|total|limit|offset|count|continuation|truncated/i

/** Whether something in it tells of pages, save that there is no further one. */
export function speaksOfPages(data: Json | undefined, shown: number = longest(data)): boolean {
  if (Array.isArray(data)) return false
  return (
    isObject(data) &&
    Object.entries(data).some(
      ([name, inside]) => (pageWords.test(name) && !tellsOfNoMore(name, inside, shown)) || speaksOfPages(inside, shown),
    )
  )
}

/** No token, nothing more to come, or a number of all that is no higher than that of what is shown. */
function tellsOfNoMore(name: string, value: Json, shown: number): boolean {
  if (value === null || value === false || value === '') return true
  if (!/total|count/i.test(name) || /page|limit/i.test(name)) return false
  return (typeof value === 'number' || (typeof value === 'string' && /^\d+$/u.test(value))) && Number(value) <= shown
}

/** Length of the longest list (or map) of items. */
export function longest(value: Json | undefined): number {
  if (Array.isArray(value)) return Math.max(value.length, 0)
  if (!isObject(value)) return 0
  const inside = Object.values(value)
  const map = inside.every(isObject) ? inside.length : 0
  return Math.max(map, ...inside.map(longest))
}

function judgeAbsence(
  report: Report,
  row: string,
  life: Life,
  isShown: boolean,
  call: Call,
  lines: readonly number[],
): void {
  if (!isShown) report.held(row, ...lines)
  else
    report.broken(row, {
      expected: `a list without ${life.id}`,
      got: 'it is listed',
      lines,
      scenario: call.scenario,
    })
}

/** The workspace that is known not to be that of the key; of those of further keys nothing is known. */
function otherWorkspace({ key }: Call): string | undefined {
  const workspace = workspaceOf(key)
  if (workspace === 'primary') return 'other_workspace'
  return workspace === 'other_workspace' ? 'primary' : undefined
}

const idsOf = readOnce((lives: readonly Life[]): ReadonlySet<string> => new Set(lives.map(({ id }) => id)))

/** A session that Get showed to be `closed`, the answers that did, and the line of the first of them. */
interface Ended {
  readonly life: Life
  readonly gets: readonly Call[]
  readonly since: number
}

const shownClosed = readOnce((lives: readonly Life[]): readonly Ended[] =>
  lives.flatMap((life) => {
    const gets = life.gets.filter(({ answer }) => statusIn(answer, life.id) === 'closed')
    const since = Math.min(...gets.map(({ answeredLine }) => answeredLine))
    return gets.length === 0 ? [] : [{ life, gets, since }]
  }),
)

/** An id that stands in two items of the same list. */
function repeated(value: Json | undefined, ids: ReadonlySet<string>): string | undefined {
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item) => idIn(item))
    return items.find((id, place) => id !== undefined && ids.has(id) && items.indexOf(id) < place)
  }
  if (!isObject(value)) return undefined
  for (const inside of Object.values(value)) {
    const found = repeated(inside, ids)
    if (found !== undefined) return found
  }
  return undefined
}

function idIn(item: Json): string | undefined {
  const id = typeof item === 'string' ? item : at(item, '/session_id')
  return typeof id === 'string' ? id : undefined
}
