import type { Report, Rule } from '../rule.ts'

/**
 * Rules that judge each event by itself, or two of one connection. What the others say of a session holds only if all that
 * passed in it is known: an item that nobody named before may be older than the recording.
 */
const byItself: ReadonlySet<string> = new Set([
  'control-channel.frames',
  'control-channel.shapes',
  'control-channel.event-ids',
  'errors.channel',
  'errors.naming-of-events',
])

/** Items come back as they were sent, faults of the client that nobody saw included. */
const ofItems = /^control-channel\.[\w-]*item/

/** What of a rule's findings counts. */
export interface Filter {
  /** Whether a line is of a connection to a session whose beginning is not known. */
  isPartial(line: number): boolean
  /** The same of a request about such a session. */
  isOfPartial(line: number): boolean
  /** Whether what rests on these lines is entered now. */
  counts(lines: readonly number[]): boolean
}

export function filtered(rule: Rule, filter: Filter): Rule {
  const whole = !byItself.has(rule.id)
  const ofChannel = rule.id.startsWith('control-channel.')
  const passes = (row: string, lines: readonly number[]): boolean => {
    if (!filter.counts(lines)) return false
    if ((whole || ofItems.test(row)) && lines.some((line) => filter.isPartial(line))) return false
    return !(ofChannel && lines.some((line) => filter.isOfPartial(line)))
  }
  const through = (report: Report): Report => ({
    held: (row, ...lines) => {
      if (passes(row, lines)) report.held(row, ...lines)
    },
    broken: (row, breach) => {
      if (passes(row, breach.lines)) report.broken(row, breach)
    },
    unobserved: (row, code, why, ...lines) => {
      if (passes(row, lines)) report.unobserved(row, code, why, ...lines)
    },
    saw: (choice, what, ...lines) => {
      if (passes('', lines)) report.saw(choice, what, ...lines)
    },
  })
  return { ...rule, judge: (trace, report) => rule.judge(trace, through(report)) }
}
