import { envelopeOf, mayHaveActed } from '#judge/answers'
import type { Rule } from '#judge/rule'
import { sendsAgain } from '#judge/sent-again'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { at, type Json } from '#trace/json'
import { isThoughtOf } from './names.ts'
import { bodyOf, isSuccess, shownBy, type Success, type Talk, talks } from './log.ts'

const refused: RequirementId = 'voices.clone.refused-makes-nothing'
const failed: RequirementId = 'voices.code-30007.makes-nothing'

/** Keys of nobody. */
const bad: ReadonlySet<string> = new Set(['none', 'malformed'])

/** A clone with a non-zero code is a failure (Conventions): later lists have no more voices of its name than earlier ones. */
export const leftovers: Rule = {
  id: 'voices.leftovers',
  proves: [refused, failed],
  judge(trace, report) {
    const lists = talks(trace, 'list-voices').filter(isSuccess)
    const clones = talks(trace, 'clone-voice')
    const taken = new Set(clones.filter(isSuccess).map((talk) => nameIn(bodyOf(talk))))
    for (const talk of clones) {
      const name = nameIn(bodyOf(talk))
      if (talk.answer.kind !== 'failure' || name === undefined || taken.has(name)) continue
      const row = talk.answer.code === 30007 ? failed : refused
      const { workspace, sent, answer, record } = talk
      // Whoever asked without a good key has no workspace: what it made may be anybody's, and that it made nothing says little.
      const isOfNobody = bad.has(record.key)
      const own = lists.filter((list) => isOfNobody || list.workspace === workspace)
      const before = own.findLast((list) => list.answer.line < sent)
      const count = before === undefined ? unusedBefore(trace, name, record.scenario) : countOf(before, name)
      if (count === undefined || mayHaveMade(talk)) continue
      for (const list of own.filter((one) => one.sent > answer.line)) {
        const lines = [sent, answer.line, list.answer.line]
        if (countOf(list, name) > count)
          report.broken(row, {
            expected: `no voice ${name || 'without a name'}`,
            got: 'one',
            lines,
            scenario: record.scenario,
          })
        // Where no clone ever made anything, that this one did not says nothing.
        else if (!isOfNobody && taken.size > 0) report.held(row, ...lines)
      }
    }
  },
}

/** A name that this run thought of was nobody's before; one that is sent again has a new id in the place of that. */
function unusedBefore({ header }: TraceIndex, name: string, scenario: string | undefined): number | undefined {
  if (header === undefined) return undefined
  return name.includes(header.run) || (sendsAgain(scenario) && isThoughtOf(name)) ? 0 : undefined
}

/** An attempt without an answer, or one that the service failed over (section 7: 5xx), may have made a voice all the same. */
function mayHaveMade({ record }: Talk): boolean {
  return record.attempts.some(
    (attempt) => mayHaveActed(attempt) || envelopeOf(attempt.response?.entry.body) === undefined,
  )
}

function countOf(list: Success, name: string): number {
  return shownBy(list).filter((voice) => nameIn(voice) === name).length
}

/** What has none counts as named with nothing. */
function nameIn(value: Json | undefined): string | undefined {
  const name = at(value, '/name') ?? ''
  return typeof name === 'string' ? name : undefined
}
