import type { Report, Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { ChoiceId } from '#spec/register'
import { isAlive } from './alive.ts'
import { fullId, type Row } from '../rows.ts'

type Short<Id> = Id extends `control-channel.${infer Rest}` ? Rest : never

/** Id of a choice point of this part, without the part's name. */
export type Choice = Short<ChoiceId>

/** Where something was seen. */
export interface Place {
  readonly line: number
  readonly scenario?: string | undefined
}

/** What is told of a breach; a function where putting it together takes long, since most hold. */
type Told = string | (() => string)

/** How a rule says what it saw of the rows that it declared. */
export interface Say<Own extends Row = Row> {
  held(row: Own, ...places: readonly Place[]): void
  broken(row: Own, expected: string, got: string, ...places: readonly Place[]): void
  /** The same, unless it may have come by accident: then it counts where it comes each time. */
  brokenUnless(accident: string | undefined, row: Own, expected: string, got: string, ...places: readonly Place[]): void
  /** Held or broken. */
  judge(row: Own, good: boolean, expected: Told, got: Told, ...places: readonly Place[]): void
  /** Nothing to see, because the target is free to leave it so. */
  open(row: Own, why: string, ...places: readonly Place[]): void
  saw(choice: Choice, what: string, ...places: readonly Place[]): void
  readonly report: Report
}

/** A passive rule about this part. It speaks of the rows that it names, and of no others. */
export function ruleOf<const Own extends Row>(
  name: string,
  proves: readonly Own[],
  judge: (trace: TraceIndex, say: Say<Own>) => void,
): Rule {
  return {
    id: `control-channel.${name}`,
    proves: proves.map(fullId),
    judge: (trace, report) => judge(trace, sayTo(isAlive(trace) ? report : onlyAgainst(report))),
  }
}

/** Where nobody listens, nothing holds. */
function onlyAgainst(report: Report): Report {
  return {
    held: () => {},
    broken: (requirement, breach) => report.broken(requirement, breach),
    unobserved: (requirement, code, why, ...lines) => report.unobserved(requirement, code, why, ...lines),
    saw: (choice, what, ...lines) => report.saw(choice, what, ...lines),
  }
}

function sayTo<Own extends Row>(report: Report): Say<Own> {
  const say: Say<Own> = {
    report,
    held: (row, ...places) => {
      const [one, other] = places
      if (one !== undefined && other === undefined) report.held(fullId(row), one.line)
      else report.held(fullId(row), ...linesOf(places))
    },
    broken: (row, expected, got, ...places) => say.brokenUnless(undefined, row, expected, got, ...places),
    brokenUnless: (accident, row, expected, got, ...places) => {
      const scenario = places.findLast((place) => place.scenario !== undefined)?.scenario
      const breach = { expected, got, lines: linesOf(places), scenario }
      report.broken(`control-channel.${row}`, accident === undefined ? breach : { ...breach, accident })
    },
    judge: (row, good, expected, got, ...places) => {
      if (good) say.held(row, ...places)
      else say.broken(row, inWords(expected), inWords(got), ...places)
    },
    open: (row, why, ...places) => {
      report.unobserved(`control-channel.${row}`, 'model_choice', why, ...linesOf(places))
    },
    saw: (choice, what, ...places) => report.saw(fullChoice(choice), what, ...linesOf(places)),
  }
  return say
}

function fullChoice(choice: Choice): string {
  const known = fullChoices.get(choice)
  if (known !== undefined) return known
  const id = `control-channel.${choice}`
  fullChoices.set(choice, id)
  return id
}

/** A text that was just put together is slow to look up. */
const fullChoices = new Map<Choice, string>()

function inWords(told: Told): string {
  return typeof told === 'string' ? told : told()
}

function linesOf(places: readonly Place[]): readonly number[] {
  return places.map(({ line }) => line)
}
