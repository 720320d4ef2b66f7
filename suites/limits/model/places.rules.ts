import { explain, leastOf } from '#judge/orders/orders'
import type { Report, Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { at } from '#trace/json'
import { walkKey } from './moves.ts'
import { type Deed, placesModel } from './places-model.ts'
import { closeOf, createsOf, endOf, isCreate, type Visit, visitsIn } from './sessions.ts'

const oneByOne: RequirementId = 'limits.concurrency.exceeding-refused'
const atOnce: RequirementId = 'limits.concurrency.volley-within-cap'
const texts: RequirementId = 'limits.concurrency.text-chat-sessions-count'
const told: RequirementId = 'limits.concurrency.full-told-by-30006'

/** Concurrency limit exceeded (section 7). */
const full = 30006
/** Codes of other limits, which a full workspace is not told by where its cap is declared. */
const others: readonly number[] = [30008, 10005]

/** The cap that the profile declares for the workspace of the walk. */
export function capOf(trace: TraceIndex): number | undefined {
  const cap = at(trace.header?.profile, `/limits/${walkKey}/concurrent_sessions`)
  return typeof cap === 'number' ? cap : undefined
}

/** Places of a workspace on a random walk, where its profile declares how many there are. */
export const places: Rule = {
  id: 'limits.places',
  proves: [oneByOne, atOnce, texts, told],
  judge(trace, report) {
    const cap = capOf(trace)
    if (cap === undefined) return
    const visits = visitsIn(trace)
    const creates = createsOf(visits)
    const ends = new Map(creates.map((deed) => [deed.id, endOf(trace, deed, visits)]))
    judgeOrders([...creates, ...ends.values()], cap, report)
    const house = { cap, creates, ends, visits, otherwise: [], toldFull: [] }
    for (const visit of visits.filter(isCreate)) judgeFull(visit, house, report)
    judgeOtherwise(house, report)
  },
}

function judgeOrders(all: readonly Deed[], cap: number, report: Report): void {
  const deeds = all.toSorted((one, other) => one.from - other.from)
  const found = explain(deeds, placesModel(cap))
  const last = found.is === 'broken' ? deeds[found.place] : undefined
  const good = deeds.filter((deed) => deed.did === 'create' && deed !== last)
  if (last === undefined) {
    if (found.is === 'legal' && good.length > cap) report.held(atOnce, ...good.flatMap(({ lines }) => lines))
    return
  }
  const shortest = leastOf(deeds, deeds.indexOf(last), (shorter) => {
    const again = explain(shorter, placesModel(cap))
    return again.is === 'broken' && shorter[again.place] === last
  })
  const beside = good.some(({ from, until }) => from < last.until && last.from < until)
  report.broken(beside ? atOnce : oneByOne, {
    expected: `at most ${cap} open sessions, as the profile declares`,
    got: `${last.id} beside ${cap} others that were open still`,
    lines: shortest.flatMap(({ lines }) => lines),
    scenario: last.scenario,
  })
}

interface House {
  readonly cap: number
  readonly creates: readonly Deed[]
  /** By session. */
  readonly ends: ReadonlyMap<string, Deed>
  readonly visits: readonly Visit[]
  /** What a full workspace was told in the place of 30006. */
  readonly otherwise: Breach[]
  /** Lines at which it was told 30006. */
  readonly toldFull: number[]
}

/** What goes against a row. */
type Breach = Parameters<Report['broken']>[1]

/**
 * Capacity may lack just then, and the balance be used up: that goes against a workspace that is told so each time, and
 * more than once.
 */
function judgeOtherwise({ otherwise, toldFull }: House, report: Report): void {
  if (toldFull.length > 0 || otherwise.length < 2) return
  for (const breach of otherwise) report.broken(told, breach)
}

/** A create that was sent when all places were taken for sure, and that no close ran beside. */
function judgeFull({ call }: Visit, house: House, report: Report): void {
  const { cap, creates, ends, visits } = house
  const { answer, line, answeredLine, scenario } = call
  const made = creates.find(({ from }) => from === line)
  // What was taken beside the others tells only where all of them were seen to be open after it.
  const until = (id: string) => (made === undefined ? closeOf(id, visits) : ends.get(id)?.from) ?? 0
  const open = creates.filter((deed) => deed.until < line && until(deed.id) > answeredLine)
  const ids = new Set(open.map(({ id }) => id))
  if (ids.size < cap || (made !== undefined && ids.has(made.id))) return
  const lines = [...open.flatMap((deed) => deed.lines), line, answeredLine].filter(Number.isFinite)
  if (made !== undefined) {
    const expected = `code ${full}: ${cap} sessions were open, as many as the profile declares`
    for (const row of [oneByOne, texts]) report.broken(row, { expected, got: made.id, lines, scenario })
  } else if (answer.kind === 'failure' && answer.code === full) {
    house.toldFull.push(answeredLine)
    for (const row of [oneByOne, texts, told]) report.held(row, line, answeredLine)
  } else if (answer.kind === 'failure' && others.includes(answer.code)) {
    house.otherwise.push({ expected: `code ${full}`, got: `code ${answer.code}`, lines, scenario })
  }
}
