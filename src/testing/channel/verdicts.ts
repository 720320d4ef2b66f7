import { collectFindings } from '#judge/findings'
import type { Rule } from '#judge/rule'
import { requirements } from '#spec/register'
import { type Setting, type Steps, traceOf } from './steps.ts'

export interface Verdicts {
  /** Rows with something against them, without the part's name. */
  readonly broken: readonly string[]
  readonly held: ReadonlySet<string>
  /** Rows of which something was not observed, and why. */
  readonly open: ReadonlyMap<string, string>
  /** `row: expected …, got …`. */
  readonly reasons: readonly string[]
}

const part = 'control-channel.'

/** What rules say of a dialogue. @throws when a rule throws, or speaks of a row that it did not declare */
export function verdictsOf(rules: readonly Rule[], steps: Steps, setting: Setting = {}): Verdicts {
  const trace = traceOf(steps, setting)
  const held = new Set<string>()
  const broken = new Map<string, string>()
  const open = new Map<string, string>()
  for (const rule of rules) {
    const findings = collectFindings(trace, [rule], (id) => requirements.has(id as never))
    const [mistake] = findings.mistakes
    if (mistake !== undefined) throw new Error(mistake.message)
    for (const [id, row] of findings.rows) {
      if (!rule.proves.includes(id)) throw new Error(`${rule.id} does not declare ${id}`)
      if (row.held > 0) held.add(id.replace(part, ''))
      const [gap] = row.open
      if (gap !== undefined) open.set(id.replace(part, ''), gap.why)
      const [breach] = row.breaches
      if (breach !== undefined) broken.set(id.replace(part, ''), `expected ${breach.expected}, got ${breach.got}`)
    }
  }
  const reasons = [...broken].map(([row, reason]) => `${row}: ${reason}`)
  return { broken: [...broken.keys()].toSorted(), held, open, reasons }
}
