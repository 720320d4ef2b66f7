import { workspaceOf } from '../../src/law/profile.ts'
import type { Report, Rule } from '../../src/judge/rule.ts'
import { judgeShape, type ShapeRows } from '../../src/judge/shape-rule.ts'
import { show } from '../../src/judge/show.ts'
import type { TraceIndex } from '../../src/judge/trace-index.ts'
import type { RequirementId } from '../../src/law/register.ts'
import { validate } from '../../src/law/validators.ts'
import { at, isObject, type Json } from '../../src/trace/json.ts'
import { modeOf, textAt } from './echo.ts'
import { dataOf, livesOf, type Save, stateAt } from './history.ts'
import { idOf, type Page, pagesOf } from './walks.ts'

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
  let own = 0
  let gone = 0
  for (const life of livesOf(trace).values()) {
    const item = shown.get(life.id)
    const state = stateAt(life, page.from, page.until)
    const ours = workspaceOf(life.created.key) === workspaceOf(page.key)
    if (item !== undefined && !ours && isKnownStranger(life.created.key, page.key)) {
      tell(
        hidden,
        { page, expected: 'characters of the own workspace only', got: life.id, line: life.created.until },
        report,
      )
    }
    if (!ours) continue
    if (state === 'deleted') {
      gone += 1
      if (item === undefined) continue
      tell(deleted, { page, expected: 'no deleted character', got: life.id, line: life.created.until }, report)
    } else if (typeof state === 'object' && item !== undefined) {
      own += 1
      judgeItem(state, item, page, report)
    }
  }
  const strangers = [...livesOf(trace).values()].filter(({ created }) => isKnownStranger(created.key, page.key))
  const leaked = strangers.some(({ id }) => shown.has(id))
  if (strangers.some(({ created }) => created.until < page.from) && !leaked) report.held(hidden, page.until)
  // A page that shows what we have would show what we had.
  if (gone > 0 && own > 0) report.held(deleted, page.until)
}

/** Only of these keys it is said that they belong to two workspaces. */
function isKnownStranger(one: string, other: string): boolean {
  const pair = new Set([workspaceOf(one), workspaceOf(other)])
  return pair.has('primary') && pair.has('other_workspace')
}

function judgeItem(save: Save, item: Json, page: Page, report: Report): void {
  for (const name of ['name', 'model'] as const) {
    const wanted = save.body[name]
    if (wanted !== undefined)
      judgeMember(save, { row: members[name], name, wanted, shown: at(item, `/${name}`) }, page, report)
  }
  // Whether `text_chat` stores an output, the answer to the save tells.
  const told = modeOf(save.body) === 'video_avatar' ? save.body : save.data
  const stored = textAt(told, '/output/resolution')
  const shown = at(item, '/resolution')
  if (stored !== undefined)
    judgeMember(save, { row: resolution, name: 'resolution', wanted: stored, shown }, page, report)
  else if (save.body['output'] === undefined) {
    const none = shown === undefined || shown === null || shown === ''
    const old = textAt(save.before?.body, '/output/resolution')
    if (none) report.held(noResolution, page.until)
    else
      tell(
        shown === old ? replaced : noResolution,
        { page, expected: 'no resolution', got: show(shown), line: save.until },
        report,
      )
  }
  judgeTimes(save, item, page, report)
}

interface Member {
  readonly row: RequirementId
  readonly name: string
  readonly wanted: Json
  readonly shown: Json | undefined
}

/** A list that shows what stood there before the last replace is late. */
function judgeMember(save: Save, { row, name, wanted, shown }: Member, page: Page, report: Report): void {
  const old =
    save.before === undefined
      ? undefined
      : at(save.before.body, name === 'resolution' ? '/output/resolution' : `/${name}`)
  const stale = old !== undefined && old !== wanted
  const line = save.until
  if (shown === wanted) {
    report.held(row, page.until)
    if (stale) report.held(replaced, page.until)
  } else tell(stale && shown === old ? replaced : row, { page, expected: show(wanted), got: show(shown), line }, report)
}

function judgeTimes(save: Save, item: Json, page: Page, report: Report): void {
  const names = ['created_at', 'updated_at'] as const
  const pairs = names.map((name) => [textAt(save.data, `/${name}`), textAt(item, `/${name}`)] as const)
  if (pairs.some((pair) => pair.includes(undefined)) || !isObject(item)) return
  const apart = pairs.find(([saved, shown]) => saved !== shown)
  if (apart === undefined) report.held(agree, page.until)
  else tell(agree, { page, expected: apart[0] ?? '', got: apart[1] ?? '', line: save.until }, report)
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
