import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Rule } from '#judge/rule'
import type { Entry } from '#trace/entry'
import type { Label } from './label.ts'

/** What Greenroom makes of a trace. */
export interface Opinion {
  readonly verdict: Label['verdict']
  /** All requirements that it calls broken. */
  readonly broken: readonly string[]
  readonly mistakes: readonly string[]
}

const said: { readonly [verdict: string]: Label['verdict'] } = { pass: 'legal', fail: 'illegal', warn: 'illegal' }

/** Judges a trace whole, and says what became of one requirement. */
export function opinionOn(entries: readonly Entry[], requirement: string, rules: readonly Rule[]): Opinion {
  const { digest } = register()
  const [header, ...rest] = entries
  const own = header?.kind === 'header' ? [{ ...header, register: digest }, ...rest] : entries
  const results = judge({ entries: own, truncated: false, sha256: '' }, register(), rules)
  const rows = [...results.requirements, ...results.unscored]
  const verdict = rows.find(({ id }) => id === requirement)?.verdict ?? ''
  return {
    verdict: said[verdict] ?? 'undecided',
    broken: rows.flatMap((row) => (said[row.verdict] === 'illegal' ? [row.id] : [])),
    mistakes: results.harness_errors.map(({ message }) => message),
  }
}
