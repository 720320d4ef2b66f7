import { areApart, workspaceOf } from '#spec/profile'
import type { Report, Rule } from '#judge/rule'
import { judgeShape, type ShapeRows } from '#judge/shape-rule'
import { show } from '#judge/show'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { validate } from '#spec/validators'
import { at, type Json, stringAt } from '#trace/json'
import { modeOf } from '../echo.ts'
import { callsOf, dataOf, idInPath, isCaughtUp, type Life, lifeNamed, livesOf, type Save, stateAt } from '../history.ts'
import { firstOf, idOf, type Page, pagesOf } from './page-walks.ts'

const part = 'characters.list'
const deleted: RequirementId = `${part}.hides-deleted`
const hidden: RequirementId = 'characters.scope.other-workspace-list-hidden'
const noResolution: RequirementId = `${part}.item-resolution-only-when-stored`
const agree: RequirementId = `${part}.item-timestamps-agree`
const replaced: RequirementId = `${part}.shows-replaced`
const members = { name: `${part}.item-name`, model: `${part}.item-model` } as const
const resolution: RequirementId = `${part}.item-resolution`

const table: ShapeRows = {
  rows: {
    [`${part}.items-array`]: ['/items'],
    [`${part}.next-page-token-string`]: ['/next_page_token'],
    [`${part}.item-shape`]: ['/items/*'],
  },
  otherwise: `${part}.items-array`,
}

/** What List Characters shows of each character (2.7, 4.2), on every page. */
export const listed: Rule = {
  id: 'characters.listed',
  proves: [
    ...Object.keys(table.rows),
    deleted,
    hidden,
    noResolution,
    agree,
    replaced,
    members.name,
    members.model,
    resolution,
  ],
  judge(trace, report) {
    for (const page of pagesOf(trace)) {
      const { record, until } = page
      const data = dataOf(record) ?? {}
      const errors = validate('rest/list-characters.response', data)
      judgeShape({ value: data, line: until, scenario: record.scenario }, errors, table, report)
      judgeLives(trace, page, report)
    }
  },
}

/** Every character of ours that the page shows, or must not show. */
function judgeLives(trace: TraceIndex, page: Page, report: Report): void {
  const shown = new Map(page.items.map((item) => [idOf(item), item]))
  // Later pages may show the list as it was when its first one was asked for.
  const begun = firstOf(trace, page)
  let own = 0
  let gone = 0
  for (const life of livesOf(trace).values()) {
    const item = shown.get(life.id)
    const state = stateAt(life, page.from, page.until)
    const ours = workspaceOf(life.created.key) === workspaceOf(page.key)
    if (item !== undefined && !ours && isForeign(trace, life, page)) {
      tell(
        hidden,
        { page, expected: 'characters of the own workspace only', got: life.id, line: life.created.until },
        report,
      )
    }
    if (!ours) continue
    const late = begun === undefined || !isCaughtUp(trace, life, { from: page.from, sent: begun.sent })
    if (state === 'deleted') {
      gone += 1
      if (item === undefined || late) continue
      tell(deleted, { page, expected: 'no deleted character', got: life.id, line: life.created.until }, report)
    } else if (typeof state === 'object' && item !== undefined) {
      own += 1
      judgeItem(trace, { save: state, item, page, life, late }, report)
    }
  }
  const others = [...livesOf(trace).values()].filter(({ created }) => areApart(created.key, page.key))
  const foreign = others.filter((life) => isForeign(trace, life, page))
  if (others.length > 0 && foreign.length === 0)
    report.unobserved(hidden, 'model_choice', 'each workspace has characters of the same ids', page.until)
  const leaked = foreign.some(({ id }) => shown.has(id))
  if (foreign.some(({ created }) => created.until < page.from) && !leaked) report.held(hidden, page.until)
  // A page that shows what we have would show what we had.
  if (gone > 0 && own > 0) report.held(deleted, page.until)
}

/** A character of another workspace, whose id none of the own workspace has. */
function isForeign(trace: TraceIndex, life: Life, page: Page): boolean {
  return areApart(life.created.key, page.key) && lifeNamed(trace, page, life.id) === life
}

/** A character as a page shows it. */
interface Listed {
  readonly save: Save
  readonly item: Json
  readonly page: Page
  readonly life: Life
  /** The page was asked for so soon after a write that it may show what stood there before. */
  readonly late: boolean
}

