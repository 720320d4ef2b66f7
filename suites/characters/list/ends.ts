import { workspaceOf } from '#spec/profile'
import { isSettled } from '#judge/timing/lag'
import type { Report } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'

import { type Call, callsOf, lifeNamed, livesOf, stateAt } from '../history.ts'
import { changesDuring, idOf, type Page, pagesOf, type Walk, walksOf } from './page-walks.ts'

export const ends: RequirementId = 'characters.list.ends'
export const noEmpty: RequirementId = 'characters.list.no-empty-last-page'

/** So many empty pages in a row, each with a token, have no end, unless what they would have shown was deleted. */
const endless = 3

/** How pages come to their end: "`next_page_token` (empty when no more pages)" (4.2). */
export function judgeEnd(trace: TraceIndex, walk: Walk, report: Report): void {
  const { pages, whole } = walk
  const last = pages.at(-1)
  if (last === undefined) return
  const idle = pages.slice(-endless)
  const [expected, why] = ['an empty next_page_token', 'pages may hold the places of what was deleted long ago']
  // Without items that are to come, places of what this run deleted are passed as well.
  const deleted = deletesIn(trace, walk).filter(({ from }) => from < walk.until).length
  if (whole) report.held(ends, last.until)
  else if (isCircle(pages)) tell(ends, pages, { expected, got: 'a token that was given before' }, report)
  else if (
    idle.length === endless &&
    idle.every(({ items, next }) => items.length === 0 && next !== undefined) &&
    idle.reduce((sum, { size = 1 }) => sum + size, 0) > deleted
  ) {
    if (leavesOutFirst(trace, walk))
      tell(ends, idle, { expected, got: `${endless} empty pages, each with a token` }, report)
    else report.unobserved(ends, 'model_choice', why, last.until)
  }
  if (!whole || pages.length < 2) return
  if (last.items.length > 0) report.held(noEmpty, last.until)
  else if (!leavesOutFirst(trace, walk)) report.unobserved(noEmpty, 'model_choice', why, last.until)
  else if (deletedLately(trace, walk) || isShared(trace, walk))
    report.unobserved(noEmpty, 'model_choice', 'what stood on the last page may have been deleted', last.until)
  else tell(noEmpty, [last], { expected: 'a page with characters', got: 'an empty page after a token' }, report)
}

/** A token that comes again with a page that shows nothing new. One may stand for a walk, and come with each page of it. */
function isCircle(pages: readonly Page[]): boolean {
  const [tokens, shown] = [new Set<string>(), new Set<string | undefined>()]
  for (const { next, items } of pages) {
    const isNew = items.some((item) => !shown.has(idOf(item)))
    if (next !== undefined && tokens.has(next) && !isNew) return true
    if (next !== undefined && next !== '') tokens.add(next)
    for (const item of items) shown.add(idOf(item))
  }
  return false
}

/**
 * A service may leave out what was deleted ("soft-deleted", 3.6) before it cuts pages or after, and what was deleted before
 * this run nobody knows. It does so before where full pages show what stood above a deleted one, and below.
 */
function leavesOutFirst(trace: TraceIndex, { key }: Pick<Walk, 'key'>): boolean {
  const all = walksOf(trace).filter((walk) => workspaceOf(walk.key) === workspaceOf(key))
  return all.some((walk) => isCutLater(trace, walk)) && !all.some(hasGap)
}

/** Whether a page that is short leads to one that shows something. */
function hasGap({ pages }: Walk): boolean {
  const last = pages.findLastIndex(({ items }) => items.length > 0)
  return pages.slice(0, Math.max(last, 0)).some(({ items, size = 50 }) => items.length < Math.min(size, 200))
}

/** Whether characters are shown between which one was deleted long before. */
function isCutLater(trace: TraceIndex, walk: Walk): boolean {
  const here = [...livesOf(trace).values()].filter(({ created }) => workspaceOf(created.key) === workspaceOf(walk.key))
  const shown = new Set(walk.pages.flatMap(({ items }) => items.map((item) => idOf(item))))
  const lines = here.filter(({ id }) => shown.has(id)).map(({ created }) => created.until)
  return here.some((life) => {
    const { from, until } = life.created
    const isGone = stateAt(life, walk.from, walk.until) === 'deleted'
    return isGone && lines.some((line) => line < from) && lines.some((line) => line > until)
  })
}

/** All that this run asked for in the workspace. */
function deletesIn(trace: TraceIndex, { key: own }: Walk): readonly Call[] {
  return callsOf(trace, 'delete-character').filter(({ key }) => workspaceOf(key) === workspaceOf(own))
}

/** While the pages were turned, or so shortly before that the list may have shown it only then. */
function deletedLately(trace: TraceIndex, walk: Walk): boolean {
  const asked = walk.pages[0]?.sent ?? 0
  const shown = new Set(walk.pages.flatMap(({ items }) => items.map((item) => idOf(item))))
  const own = [...livesOf(trace).values()].filter(({ created }) => workspaceOf(created.key) === workspaceOf(walk.key))
  const seen = own.filter(({ id }) => shown.has(id)).map(({ created }) => created.from)
  const before = deletesIn(trace, walk).some(
    ({ until, answered }) =>
      until <= walk.from &&
      !isSettled(trace, answered, asked) &&
      // What was made after the delete is shown: the list knows of both.
      !seen.some((from) => from > until),
  )
  return before || changesDuring(trace, walk).deleted
}

/** Characters that this run did not make: somebody else may delete what was to come on the next page. */
export function isShared(trace: TraceIndex, walk: Pick<Walk, 'key'>): boolean {
  const pages = pagesOf(trace).filter(({ key }) => workspaceOf(key) === workspaceOf(walk.key))
  return pages.some((page) => page.items.some((item) => lifeNamed(trace, page, idOf(item)) === undefined))
}

interface Finding {
  readonly expected: string
  readonly got: string
}

/** Enters what several pages show together. */
export function tell(row: string, pages: readonly Page[], { expected, got }: Finding, report: Report): void {
  const lines = pages.flatMap(({ from, until }) => [from, until])
  report.broken(row, { expected, got, lines, scenario: pages.at(-1)?.record.scenario })
}
