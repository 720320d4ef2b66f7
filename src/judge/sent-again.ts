import type { Entry } from '#trace/entry'
import { collectFindings } from './findings.ts'
import type { Rule } from './rule.ts'
import { indexTrace } from './trace-index.ts'

/** What came of sending a failure again. */
export type Outcome =
  | { readonly is: 'reproduced'; readonly expected: string; readonly got: string }
  | { readonly is: 'not-reproduced' }
  | { readonly is: 'undecided'; readonly reason: string }

/** What begins the label of a mark where things went otherwise than when they were recorded. */
const anotherWay = 'another way: '

export function anotherWayLabel(how: string): string {
  return `${anotherWay}${how}`
}

const again = /^(?:replay|confirm|confirm-whole|confirm-other)\./

/** Whether a scenario sends again what another one sent: its names hold other ids than its run has, which are as new. */
export function sendsAgain(scenario: string | undefined): boolean {
  return scenario !== undefined && again.test(scenario)
}

/**
 * What the judge says of a requirement in the trace of a failure that was sent again.
 *
 * @param entries of the scenario that sent it again, with what frames them
 * @param before what came in the place of what was expected when it failed
 */
export function outcomeIn(
  entries: readonly Entry[],
  requirement: string,
  rules: readonly Rule[],
  before?: string,
): Outcome {
  const { rows } = collectFindings(indexTrace(entries), rules, () => true)
  const row = rows.get(requirement)
  const [breach] = row?.breaches ?? []
  if (breach !== undefined) {
    // What was expected then was expected of what had come until then: on another way it may be wrong to expect it.
    const other = otherWayIn(entries)
    if (other !== undefined) return { is: 'undecided', reason: other }
    return { is: 'reproduced', expected: breach.expected, got: breach.got }
  }
  // What may be an accident where it is seen once is the failure itself where the same came before.
  const failing = row?.open.find(({ eachTime }) => eachTime !== undefined && eachTime.got === before)?.eachTime
  if (failing !== undefined) return { is: 'reproduced', expected: failing.expected, got: failing.got }
  if (row !== undefined && row.held > 0) return { is: 'not-reproduced' }
  const reason = whyCutShort(entries) ?? row?.open[0]?.why ?? 'nothing was observed that speaks about it'
  return { is: 'undecided', reason }
}

function otherWayIn(entries: readonly Entry[]): string | undefined {
  const mark = entries.find((entry) => entry.kind === 'mark' && entry.label.startsWith(anotherWay))
  return mark?.kind === 'mark' ? mark.label.slice(anotherWay.length) : undefined
}

/** Why not everything was sent, where it was not. */
function whyCutShort(entries: readonly Entry[]): string | undefined {
  for (const entry of entries) {
    if (entry.kind === 'scenario-end' && entry.outcome !== 'completed') return entry.reason ?? `it was ${entry.outcome}`
  }
  const end = entries.at(-1)
  return end?.kind === 'end' && end.outcome !== 'completed' ? `the run ended ${end.outcome}` : undefined
}
