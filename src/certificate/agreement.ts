import type { RequirementResult, Results, Verdict } from '#judge/results'

/** What two runs say of one row together. */
export type JointResult = Pick<RequirementResult, 'id' | 'section' | 'level' | 'verdict' | 'reason' | 'reason_code'>

/** A row of which two runs of one target say different things. */
export interface Contradiction {
  readonly id: string
  readonly first: Verdict
  readonly second: Verdict
}

export interface Agreement {
  readonly rows: readonly JointResult[]
  readonly contradictions: readonly Contradiction[]
}

/**
 * Sets two runs side by side. A row that only one of them could judge has that one's verdict: what was not observed
 * contradicts nothing. Any other difference is a contradiction.
 */
export function agree(first: Results, second: Results): Agreement {
  const others = new Map(second.requirements.map((row) => [row.id, row]))
  const rows: JointResult[] = []
  const contradictions: Contradiction[] = []
  for (const one of first.requirements) {
    const other = others.get(one.id) ?? one
    const joint = one.verdict === 'inconclusive' ? other : one
    if (one.verdict !== other.verdict && other.verdict !== 'inconclusive' && one.verdict !== 'inconclusive')
      contradictions.push({ id: one.id, first: one.verdict, second: other.verdict })
    rows.push(jointOf(joint))
  }
  return { rows, contradictions }
}

function jointOf({ id, section, level, verdict, reason, reason_code }: RequirementResult): JointResult {
  return { id, section, level, verdict, reason, ...(reason_code === undefined ? {} : { reason_code }) }
}