function judgeItem(trace: TraceIndex, one: Listed, report: Report): void {
  const { save, item, page, life, late } = one
  for (const name of ['name', 'model'] as const) {
    const wanted = save.body[name]
    const member = { row: members[name], place: `/${name}`, wanted, shown: at(item, `/${name}`) }
    if (wanted !== undefined) judgeMember(one, { ...member, wanted }, report)
  }
  // Whether `text_chat` stores an output, the answer to the save tells.
  const told = modeOf(save.body) === 'video_avatar' ? save.body : save.data
  const stored = stringAt(told, '/output/resolution')
  const shown = at(item, '/resolution')
  if (stored !== undefined) {
    judgeMember(one, { row: resolution, place: '/output/resolution', wanted: stored, shown }, report)
  } else if (save.body['output'] === undefined) {
    const none = shown === undefined || shown === null || shown === ''
    const isOld = stoodThere(life, save, '/output/resolution', shown)
    if (none) report.held(noResolution, page.until)
    else if (!late || !(isOld || wasUnsure(life, save))) {
      const finding = { page, expected: 'no resolution', got: show(shown), line: save.until }
      tell(isOld ? replaced : noResolution, finding, report)
    }
  }
  judgeTimes(trace, one, report)
}

interface Member {
  readonly row: RequirementId
  /** Where it stands in what was saved. */
  readonly place: string
  readonly wanted: Json
  readonly shown: Json | undefined
}

/** Whether an earlier save of the character had this. */
function stoodThere({ changes }: Life, save: Save, place: string, shown: Json | undefined): boolean {
  const before = changes.filter(({ effect, until }) => typeof effect === 'object' && until < save.from)
  return before.some(({ effect }) => typeof effect === 'object' && at(effect.body, place) === shown)
}

/** What a write left there before is not known: it was taken, although it need not have been. */
function wasUnsure({ changes }: Life, save: Save): boolean {
  return changes.some(({ effect, until }) => effect === 'unknown' && until < save.from)
}

/** A list that shows what stood there before the last replace is late; as long as it may be, that is no fault. */
function judgeMember({ save, page, life, late }: Listed, member: Member, report: Report): void {
  const { row, place, wanted, shown } = member
  const old = save.before === undefined ? undefined : at(save.before.body, place)
  const changed = old !== undefined && old !== wanted
  const line = save.until
  if (shown === wanted) {
    report.held(row, page.until)
    if (changed) report.held(replaced, page.until)
    return
  }
  const isOld = stoodThere(life, save, place, shown)
  if (late && (isOld || wasUnsure(life, save))) return
  tell(isOld && changed ? replaced : row, { page, expected: show(wanted), got: show(shown), line }, report)
}

/**
 * The timestamps that Get shows. Use may move `updated_at`, so that a later one is held against a Get after the list; one
 * of an earlier save is late.
 */
function judgeTimes(trace: TraceIndex, { save, item, page, life, late }: Listed, report: Report): void {
  const [created, updated] = [stringAt(item, '/created_at'), stringAt(item, '/updated_at')]
  const [first, last] = [stringAt(save.data, '/created_at'), stringAt(save.data, '/updated_at')]
  if (created === undefined || updated === undefined || first === undefined || last === undefined) return
  const line = save.until
  if (created !== first) return tell(agree, { page, expected: first, got: created, line }, report)
  if (updated === last) return report.held(agree, page.until)
  if (!(Date.parse(updated) > Date.parse(last))) {
    if (!late) tell(agree, { page, expected: last, got: updated, line }, report)
    return
  }
  const after = getsAfter(trace, life, page)
  const agrees = after.some((time) => Date.parse(time) >= Date.parse(updated))
  if (agrees) report.held(agree, page.until)
  else if (after.length > 0) tell(agree, { page, expected: after[0] ?? last, got: updated, line }, report)
  else report.unobserved(agree, 'model_choice', 'use may move `updated_at`, and no Get came after the list', page.until)
}

/** What Gets after the page show of `updated_at`, as long as nothing was written in between. */
function getsAfter(trace: TraceIndex, life: Life, page: Page): readonly string[] {
  const end = Math.min(...life.changes.filter(({ from }) => from > page.from).map(({ from }) => from), Infinity)
  return callsOf(trace, 'get-character').flatMap(({ record, from }) => {
    const time = stringAt(dataOf(record), '/updated_at')
    const counts = idInPath(record) === life.id && from > page.until && from < end
    return counts && time !== undefined ? [time] : []
  })
}

interface Finding {
  readonly page: Page
  readonly expected: string
  readonly got: string
  /** Where what was expected was told. */
  readonly line: number
}

function tell(row: string, { page, expected, got, line }: Finding, report: Report): void {
  report.broken(row, { expected, got, lines: [line, page.from, page.until], scenario: page.record.scenario })
}
