import { judgeClaim } from '#judge/findings'
import type { TraceIndex } from '#judge/trace-index'
import { type Entry, scenarioOf } from '#trace/entry'
import type { Broken, Shows } from './failing.ts'
import { isRead, kinOf } from './kin.ts'
import { beganAt, entriesAt, type Kept, linesKept } from './sub-trace.ts'
import { type Unit, unitOf, unitsOfClaim } from './units.ts'

/** A piece of a trace that still shows a failure, in lines of the trace, from 1. */
export interface Piece {
  /** All that its scenario had done until then. */
  readonly whole: readonly number[]
  /** What of it is left when everything is dropped that can have nothing to do with the failure. */
  readonly short: readonly number[]
}

/** How many shorter pieces are judged at most. */
const mostTries = 40

/**
 * Cuts the piece out of a trace that shows a failure. Nothing is sent: each shorter piece is judged again. What could have
 * led to the state in which the failure showed is kept, even where the judge could do without it: sent again without it,
 * a correct target might seem wrong.
 *
 * @returns undefined where not even all that its scenarios did shows it
 */
export function cutOut(index: TraceIndex, broken: Broken, shows: Shows): Piece | undefined {
  const seeds = seedsOf(index, broken)
  const scope = scopeOf(index, broken, seeds)
  const try_ = (kept: Kept): boolean => shows(entriesAt(index, linesKept(index, kept)))
  const pieces = [scope.last, scope.end].map((until) => keep(index, scope, until))
  const whole = [...pieces, ...betweenScenarios(index, scope, seeds)].find(try_)
  if (whole === undefined) return undefined
  const short = isAboutAll(broken) ? whole : shorter(index, whole, seeds, try_)
  return { whole: stepsOf(index, linesKept(index, whole)), short: stepsOf(index, linesKept(index, short)) }
}

function shorter(index: TraceIndex, whole: Kept, seeds: ReadonlySet<Unit>, try_: (kept: Kept) => boolean): Kept {
  const related = { ...whole, units: kin(index, linesKept(index, whole), seeds) }
  return withoutReads(index, try_(related) ? related : whole, seeds, try_)
}

/** Limits and quota are those of a key or workspace, and lists show all that it has: whatever was open or there counts. */
function isAboutAll({ requirement }: Broken): boolean {
  return requirement.startsWith('limits.') || requirement.includes('.list.') || requirement.endsWith('-quota')
}

interface Scope {
  readonly scenarios: ReadonlySet<string | undefined>
  readonly from: number
  /** Last line of evidence. */
  readonly last: number
  /** Last line of the scenarios. */
  readonly end: number
}

/** The scenarios that the evidence is part of, from the last start before it. */
function scopeOf(index: TraceIndex, broken: Broken, seeds: ReadonlySet<Unit>): Scope {
  const lines = linesOf(index, seeds, broken)
  const named = lines.map((line) => scenarioOf(index.entries[line - 1]))
  const scenarios = new Set(named.length === 0 ? [broken.scenario] : named)
  const first = Math.min(...lines, index.entries.length)
  const starts = index.entries.flatMap((entry, place) =>
    entry.kind === 'scenario-start' && scenarios.has(entry.scenario) && place < first ? [place + 1] : [],
  )
  const end = index.entries.findLastIndex((entry) => scenarios.has(scenarioOf(entry))) + 1
  const from = scenarios.has(undefined) ? 1 : Math.min(...lastByScenario(index, starts), first)
  return { scenarios, from, last: Math.max(...lines, from), end }
}

function lastByScenario(index: TraceIndex, starts: readonly number[]): readonly number[] {
  const byScenario = new Map(starts.map((line) => [scenarioOf(index.entries[line - 1]), line]))
  return [...byScenario.values()]
}

/** Evidence, and the requests and openings of the units that the broken claim names. */
function linesOf(index: TraceIndex, seeds: ReadonlySet<Unit>, { evidence }: Broken): readonly number[] {
  const begun = [...seeds].flatMap((unit) => (unit.startsWith('wait') ? [] : (beganAt(index, unit) ?? [])))
  return [...evidence, ...begun]
}

/** The units of the evidence, and of the claims that say so. */
function seedsOf(index: TraceIndex, { requirement, expected, got, evidence }: Broken): ReadonlySet<Unit> {
  const seeds = new Set<Unit>()
  for (const line of evidence) {
    const entry = index.entries[line - 1]
    const unit = entry === undefined ? undefined : unitOf(entry, line)
    if (unit !== undefined) seeds.add(unit)
  }
  for (const { entry } of index.claims) {
    if (entry.requirement !== requirement) continue
    const outcome = judgeClaim(index, entry)
    const same = outcome.state === 'broken' && outcome.expected === expected && outcome.got === got
    if (!same || !outcome.lines.some((line) => evidence.includes(line))) continue
    for (const unit of unitsOfClaim(entry, (frame) => index.frames.get(frame)?.channel)) seeds.add(unit)
  }
  return seeds
}

function keep(index: TraceIndex, { scenarios, from }: Scope, until: number): Kept {
  const units = new Set<Unit>()
  for (const [place, entry] of index.entries.entries()) {
    const line = place + 1
    const unit = line < from || line > until ? undefined : unitOf(entry, line)
    if (unit !== undefined && scenarios.has(scenarioOf(entry)) && !isIdle(entry)) units.add(unit)
  }
  return { units, from, until }
}

/** What shows when scenarios are over, as they are cleaned up, is about what some scenario made: all that shares an id. */
function betweenScenarios(index: TraceIndex, { scenarios, last }: Scope, seeds: ReadonlySet<Unit>): readonly Kept[] {
  if (!scenarios.has(undefined)) return []
  const lines = index.entries.slice(0, last).map((_, place) => place + 1)
  return [{ units: kinOf(index, lines, seeds), from: 1, until: last }]
}

/** Waits that whoever sends again does by itself, or need not do. */
function isIdle(entry: Entry): boolean {
  return entry.kind === 'wait' && (entry.why === 'pace' || entry.why === 'retry-after' || entry.why === 'quota')
}

function kin(index: TraceIndex, lines: readonly number[], seeds: ReadonlySet<Unit>): ReadonlySet<Unit> {
  const related = kinOf(index, lines, seeds)
  const timed = lines.flatMap((line) => {
    const entry = index.entries[line - 1]
    return entry?.kind === 'mark' || entry?.kind === 'wait' ? (unitOf(entry, line) ?? []) : []
  })
  return new Set([...related, ...timed])
}

/** Drops reads that the failure does not speak of: all at once, else one by one. */
function withoutReads(index: TraceIndex, start: Kept, seeds: ReadonlySet<Unit>, try_: (kept: Kept) => boolean): Kept {
  const reads = [...start.units].filter((unit) => !seeds.has(unit) && isRead(index, unit))
  if (reads.length === 0) return start
  const none = { ...start, units: start.units.difference(new Set(reads)) }
  if (try_(none)) return none
  return reads.slice(-mostTries).reduceRight((kept, unit) => {
    const less = { ...kept, units: kept.units.difference(new Set([unit])) }
    return try_(less) ? less : kept
  }, start)
}

/** Lines without what frames the run. */
function stepsOf(index: TraceIndex, lines: readonly number[]): readonly number[] {
  const framing = new Set(['header', 'end', 'halt', 'scenario-start', 'scenario-end'])
  return lines.filter((line) => !framing.has(index.entries[line - 1]?.kind ?? 'header'))
}
