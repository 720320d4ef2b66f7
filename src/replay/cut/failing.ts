import { collectFindings } from '#judge/findings'
import type { Failure } from '#judge/results'
import type { Rule } from '#judge/rule'
import { indexTrace } from '#judge/trace-index'
import type { Entry } from '#trace/entry'

/** What was broken, and how. */
export interface Broken extends Pick<Failure, 'expected' | 'got' | 'evidence' | 'scenario'> {
  readonly requirement: string
}

/** Whether a piece of a trace shows what it is to show. */
export type Shows = (entries: readonly Entry[]) => boolean

/** The rules that say that they speak about a requirement; a few speak about others, too. */
export function rulesAbout(requirement: string, rules: readonly Rule[]): readonly Rule[] {
  return rules.filter(({ proves }) => proves.includes(requirement))
}

/** Whether a piece of a trace is still judged to break the requirement, in the same words: else it shows another mistake. */
export function showsStill({ requirement, expected, got }: Broken, rules: readonly Rule[]): Shows {
  return (entries) => {
    const { rows, mistakes } = collectFindings(indexTrace(entries), rules, () => true)
    if (mistakes.length > 0) return false
    return rows.get(requirement)?.breaches.some((one) => one.expected === expected && one.got === got) ?? false
  }
}
