import type { Paint } from '#report/paint'
import { printable } from '#text/printable'
import { type Asked, countOf } from './ask-target.ts'
import { type Addition, rowsAdded } from './what-it-adds.ts'

/** One thing that the doctor looked at. */
export interface Finding {
  /** `wrong`: the profile has to change. `unreachable`: nothing can be judged. `look`: nothing stops a run. */
  readonly mark: 'ok' | 'look' | 'wrong' | 'unreachable'
  readonly subject: string
  readonly text: string
}

const styles = { ok: 'green', look: 'yellow', wrong: 'red', unreachable: 'red' } as const
const labels = { ok: 'ok', look: 'look', wrong: 'WRONG', unreachable: 'WRONG' } as const

/** What was looked at, then what is missing and what it would add. */
export function doctorText(
  findings: readonly Finding[],
  adds: readonly Addition[],
  { requests, leaked }: Pick<Asked, 'requests' | 'leaked'>,
  paint: Paint,
): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  const lines = findings.map(
    ({ mark, subject, text }) =>
      `${paint(styles[mark], labels[mark].padEnd(5))}  ${subject.padEnd(width)}  ${printable(text, 600)}`,
  )
  const missing = adds.filter(({ given }) => !given)
  const left =
    leaked.length === 0 ? 'nothing is left open' : `left open: ${leaked.map((id) => printable(id)).join(', ')}`
  return [
    ...lines,
    ...(missing.length === 0 ? [] : ['', 'What the profile lacks, and what it would add:']),
    ...missing.map(({ field, rows }) => `  \`${field}\`: ${rowsAdded(rows)}`),
    '',
    `${countOf(requests)}; ${left}.`,
    '',
  ].join('\n')
}
