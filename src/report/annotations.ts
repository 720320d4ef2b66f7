import type { RequirementResult, Results } from '#judge/results'
import { printable } from '#text/printable'

/** GitHub shows so many of a step. */
const most = 10

/** New failures as workflow commands of GitHub Actions, one a line, which it shows beside the run. */
export function annotations(
  { requirements }: Results,
  baseline: ReadonlySet<string>,
  text: (id: string) => string | undefined,
): string {
  const failed = requirements.filter(({ id, verdict }) => verdict === 'fail' && !baseline.has(id))
  return failed
    .slice(0, most)
    .map((row) => `::error title=${property(row.id)}::${message(said(row, text(row.id)))}\n`)
    .join('')
}

function said({ section, reason, failures }: RequirementResult, text: string | undefined): string {
  const first = failures?.[0]
  const found = first === undefined ? reason : `expected ${first.expected}, got ${first.got}`
  return `${text ?? ''} (section ${section}): ${printable(found)}`.trim()
}

/** The characters by which a workflow command ends. */
function message(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(value: string): string {
  return message(value).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
