import { workspaceOf } from '#spec/profile'
import { isMishap } from '#spec/tables'
import { stringAt } from '#trace/json'
import { answerTo } from '#judge/answers'
import type { Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'

import { bodyOf, type Call, callsOf, lifeNamed } from '../history.ts'
import { idOf, type Page, pagesOf } from '../list/page-walks.ts'

const row: RequirementId = 'characters.create.refused-leaves-no-character'

/** Shorter names may occur anywhere. */
const shortest = 9

/** A refused create leaves no character: its name is one that nothing else bears. */
export const leftovers: Rule = {
  id: 'characters.leftovers',
  proves: [row],
  judge(trace, report) {
    const creates = callsOf(trace, 'create-character')
    const taken = new Set([...creates, ...callsOf(trace, 'replace-character')].filter(mayHaveTaken).map(nameOf))
    const named = creates.flatMap((call) => {
      const name = nameOf(call)
      return name.length < shortest || taken.has(name) ? [] : [{ call, name }]
    })
    for (const page of pagesOf(trace)) {
      if (page.token !== undefined) continue
      const [names, oldest] = [new Set(page.items.map((item) => stringAt(item, '/name'))), oldestOn(trace, page)]
      for (const { call, name } of named) {
        if (call.until > page.from || !(isOfNobody(call) || (oldest < call.from && isOfWalker(page, call)))) continue
        if (names.has(name)) {
          const lines = [call.from, call.until, page.until]
          report.broken(row, {
            expected: 'no character of a refused create',
            got: name,
            lines,
            scenario: call.record.scenario,
          })
        } else if (!isOfNobody(call)) report.held(row, page.until)
      }
    }
  },
}

function nameOf({ record }: Call): string {
  return stringAt(bodyOf(record), '/name') ?? ''
}

/** Whether the name stands there by right: a client may have been refused first, and nobody knows what came of a mishap. */
function mayHaveTaken({ record }: Call): boolean {
  return record.attempts.some((attempt) => {
    const answer = answerTo(attempt)
    return answer.kind !== 'failure' || isMishap(answer)
  })
}

function isOfWalker(page: Page, call: Call): boolean {
  return workspaceOf(page.key) === workspaceOf(call.key)
}

/** What came without a key, or with one of nobody, may have been written anywhere. */
const isOfNobody = ({ key }: Call): boolean => key === 'none' || key === 'malformed'

/** Pages are newest first: one covers all that is younger than the oldest character of ours that it shows. @returns a line */
function oldestOn(trace: TraceIndex, page: Page): number {
  const ages = page.items.map((item) => lifeNamed(trace, page, idOf(item))?.created.until ?? Infinity)
  return Math.min(...ages)
}
