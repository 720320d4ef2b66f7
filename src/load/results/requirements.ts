import type { Finding } from '../../../load/core/findings.ts'
import type { RegisterView } from '#judge/register-view'
import type { RequirementResult, Results } from '#judge/results'
import type { SampledRequirement } from '../load-report.ts'

type Verdict = SampledRequirement['verdict']

/** The most telling first. */
const order: readonly Verdict[] = ['fail', 'warn', 'inconclusive', 'pass']

/**
 * What the sampled conversations, and the scenario by its own count, say of requirements. Rows of which nothing was seen
 * are left out: a load run is no check.
 *
 * @param conversationAt the conversation of a line of the samples
 */
export function requirementsOf(
  results: Pick<Results, 'requirements' | 'unscored'>,
  findings: readonly Finding[],
  register: RegisterView,
  conversationAt: (line: number) => string | undefined,
): readonly SampledRequirement[] {
  const sampled = [...results.requirements, ...results.unscored].flatMap((row) =>
    sampledRow(row, register, conversationAt),
  )
  const counted = findings.flatMap((finding) => countedRow(finding, register))
  const known = new Set(counted.map(({ id }) => id))
  const all = [...counted, ...sampled.filter(({ id, verdict }) => verdict !== 'pass' || !known.has(id))]
  return all.toSorted((left, right) => order.indexOf(left.verdict) - order.indexOf(right.verdict))
}

function sampledRow(
  row: RequirementResult,
  register: RegisterView,
  conversationAt: (line: number) => string | undefined,
): SampledRequirement[] {
  const verdict = verdictOf(row)
  if (verdict === undefined) return []
  const { id, section, failures = [] } = row
  const [failure] = failures
  const seen = row.reason === '' ? `seen ${row.observations} time${row.observations === 1 ? '' : 's'}` : row.reason
  const reason = failure === undefined ? seen : `expected ${failure.expected}, got ${failure.got}`
  const evidence = row.evidence.flatMap((line) => {
    const conversation = conversationAt(line)
    return conversation === undefined ? [] : [{ conversation, line }]
  })
  return [{ id, text: register.rows.get(id)?.text ?? '', section, verdict, reason, evidence }]
}

/** One that the profile expects to fail does not fail a load run. */
function verdictOf({ verdict, observations }: RequirementResult): Verdict | undefined {
  if (observations === 0 || verdict === 'not_applicable') return undefined
  return verdict === 'waived' ? 'warn' : verdict
}

/** What the scenario found by counting: every iteration is behind it, and no line. */
function countedRow({ requirement, text }: Finding, register: RegisterView): SampledRequirement[] {
  const row = requirement === undefined ? undefined : register.rows.get(requirement)
  if (requirement === undefined || row === undefined) return []
  const { section, level } = row
  const verdict = level === 'must' ? 'fail' : 'warn'
  return [{ id: requirement, text: row.text, section, verdict, reason: text, evidence: [] }]
}

/** What broke, one sentence each: requirement, conversation, line. */
export function brokenSentences(rows: readonly SampledRequirement[]): readonly string[] {
  return rows
    .filter(({ verdict, evidence }) => verdict === 'fail' && evidence.length > 0)
    .map(({ id, reason = '', evidence }) => {
      const [first] = evidence
      const place = first === undefined ? '' : ` (conversation ${first.conversation}, samples.ndjson:${first.line})`
      return `${id} is broken: ${reason}${place}`
    })
}
