import type { RequirementId } from '#spec/register'
import type { ShapeName } from '#spec/schemas'
import { validate } from '#spec/validators'
import type { Json } from '#trace/json'
import { answerOf, mayHaveActed } from './answers.ts'
import { faultyExchanges } from './faulty/exchanges.ts'
import type { Report } from './rule.ts'
import { show } from './show.ts'
import type { ExchangeRecord, TraceIndex } from './trace-index.ts'

/** Bodies that are drawn at random over the range that the interface documents, and that all have to be taken. */
export interface DrawnBodies {
  readonly operation: string
  /** What such a body is, by the schema. */
  readonly shape: ShapeName
  /** Says that it is accepted. */
  readonly row: RequirementId
  /** Codes for which one may be refused that is valid: something else than the body is told by them. */
  readonly aside: readonly number[]
  /** Operations that take the same bodies: one that is taken there stands for one that is taken here. */
  readonly alike?: readonly string[]
  /** Whether a body holds something that not every service has to take: it tells nothing here. */
  readonly mayLack?: (body: Json) => boolean
}

/** Rate, balance, billing, access, concurrency, capacity (section 7): none of these speaks about a body. */
const alwaysAside: readonly number[] = [10001, 10003, 10004, 10005, 10008, 10009, 30006, 30008]

interface Tried {
  readonly record: ExchangeRecord
  readonly body: Json
  /** Characters of the body as JSON. */
  readonly size: number
  readonly line: number
  /** Undefined where it was taken. */
  readonly code: number | undefined
}

/**
 * A valid body that is refused beside one that is taken breaks its row. Of all that the run tried, the reason names the smallest that was refused
 * and the largest that was not: what lies between them tells what the service minds.
 */
export function judgeDrawn(trace: TraceIndex, drawn: DrawnBodies, scenarios: readonly string[], report: Report): void {
  const tried = lastOfEach(triedIn(trace, drawn, scenarios)).toSorted((one, other) => one.size - other.size)
  const taken = tried.filter(({ code }) => code === undefined)
  for (const { line } of taken) report.held(drawn.row, line)
  const least = tried.find(({ code }) => code !== undefined)
  const largest = taken.at(-1) ?? takenElsewhere(trace, drawn, scenarios)
  if (least === undefined || largest === undefined) return
  const limit = `the largest that was not has ${largest.size} characters`
  report.broken(drawn.row, {
    expected: 'a valid body to be accepted',
    got: `code ${least.code}; the smallest that was refused has ${least.size} characters, ${limit}: ${show(least.body)}`,
    lines: [least.line, largest.line],
    scenario: least.record.scenario,
  })
}

function takenElsewhere(trace: TraceIndex, drawn: DrawnBodies, scenarios: readonly string[]): Tried | undefined {
  const others = (drawn.alike ?? []).flatMap((operation) => triedIn(trace, { ...drawn, operation }, scenarios))
  return others
    .filter(({ code }) => code === undefined)
    .toSorted((one, other) => one.size - other.size)
    .at(-1)
}

/** Sent again with its key, a body may be told to be in progress: once it is taken, it is no body that is refused. */
function lastOfEach(tried: readonly Tried[]): readonly Tried[] {
  const bodies = Map.groupBy(tried, ({ body }) => JSON.stringify(body))
  return [...bodies.values()].flatMap((same) => same.find(({ code }) => code === undefined) ?? same.slice(-1))
}

function triedIn(
  trace: TraceIndex,
  { operation, shape, aside, mayLack = () => false }: DrawnBodies,
  scenarios: readonly string[],
): readonly Tried[] {
  const faulty = faultyExchanges(trace)
  const ours = [...trace.exchanges.values()].filter(
    (record) =>
      record.operation === operation && scenarios.includes(record.scenario ?? '') && !faulty.has(record.exchange),
  )
  // What was sent without an answer may be under way still: sent again with its key it may be refused for that.
  const lost = new Set(ours.filter(({ attempts }) => attempts.some(mayHaveActed)).map(bodyText))
  return ours.flatMap((record): readonly Tried[] => {
    const body = bodyOf(record)
    const answer = answerOf(record)
    if (body === undefined || validate(shape, body).length > 0 || mayLack(body)) return []
    const one = { record, body, size: JSON.stringify(body).length, line: answer.line }
    if (answer.kind === 'success') return [{ ...one, code: undefined }]
    if (answer.kind !== 'failure' || answer.status >= 500 || lost.has(bodyText(record))) return []
    return [...alwaysAside, ...aside].includes(answer.code) ? [] : [{ ...one, code: answer.code }]
  })
}

const bodyOf = ({ attempts }: ExchangeRecord): Json | undefined => attempts.at(-1)?.request.entry.body

const bodyText = (record: ExchangeRecord): string => JSON.stringify(bodyOf(record) ?? null)
