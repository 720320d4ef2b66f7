import { workspaceOf } from '#spec/profile'
import { answerOf } from '#judge/answers'
import { isSettled } from '#judge/timing/lag'
import type { Report, Rule } from '#judge/rule'
import { isRecording } from '#judge/recordings'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { isDateTime } from '#spec/formats'
import { type Json, stringAt } from '#trace/json'

import { callsOf, lifeNamed } from '../history.ts'
import { apart_ms } from '../save/times.rules.ts'
import { ends, isShared, judgeEnd, noEmpty, tell } from './ends.ts'
import {
  changesDuring,
  idOf,
  type Page,
  pagesOf,
  refusedTurns,
  type RefusedTurn,
  type Stored,
  storedDuring,
  type Walk,
  walksOf,
} from './page-walks.ts'

const part = 'characters.list'
const newest: RequirementId = `${part}.newest-first`
const across: RequirementId = `${part}.newest-first-across-pages`
const once: RequirementId = `${part}.each-once`
const all: RequirementId = `${part}.shows-all`
const more: RequirementId = `${part}.token-while-more`
const bounds: RequirementId = `${part}.page-size-bounds`
const underCreates: RequirementId = `${part}.stable-under-creates`
const underDeletes: RequirementId = `${part}.stable-under-deletes`
const neverAbove: RequirementId = `${part}.page-size-never-above-200`
const notAbove50: RequirementId = `${part}.page-size-default-not-above-50`

/** How long a token holds is not said; so soon after its page, in milliseconds, it does. */
const freshMs = 2_000

/** "summaries, newest first, undeleted only", page by page (4.2). */
export const walks: Rule = {
  id: 'characters.walks',
  proves: [newest, across, once, all, ends, more, noEmpty, bounds, underCreates, underDeletes, neverAbove, notAbove50],
  judge(trace, report) {
    for (const page of pagesOf(trace)) if (!mayBeResized(trace, page)) judgeSize(page, report)
    for (const walk of walksOf(trace)) {
      judgeOrder(trace, walk, report)
      judgeEnd(trace, walk, report)
      judgeContent(trace, walk, report)
    }
    judgeRefused(trace, report)
  },
}

/**
 * A token is one "from previous `next_page_token`" (4.2); whether it outlasts a change of the list, or a while, is not said.
 * One that leads nowhere although nothing changed says that more pages come where none does.
 */
function judgeRefused(trace: TraceIndex, report: Report): void {
  for (const turn of refusedTurns(trace)) {
    const { key, given, from, until } = turn
    if (leadsNowhere(trace, turn)) {
      const [expected, got] = ['a page, or an empty next_page_token before', '20004 for the token that was just given']
      report.broken(ends, { expected, got, lines: [given.until, from, until], scenario: turn.record.scenario })
    }
    const { created, deleted } = changesDuring(trace, { key, from: given.from, until: from })
    const rows = [...(created ? [underCreates] : []), ...(deleted ? [underDeletes] : [])]
    for (const row of rows) report.unobserved(row, 'model_choice', 'the token was refused after a change', from)
  }
}

/** It was refused at its first use, at once, of the same size, in a list that nobody changed. */
function leadsNowhere(trace: TraceIndex, { key, given, from, until, answered, size, record }: RefusedTurn): boolean {
  const used = pagesOf(trace).some((page) => page.token === given.next && page.from < from)
  if (used || record.attempts.length > 1 || size !== given.size || answered - given.sent > freshMs) return false
  const quiet = ['create-character', 'replace-character', 'delete-character'].every((operation) =>
    callsOf(trace, operation).every(
      (call) =>
        workspaceOf(call.key) !== workspaceOf(key) ||
        answerOf(call.record).kind === 'failure' ||
        call.from > until ||
        (call.until < given.from && isSettled(trace, call.answered, given.sent)),
    ),
  )
  return quiet && !isShared(trace, given)
}

/**
 * Of another size than the page whose token led to it: a token may hold for a size, whatever is asked with it. Of a token that
 * is older than a recording, the size is not known.
 */
function mayBeResized(trace: TraceIndex, { token, from, size }: Page): boolean {
  if (token === undefined) return false
  const before = pagesOf(trace).findLast((page) => page.until < from && page.next === token)
  return before === undefined ? isRecording(trace) : before.size !== size
}

function judgeSize(page: Page, report: Report): void {
  const { size = 50, items, next } = page
  const count = items.length
  const allowed = Math.min(size, 200)
  if (size < 1) return
  const [row, limit] = page.size === undefined ? [notAbove50, 50] : size > 200 ? [neverAbove, 200] : [bounds, allowed]
  if (count > limit) tell(row, [page], { expected: `at most ${limit} characters`, got: `${count}` }, report)
  // A page that could not have been longer shows nothing.
  else if (count === limit || (next !== undefined && next !== '' && count > 0)) report.held(row, page.until)
}

/** A character as a page shows it: when it was made, and when it last changed. */
interface Shown {
  readonly page: Page
  readonly id: string | undefined
  readonly created: number
  readonly updated: number
}

/**
 * Order is judged among those that changed as long after they were made, mostly not at all, and between neighbours of which
 * one is newer by both times: whether the list goes by the one time or the other, what "newest" means for others is not said.
 */
