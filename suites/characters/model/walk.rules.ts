import { explain, leastOf } from '#judge/orders/orders'
import type { Report, Rule } from '#judge/rule'
import type { RequirementId } from '#spec/register'
import { type Walked, walkedIn } from './deeds.ts'
import { type Deed, lifeModel, mixed, type State } from './life-model.ts'
import { propertyIds } from './moves.ts'

/** By what was done: the row that says that a stored character takes it, and the one that says that a deleted one does not. */
const rows = {
  get: ['characters.get.own-character-found', 'characters.deleted.get-rejected'],
  replace: ['characters.replace.accepted', 'characters.deleted.replace-rejected'],
  delete: ['characters.delete.accepted', 'characters.deleted.delete-rejected'],
  start: ['characters.session.starts-by-id-alone', 'characters.deleted.starts-no-session'],
} as const satisfies { readonly [did in Deed['did']]: readonly [RequirementId, RequirementId] }

const stored: RequirementId = 'characters.replace.stored'
const returned: RequirementId = 'characters.create.returned-by-get'
const revived: RequirementId = 'characters.deleted.replace-revives-nothing'

/** Lives of characters on random walks, whatever ran beside what: no order of what was done explains it. */
export const characterWalks: Rule = {
  id: 'characters.walks',
  proves: [...Object.values(rows).flat(), stored, returned, revived],
  judge(trace, report) {
    for (const walked of walkedIn(trace, propertyIds)) judgeWalked(walked, report)
  },
}

function judgeWalked({ created, deeds }: Walked, report: Report): void {
  const model = lifeModel(created.record.exchange)
  const found = explain(deeds, model)
  if (found.is === 'overflow') return
  const last = found.is === 'broken' ? deeds[found.place] : undefined
  for (const [place, before] of found.believed) {
    const deed = deeds[place]
    if (deed !== undefined && deed !== last) credit(deed, before, { deeds, report })
  }
  if (last === undefined || found.is !== 'broken') return
  const before = found.believed.get(found.place) ?? []
  const row = blame(last, before, deeds)
  const isSame = (shorter: readonly Deed[]): boolean => {
    const again = explain(shorter, model)
    return again.is === 'broken' && shorter[again.place] === last && blame(last, deepest(again), shorter) === row
  }
  const shortest = leastOf(deeds, found.place, isSame)
  const lines = [created.from, created.until, ...shortest.flatMap((deed) => deed.lines)]
  // Whether a replace beside the delete brought it back, or Get finds what is deleted, looks the same.
  const broken = row === revived ? [row, rows.get[1]] : [row]
  const failure = { expected: expectedOf(last, before), got: gotOf(last), lines, scenario: last.scenario }
  for (const one of broken) report.broken(one, failure)
}

function deepest({ place, believed }: Extract<ReturnType<typeof explain<State, Deed>>, { is: 'broken' }>) {
  return believed.get(place) ?? []
}

const isDeleted = ({ is }: State): boolean => is === 'deleted'

interface Setting {
  readonly deeds: readonly Deed[]
  readonly report: Report
}

/** What is certain bears the row out. */
function credit(deed: Deed, before: readonly State[], { deeds, report }: Setting): void {
  const { did, ended, lines } = deed
  const past = deeds.filter(({ until }) => until < deed.from)
  const replaced = past.some((other) => other.did === 'replace' && isBesideOrAfterDelete(other, past))
  if (ended === 'missing' && before.every(isDeleted)) {
    report.held(rows[did][1], ...lines)
    if (did === 'get' && replaced) report.held(revived, ...lines)
  }
  if (ended === 'done' && !before.some(isDeleted)) report.held(rows[did][0], ...lines)
}

function blame(deed: Deed, before: readonly State[], deeds: readonly Deed[]): RequirementId {
  const { did, ended } = deed
  if (ended === 'missing' || ended === 'refused') return rows[did][0]
  if (!before.every(isDeleted)) {
    const replaces = deeds.some((other) => other.did === 'replace' && other.ended !== 'missing')
    return replaces ? stored : returned
  }
  const late = deeds.filter((other) => other.did === 'replace' && isBesideOrAfterDelete(other, deeds))
  return did === 'get' && late.some(({ exchange }) => exchange === deed.shown) ? revived : rows[did][1]
}

/** A replace that came when a delete was under way, or done. */
function isBesideOrAfterDelete({ until }: Deed, deeds: readonly Deed[]): boolean {
  return deeds.some((other) => other.did === 'delete' && other.ended !== 'missing' && other.from < until)
}

const names = { get: 'Get', replace: 'a replace', delete: 'a delete', start: 'a start' } as const

function expectedOf({ did }: Deed, before: readonly State[]): string {
  const truths = before.map((state) => (state.is === 'deleted' ? '20005' : `what exchange ${state.save} saved`))
  return `${names[did]} to come to ${[...new Set(truths)].join(' or ')}`
}

function gotOf({ ended, shown }: Deed): string {
  if (ended === 'missing') return 'code 20005'
  if (ended === 'refused') return 'another code'
  if (shown === mixed) return 'the name of one save with the avatars of another'
  return shown === undefined ? 'success' : `what exchange ${shown} saved`
}
