import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { RequirementResult, Results } from '#judge/results'
import type { Report, Rule } from '#judge/rule'
import { indexTrace, type TraceIndex } from '#judge/trace-index'
import { cutOut } from '#replay/cut/cut'
import type { Broken } from '#replay/cut/failing'
import { entriesAt } from '#replay/cut/sub-trace'
import { type Entry, scenarioOf } from '#trace/entry'
import type { Label } from '../label.ts'
import { opinionOn } from '../opinion.ts'

/** A whole run, judged. */
export interface JudgedRun {
  readonly index: TraceIndex
  readonly results: Results
}

export function judgeRun(entries: readonly Entry[], rules: readonly Rule[]): JudgedRun {
  const [header, ...rest] = entries
  if (header?.kind !== 'header') throw new Error('a trace begins with its header')
  const own = [{ ...header, only: [], register: register().digest }, ...rest]
  return { index: indexTrace(own), results: judge({ entries: own, truncated: false, sha256: '' }, register(), rules) }
}

/**
 * The smallest piece of a run that shows what the label says. The judge decides how much can be left out, never what is
 * right: where it does not say what the label says, there is no piece.
 */
export function pieceOf(
  { index, results }: JudgedRun,
  requirement: string,
  verdict: Exclude<Label['verdict'], 'undecided'>,
  rules: readonly Rule[],
): readonly Entry[] | undefined {
  const row = [...results.requirements, ...results.unscored].find(({ id }) => id === requirement)
  const shows = (entries: readonly Entry[]): boolean => {
    const opinion = opinionOn(framed(entries, requirement), requirement, rules)
    if (opinion.verdict !== verdict || opinion.mistakes.length > 0) return false
    return verdict === 'illegal' || opinion.broken.length === 0
  }
  const seen = row === undefined ? [] : sightsOf(row, index, rules)
  const pieces = seen.flatMap((sight) => {
    const piece = cutOut(index, sight, shows)
    return piece === undefined ? [] : [framed(entriesAt(index, piece.short), requirement, index)]
  })
  return pieces.toSorted((one, other) => JSON.stringify(one).length - JSON.stringify(other).length)[0]
}

/** Where the requirement shows: the first failures, or one place of each of the shortest scenarios. */
function sightsOf(row: RequirementResult, index: TraceIndex, rules: readonly Rule[]): readonly Broken[] {
  if (row.failures !== undefined)
    return row.failures.slice(0, 3).map((failure) => ({ requirement: row.id, ...failure }))
  const places = [...heldBy(row.id, index, rules), row.evidence.slice(0, 1), row.evidence.slice(0, 2), row.evidence]
  const sights = places.flatMap((evidence): readonly Broken[] => {
    const entry = index.entries[(evidence[0] ?? 0) - 1]
    if (entry === undefined) return []
    const scenario = scenarioOf(entry)
    return [{ requirement: row.id, expected: '', got: '', evidence, ...(scenario === undefined ? {} : { scenario }) }]
  })
  const one = new Map(sights.toReversed().map((sight) => [sight.scenario, sight]))
  return [...one.values()].toSorted((left, right) => before(left, index) - before(right, index)).slice(0, mostSights)
}

const mostSights = 6

/** Lines on which a rule bears the requirement out. */
function heldBy(requirement: string, index: TraceIndex, rules: readonly Rule[]): readonly (readonly number[])[] {
  const held: (readonly number[])[] = []
  const nothing = (): void => {}
  const report: Report = {
    held: (row, ...lines) => void (row === requirement && held.push(lines)),
    broken: nothing,
    unobserved: nothing,
    saw: nothing,
  }
  for (const rule of rules) if (rule.proves.includes(requirement)) rule.judge(index, report)
  return held
}

/** How much its scenario had done by then. */
function before({ scenario, evidence }: Broken, { entries }: TraceIndex): number {
  const until = Math.max(...evidence)
  return entries.slice(0, until).filter((entry) => scenarioOf(entry) === scenario).length
}

/** The entries with the header, the frames of their scenarios and the end: a whole trace, as if no more had been planned. */
export function framed(entries: readonly Entry[], requirement: string, index?: TraceIndex): readonly Entry[] {
  const whole = index === undefined ? entries : index.entries
  const kept = new Set(entries)
  const scenarios = new Set(entries.flatMap((entry) => scenarioOf(entry) ?? []))
  return whole.flatMap((entry): readonly Entry[] => {
    if (entry.kind === 'header') {
      const manifest = entry.manifest
        .filter(({ scenario }) => scenarios.has(scenario))
        .map(({ scenario, proves }) => ({ scenario, proves: proves.filter((id) => id === requirement) }))
      return [{ ...entry, only: [], skipped: [], manifest }]
    }
    if (entry.kind === 'end') return [entry]
    if (entry.kind === 'scenario-start' || entry.kind === 'scenario-end') {
      return scenarios.has(entry.scenario) ? [entry] : []
    }
    return kept.has(entry) ? [entry] : []
  })
}