function judgeOrder(trace: TraceIndex, { pages }: Walk, report: Report): void {
  const last = new Map<number, Shown>()
  let neighbour: Shown | undefined
  for (const shown of pages.flatMap((page) => page.items.flatMap((item) => shownOn(page, item) ?? []))) {
    const untilChange = shown.updated - shown.created
    const before = last.get(untilChange) ?? (isNewerByBoth(neighbour, shown) ? neighbour : undefined)
    last.set(untilChange, shown)
    neighbour = shown
    if (before !== undefined && before.created !== shown.created && !mayBeOfTwoClocks(trace, before, shown)) {
      judgePair(before, shown, report)
    }
  }
}

/** Whether two clocks explain that the second one looks newer: it was not made after the first one, as far as we know. */
function mayBeOfTwoClocks(trace: TraceIndex, before: Shown, shown: Shown): boolean {
  const gap = shown.created - before.created
  if (gap <= 0 || gap > apart_ms) return false
  const [first, second] = [before, shown].map(({ page, id }) => lifeNamed(trace, page, id)?.created)
  return first === undefined || second === undefined || second.from < first.until
}

function judgePair(before: Shown, { page, created }: Shown, report: Report): void {
  const row = before.page === page ? newest : across
  const [expected, got] = [`nothing newer than ${date(before.created)}`, date(created)]
  if (created < before.created) report.held(row, page.until)
  else tell(row, [before.page, page], { expected, got }, report)
}

/** Whether one of the two is newer whichever time counts. */
function isNewerByBoth(one: Shown | undefined, other: Shown): boolean {
  return one !== undefined && (one.created - other.created) * (one.updated - other.updated) > 0
}

function shownOn(page: Page, item: Json): Shown | undefined {
  const [created, updated] = [stringAt(item, '/created_at'), stringAt(item, '/updated_at')]
  if (created === undefined || updated === undefined || !isDateTime(created) || !isDateTime(updated)) return undefined
  return { page, id: idOf(item), created: Date.parse(created), updated: Date.parse(updated) }
}

function date(ms: number): string {
  return new Date(ms).toISOString()
}

/** What was stored all along is shown once; a walk that was not finished must show what is newer than its oldest. */
function judgeContent(trace: TraceIndex, walk: Walk, report: Report): void {
  const shown = walk.pages.flatMap(({ items }) => items.map((item) => idOf(item)))
  const stored = storedDuring(trace, walk)
  const changes = changesDuring(trace, walk)
  const stable = [...(changes.created ? [underCreates] : []), ...(changes.deleted ? [underDeletes] : [])]
  const rows = (row: RequirementId): readonly RequirementId[] => [row, ...stable]
  const twice = stored.filter(({ id }) => shown.filter((one) => one === id).length > 1)
  for (const { id } of twice)
    for (const row of rows(once)) tell(row, walk.pages, { expected: 'each character once', got: `${id} twice` }, report)
  // What was made a moment ago may be missing; where it is shown, it counts.
  const settled = stored.filter(({ id, created }) => {
    return shown.includes(id) || isSettled(trace, created.answered, walk.pages[0]?.sent ?? 0)
  })
  const due = dueIn(walk, settled, shown)
  const missing = due.filter(({ id }) => !shown.includes(id))
  const some = stored.some(({ id }) => shown.includes(id))
  const cut = walk.whole && some && missing.length > 0 && missing.every((one) => isBelow(one, stored, shown))
  for (const { id } of missing) {
    for (const row of rows(cut ? more : all))
      tell(row, walk.pages, { expected: `${id} on one of the pages`, got: 'no such item' }, report)
  }
  const line = walk.pages.at(-1)?.until ?? 0
  if (due.length === 0) {
    const why = 'the pages that were turned hold characters of others, or came too soon after the writes'
    if (stored.length > 0) for (const row of [once, ...rows(all)]) report.unobserved(row, 'model_choice', why, line)
    return
  }
  if (twice.length === 0 && walk.pages.length > 1) for (const row of rows(once)) report.held(row, line)
  if (missing.length > 0) return
  for (const row of walk.pages.length > 1 ? rows(all) : [all]) report.held(row, line)
  if (walk.pages.length > 1) report.held(more, line)
}

/** Replaced characters may have moved, and used ones, which use may date anew; they are due only where the walk was finished. */
function dueIn(walk: Walk, stored: readonly Stored[], shown: readonly (string | undefined)[]): readonly Stored[] {
  if (walk.whole) return stored
  const still = stored.filter(({ save }) => save.by === 'create')
  const items = walk.pages.flatMap((page) => page.items)
  const isMoved = ({ id, save }: Stored): boolean => {
    const item = items.find((one) => idOf(one) === id)
    return Date.parse(stringAt(item, '/updated_at') ?? '') > Date.parse(stringAt(save.data, '/updated_at') ?? '')
  }
  const oldest = still.find((one) => shown.includes(one.id) && !isMoved(one))
  return oldest === undefined ? [] : still.filter((one) => isNewer(one, oldest))
}

/** Made later by our clock, and not told otherwise: the list may go by what machines wrote whose clocks are apart. */
function isNewer(one: Stored, other: Stored): boolean {
  const [its, others] = [one, other].map(({ save }) => Date.parse(stringAt(save.data, '/created_at') ?? ''))
  const toldOtherwise = its !== undefined && others !== undefined && its <= others
  return one.created.sent - other.created.answered > 1_000 && !toldOtherwise
}

/** Older than everything of ours that is shown: the pages ended too early. */
function isBelow({ created }: Stored, stored: readonly Stored[], shown: readonly (string | undefined)[]): boolean {
  return stored.every((one) => !shown.includes(one.id) || one.created.until > created.until)
}
