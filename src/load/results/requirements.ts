import type { Finding, Findings } from '../../../load/core/findings.ts'
import type { RegisterView } from '#judge/register-view'
import type { RequirementResult, Results } from '#judge/results'
import type { SampledEvidence, SampledRequirement } from '../load-report.ts'

type Verdict = SampledRequirement['verdict']

/** The most telling first. */
const order: readonly Verdict[] = ['fail', 'warn', 'inconclusive', 'pass']

/**
 * What the sampled conversations, and the scenario by its own count, say of requirements, each once. Rows of which nothing
 * was seen are left out: a load run is no check.
 *
 * @param conversationAt the conversation of a line of the samples
 * @param waived what the profile expects to fail today
 */
export function requirementsOf(
  results: Pick<Results, 'requirements' | 'unscored'>,
  findings: readonly Finding[],
  register: RegisterView,
  conversationAt: (line: number) => string | undefined,
  waived: ReadonlySet<string> = new Set(),
): readonly SampledRequirement[] {
  const sampled = [...results.requirements, ...results.unscored].flatMap((row) =>
    sampledRow(row, register, conversationAt),
  )
  const counted = findings.flatMap((finding) => countedRow(finding, register, waived))
  const byId = Map.groupBy([...counted, ...sampled], ({ id }) => id)
  return [...byId.values()].map(asOne).toSorted(byVerdict)
}

const byVerdict = (left: SampledRequirement, right: SampledRequirement): number =>
  order.indexOf(left.verdict) - order.indexOf(right.verdict)

/** What was told of one requirement, by count and by samples: the most telling verdict, with all that speaks for it. */
function asOne(told: readonly SampledRequirement[]): SampledRequirement {
  const [first, ...others] = told.toSorted(byVerdict)
  if (first === undefined) throw new Error('nothing was told of it')
  const same = [first, ...others.filter(({ verdict }) => verdict === first.verdict)]
  const reasons = same.flatMap(({ reason }) => (reason === undefined ? [] : [reason]))
  return {
    ...first,
    ...(reasons.length === 0 ? {} : { reason: reasons.join('; ') }),
    evidence: same.flatMap(({ evidence }) => evidence),
  }
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
function countedRow(
  { requirement, text }: Finding,
  register: RegisterView,
  waived: ReadonlySet<string>,
): SampledRequirement[] {
  const row = requirement === undefined ? undefined : register.rows.get(requirement)
  if (requirement === undefined || row === undefined) return []
  const { section, level } = row
  const verdict = level === 'must' && !waived.has(requirement) ? 'fail' : 'warn'
  return [{ id: requirement, text: row.text, section, verdict, reason: text, evidence: [] }]
}

/** The findings that count: of what the profile expects to fail today nothing is held against the target. */
export function unexpected({ broken, trouble, ...rest }: Findings, waived: ReadonlySet<string>): Findings {
  const counts = ({ requirement }: Finding): boolean => requirement === undefined || !waived.has(requirement)
  return { broken: broken.filter(counts), trouble: trouble.filter(counts), ...rest }
}

/**
 * What broke in sampled conversations, one sentence each: requirement, conversation, line.
 * @param findings what was counted, which is told in sentences of its own
 */
export function brokenSentences(rows: readonly SampledRequirement[], findings: readonly Finding[]): readonly string[] {
  const counted = new Set(findings.map(({ requirement }) => requirement))
  return rows.flatMap(({ id, verdict, reason = '', evidence: [first] }) =>
    verdict !== 'fail' || first === undefined || counted.has(id)
      ? []
      : [`${id} is broken: ${reason} (${placeOf(first)})`],
  )
}

const placeOf = ({ conversation, line }: SampledEvidence): string =>
  `conversation ${conversation}, samples.ndjson:${line}`

/**
 * What was counted, and where a sampled conversation shows the same. A law that stands for two requirements is found twice in
 * the same words: both are told with the same place, so that it is one reason, whichever of them samples show, and where.
 */
export function withPlaces(findings: readonly Finding[], rows: readonly SampledRequirement[]): readonly Finding[] {
  const evidenceOf = ({ requirement }: Finding) => rows.find(({ id }) => id === requirement)?.evidence ?? []
  return findings.map((finding) => {
    const [first] = findings.filter(({ text }) => text === finding.text).flatMap(evidenceOf)
    return first === undefined ? finding : { ...finding, text: `${finding.text} (as in ${placeOf(first)})` }
  })
}
