import { type Entry, scenarioOf } from '#trace/entry'
import type { RequirementResult } from './results.ts'
import type { Rule } from './rule.ts'
import { type Outcome, outcomeIn } from './sent-again.ts'

/** What the ids of scenarios begin with that send a failure of their own run again. */
const prefixes = { short: 'confirm.', whole: 'confirm-whole.', other: 'confirm-other.' } as const

/**
 * The scenario that sends a row's failure again: its shortest sequence, or all that its scenario had done until then; or
 * the shortest sequence of another failure of the row, where the first one is not seen again.
 */
export function confirmationId(requirement: string, what: keyof typeof prefixes): string {
  return `${prefixes[what]}${requirement}`
}

export function isConfirmation(entry: Entry): boolean {
  const scenario = scenarioOf(entry)
  // Asked of every entry of a trace, of which hardly any is one.
  return scenario?.startsWith('confirm') === true && anyPrefix.some((prefix) => scenario.startsWith(prefix))
}

const anyPrefix = Object.values(prefixes)

/**
 * The trace without what was sent again. A failure that is sent again is judged by itself, as `replay` does: it decides no
 * verdict, neither of its own row nor of others, since it repeats what was right to expect on another way.
 */
export function withoutConfirmations(entries: readonly Entry[]): readonly Entry[] {
  // In their places stand entries that say nothing: what comes after them stays on its line.
  return entries.map((entry) => (isConfirmation(entry) ? { kind: 'wait', t: entry.t, why: 'backoff', ms: 0 } : entry))
}

/** What came of a row's failure that was sent again. */
export type Confirmation = NonNullable<RequirementResult['sent_again']>

/** Says of each row what came of its failure when it was sent again; of most traces nothing, since nobody asked for it. */
export function confirmationsIn(
  entries: readonly Entry[],
  rules: readonly Rule[],
): (requirement: string) => Confirmation | undefined {
  const own = Map.groupBy(entries.filter(isConfirmation), scenarioOf)
  return (requirement) => {
    const [short, whole, other] = (['short', 'whole', 'other'] as const).map((what) => {
      const sent = own.get(confirmationId(requirement, what))
      return sent === undefined ? undefined : resendIn(sent, entries, requirement, rules)
    })
    if (short === undefined) return undefined
    if (other?.outcome.is === 'reproduced') return said(other, ': not its first failure, but another of them')
    if (whole === undefined || short.outcome.is === 'reproduced') return said(short)
    if (whole.outcome.is !== 'undecided') return said(whole, ' with all that its scenario had done before')
    const { outcome, says } = said(short)
    return { outcome, says: `${says}; with all that its scenario had done before it was ${said(whole).says}` }
  }
}

interface Resend {
  readonly outcome: Outcome
  /** Whether anything went out at all. */
  readonly sent: boolean
}

function resendIn(
  own: readonly Entry[],
  entries: readonly Entry[],
  requirement: string,
  rules: readonly Rule[],
): Resend {
  const sent = own.some(({ kind }) => kind === 'request')
  return { outcome: outcomeOf(own, entries[0], requirement, rules), sent }
}

/** What came of one scenario that sent a failure again. @param header of the run */
export function outcomeOf(
  own: readonly Entry[],
  header: Entry | undefined,
  requirement: string,
  rules: readonly Rule[],
): Outcome {
  const framed = header?.kind === 'header' ? [header, ...own] : own
  // Nothing of it was to come any more, however the run went on.
  return outcomeIn([...framed, { kind: 'end', t: own.at(-1)?.t ?? 0, outcome: 'completed' }], requirement, rules)
}

function said({ outcome, sent }: Resend, how = ''): Confirmation {
  if (outcome.is === 'reproduced') return { outcome: 'reproduced', says: `seen again when it was sent again${how}` }
  if (outcome.is === 'not-reproduced') {
    return {
      outcome: 'not_reproduced',
      says: `not seen again when it was sent again${how}: it may come only now and then`,
    }
  }
  return sent
    ? { outcome: 'undecided', says: `sent again, which could not be judged: ${outcome.reason}` }
    : { outcome: 'not_sent', says: `not sent again: ${outcome.reason}` }
}
