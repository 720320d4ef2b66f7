import type { ReasonCode } from '#trace/entry'
import { evaluate } from './conditions.ts'
import type { Outcome } from './outcome.ts'
import type { Breach, Report, Rule } from './rule.ts'
import type { Placed, TraceIndex } from './trace-index.ts'
import type { ClaimEntry } from '#trace/entry'

/** All that was seen about one requirement. */
export interface Account {
  held: number
  readonly evidence: number[]
  readonly breaches: Breach[]
  readonly open: { readonly code: ReasonCode; readonly why: string; readonly lines: readonly number[] }[]
  readonly scenarios: Set<string>
}

export interface Ledger {
  readonly accounts: ReadonlyMap<string, Account>
  readonly seen: ReadonlyMap<string, { readonly what: Set<string>; readonly lines: number[] }>
  /** Exceptions in rules, and claims about requirements that nobody knows. */
  readonly mistakes: readonly { readonly message: string; readonly evidence: readonly number[] }[]
}

const evidenceKept = 10

/** Evaluates every claim and runs every rule over the trace. A rule that throws is a mistake of ours, not of the target. */
export function keepLedger(trace: TraceIndex, rules: readonly Rule[], known: (requirement: string) => boolean): Ledger {
  const book = new Book()
  for (const claim of trace.claims) {
    if (known(claim.entry.requirement)) book.enter(claim, judgeClaim(trace, claim.entry))
    else
      book.mistake(`claim ${claim.entry.claim} names ${claim.entry.requirement}, which is no requirement`, claim.line)
  }
  for (const rule of rules) {
    try {
      rule.judge(trace, book.reporter(known))
    } catch (error) {
      book.mistake(`rule ${rule.id} threw: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return book
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
      const { pending: _, ...given } = outcome
      return { ...given, code: weaker(outcome.code, claim.given_code) }
    }
  }
  return evaluate(trace, claim.condition)
}

function weaker(code: ReasonCode, given: ReasonCode | undefined): ReasonCode {
  return code === 'prerequisite' && given !== undefined ? given : code
}

class Book implements Ledger {
  readonly accounts = new Map<string, Account>()
  readonly seen = new Map<string, { what: Set<string>; lines: number[] }>()
  readonly mistakes: { message: string; evidence: readonly number[] }[] = []

  enter(claim: Placed<ClaimEntry>, outcome: Outcome): void {
    const account = this.account(claim.entry.requirement)
    const scenario = claim.entry.scenario
    if (scenario !== undefined) account.scenarios.add(scenario)
    if (outcome.state === 'held') this.hold(account, outcome.lines)
    else if (outcome.state === 'broken') account.breaches.push({ ...outcome, scenario })
    else account.open.push({ code: outcome.code, why: outcome.why, lines: outcome.lines })
  }

  reporter(known: (requirement: string) => boolean): Report {
    const account = (requirement: string): Account => {
      if (!known(requirement)) throw new Error(`${requirement} is no requirement`)
      return this.account(requirement)
    }
    return {
      held: (requirement, ...lines) => this.hold(account(requirement), lines),
      broken: (requirement, breach) => {
        const book = account(requirement)
        book.breaches.push(breach)
        if (breach.scenario !== undefined) book.scenarios.add(breach.scenario)
      },
      unobserved: (requirement, code, why, ...lines) => void account(requirement).open.push({ code, why, lines }),
      saw: (choice, what, ...lines) => this.see(choice, what, lines),
    }
  }

  mistake(message: string, line?: number): void {
    this.mistakes.push({ message, evidence: line === undefined ? [] : [line] })
  }

  private hold(account: Account, lines: readonly number[]): void {
    account.held += 1
    if (account.evidence.length < evidenceKept) account.evidence.push(...lines)
  }

  private see(choice: string, what: string, lines: readonly number[]): void {
    const entry = this.seen.get(choice) ?? { what: new Set<string>(), lines: [] }
    this.seen.set(choice, entry)
    if (!entry.what.has(what)) entry.lines.push(...lines)
    entry.what.add(what)
  }

  private account(requirement: string): Account {
    const known = this.accounts.get(requirement)
    if (known !== undefined) return known
    const account: Account = { held: 0, evidence: [], breaches: [], open: [], scenarios: new Set() }
    this.accounts.set(requirement, account)
    return account
  }
}
