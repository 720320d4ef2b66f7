import type { ReasonCode } from '#trace/entry'
import { messageOf } from '#trace/message-of'
import { excused } from './conditions/after-failure.ts'
import { evaluate } from './conditions/conditions.ts'
import type { Outcome } from './conditions/outcome.ts'
import type { Breach, Report, Rule } from './rule.ts'
import { isRecording } from './recordings.ts'
import type { Placed, TraceIndex } from './trace-index.ts'
import type { ClaimEntry } from '#trace/entry'

/** Something that could not be judged. */
interface Open {
  readonly code: ReasonCode
  readonly why: string
  readonly lines: readonly number[]
  /** What it is where it comes each time, and how often it came in a row. */
  readonly eachTime?: EachTime
}

export type EachTime = Breach & { readonly times: number; readonly rate?: number }

/** All that was seen about one requirement. */
export interface RowFindings {
  held: number
  readonly evidence: number[]
  readonly breaches: Breach[]
  /** Breaches that were counted and not kept, where a trace was judged in windows. */
  unkept: number
  readonly open: Open[]
  readonly scenarios: Set<string>
}

export interface Findings {
  readonly rows: ReadonlyMap<string, RowFindings>
  readonly seen: ReadonlyMap<string, { readonly what: Set<string>; readonly lines: number[] }>
  /** Exceptions in rules, and claims about requirements that nobody knows. */
  readonly mistakes: readonly { readonly message: string; readonly evidence: readonly number[] }[]
}

const evidenceKept = 10

/**
 * Evaluates every claim and runs every rule over the trace. A rule that throws is a mistake of ours, not of the target.
 *
 * @param collected what was found before, where a trace is judged in windows
 */
export function collectFindings(
  trace: TraceIndex,
  rules: readonly Rule[],
  known: (requirement: string) => boolean,
  collected: Collected = new Collected(),
): Findings {
  for (const claim of trace.claims) {
    if (known(claim.entry.requirement)) collected.add(claim, judgeClaim(trace, claim.entry))
    else
      collected.mistake(
        `claim ${claim.entry.claim} names ${claim.entry.requirement}, which is no requirement`,
        claim.line,
      )
  }
  const recorded = isRecording(trace)
  for (const rule of rules) {
    const said = recorded ? new Said() : undefined
    try {
      rule.judge(trace, said ?? collected.reporter(known))
      said?.tell(collected.reporter(known))
    } catch (error) {
      collected.mistake(`rule ${rule.id} threw: ${messageOf(error)}`)
    }
  }
  return collected
}

/**
 * What a rule says, kept until it is through. In a recording what others found stands beside a rule that threw, and of that
 * one nothing. Its members are its own, so that a rule may spread it into a report that says some of it otherwise.
 */
class Said implements Report {
  readonly #all: ((report: Report) => void)[] = []

  readonly held: Report['held'] = (...said) => void this.#all.push((report) => report.held(...said))
  readonly broken: Report['broken'] = (...said) => void this.#all.push((report) => report.broken(...said))
  readonly unobserved: Report['unobserved'] = (...said) => void this.#all.push((report) => report.unobserved(...said))
  readonly saw: Report['saw'] = (...said) => void this.#all.push((report) => report.saw(...said))

  tell(report: Report): void {
    for (const say of this.#all) say(report)
  }
}

/** What became of one claim. */
export function judgeClaim(trace: TraceIndex, claim: ClaimEntry): Outcome {
  for (const condition of claim.given ?? []) {
    const outcome = evaluate(trace, condition)
    if (outcome.state === 'broken') {
      const why = `expected ${outcome.expected}, got ${outcome.got}`
      return { state: 'unobserved', code: claim.given_code ?? 'prerequisite', why, lines: outcome.lines }
    }
    if (outcome.state === 'unobserved') {
      const { pending: _, eachTime: __, ...given } = outcome
      return { ...given, code: weaker(outcome.code, claim.given_code) }
    }
  }
  return excused(trace, evaluate(trace, claim.condition))
}

function weaker(code: ReasonCode, given: ReasonCode | undefined): ReasonCode {
  return code === 'prerequisite' && given !== undefined ? given : code
}

/** Findings while they are gathered. */
export class Collected implements Findings {
  readonly rows = new Map<string, RowFindings>()
  readonly seen = new Map<string, { what: Set<string>; lines: number[] }>()
  readonly mistakes: { message: string; evidence: readonly number[] }[] = []

  add(claim: Placed<ClaimEntry>, outcome: Outcome): void {
    const row = this.ofRow(claim.entry.requirement)
    const scenario = claim.entry.scenario
    if (scenario !== undefined) row.scenarios.add(scenario)
    if (outcome.state === 'held') this.hold(row, outcome.lines)
    else if (outcome.state === 'broken') row.breaches.push({ ...outcome, scenario })
    else {
      const { code, why, lines, eachTime } = outcome
      row.open.push({
        code,
        why,
        lines,
        ...(eachTime === undefined ? {} : { eachTime: { ...eachTime, lines, scenario } }),
      })
    }
  }

  reporter(known: (requirement: string) => boolean): Report {
    const rowOf = (requirement: string): RowFindings => {
      const row = this.rows.get(requirement)
      if (row !== undefined) return row
      if (!known(requirement)) throw new Error(`${requirement} is no requirement`)
      return this.ofRow(requirement)
    }
    return {
      held: (requirement, ...lines) => {
        const row = rowOf(requirement)
        row.held += 1
        // Most of what holds is only counted.
        if (row.evidence.length < evidenceKept) row.evidence.push(...lines)
      },
      broken: (requirement, breach) => {
        const row = rowOf(requirement)
        const { accident, lines } = breach
        if (accident === undefined) row.breaches.push(breach)
        else row.open.push({ code: 'network', why: accident, lines, eachTime: { ...breach, times: 1 } })
        if (breach.scenario !== undefined) row.scenarios.add(breach.scenario)
      },
      unobserved: (requirement, code, why, ...lines) => void rowOf(requirement).open.push({ code, why, lines }),
      saw: (choice, what, ...lines) => this.see(choice, what, lines),
    }
  }

  mistake(message: string, line?: number): void {
    this.mistakes.push({ message, evidence: line === undefined ? [] : [line] })
  }

  private hold(row: RowFindings, lines: readonly number[]): void {
    row.held += 1
    if (row.evidence.length < evidenceKept) row.evidence.push(...lines)
  }

  private see(choice: string, what: string, lines: readonly number[]): void {
    const known = this.seen.get(choice)
    if (known?.what.has(what) === true) return
    const entry = known ?? { what: new Set<string>(), lines: [] }
    if (known === undefined) this.seen.set(choice, entry)
    entry.what.add(what)
    entry.lines.push(...lines)
  }

  private ofRow(requirement: string): RowFindings {
    const known = this.rows.get(requirement)
    if (known !== undefined) return known
    const row: RowFindings = { held: 0, evidence: [], breaches: [], unkept: 0, open: [], scenarios: new Set() }
    this.rows.set(requirement, row)
    return row
  }
}
