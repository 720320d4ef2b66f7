import type { TraceIndex } from '#judge/trace-index'
import { type Entry, scenarioOf } from '#trace/entry'
import { type Unit, unitOf, unitsOfClaim } from './units.ts'

/** What is kept of a trace. */
export interface Kept {
  readonly units: ReadonlySet<Unit>
  /** Only entries from this line on, from 1. */
  readonly from: number
  /** Nothing that was begun after this line. */
  readonly until: number
  /** Lines that are left out all the same. */
  readonly without?: ReadonlySet<number>
}

/** The lines of a trace that are kept, from 1: units whole, the claims about them, and what frames the run. */
export function linesKept(index: TraceIndex, kept: Kept): readonly number[] {
  const scenarios = new Set<string>()
  const own = new Set<number>()
  for (const [place, entry] of index.entries.entries()) {
    if (!isKept(index, entry, place + 1, kept)) continue
    own.add(place + 1)
    const scenario = scenarioOf(entry)
    if (scenario !== undefined) scenarios.add(scenario)
  }
  return index.entries.flatMap((entry, place) => (own.has(place + 1) || frames(entry, scenarios) ? [place + 1] : []))
}

export function entriesAt(index: TraceIndex, lines: readonly number[]): readonly Entry[] {
  return lines.flatMap((line) => index.entries[line - 1] ?? [])
}

function isKept(index: TraceIndex, entry: Entry, line: number, { units, from, until, without }: Kept): boolean {
  if (line < from || without?.has(line) === true) return false
  if (entry.kind === 'claim') {
    const named = [...unitsOfClaim(entry, (frame) => index.frames.get(frame)?.channel)]
    // What was never sent, or only later, is missing from no piece.
    const there = named.filter((unit) => (beganAt(index, unit) ?? Infinity) <= until)
    return line <= until && there.length > 0 && there.every((unit) => units.has(unit))
  }
  const unit = unitOf(entry, line)
  if (unit === undefined || !units.has(unit)) return false
  return line <= until || isAnswer(index, entry, until)
}

/** The line at which a unit began; undefined for one that never did. */
export function beganAt(index: TraceIndex, unit: Unit): number | undefined {
  const [kind, text] = unit.split(' ')
  const number = Number(text)
  if (kind === 'exchange') return index.asked.get(number)?.attempts[0]?.request.line
  if (kind === 'channel') return index.channels.get(number)?.open.line
  return kind === 'mark' ? index.marks.get(number)?.line : number
}

/** What came of something that had been sent by then. */
function isAnswer(index: TraceIndex, entry: Entry, until: number): boolean {
  if (entry.kind !== 'response' && entry.kind !== 'failure') return false
  return (beganAt(index, `exchange ${entry.exchange}`) ?? Infinity) <= until
}

function frames(entry: Entry, scenarios: ReadonlySet<string>): boolean {
  if (entry.kind === 'header' || entry.kind === 'end' || entry.kind === 'halt') return true
  return (entry.kind === 'scenario-start' || entry.kind === 'scenario-end') && scenarios.has(entry.scenario)
}
