import { stringAt } from '#trace/json'
import { workspaceOf } from '#spec/profile'
import { answerOf } from '#judge/answers'
import type { Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'

import { bodyOf, type Call, callsOf, livesOf } from '../history.ts'
import { idOf, type Page, pagesOf } from '../list/page-walks.ts'

const row: RequirementId = 'characters.create.refused-leaves-no-character'

/** Shorter names may occur anywhere. */
const shortest = 9

/** A refused create leaves no character: its name is one that nothing else bears. */
export const leftovers: Rule = {
  id: 'characters.leftovers',
  proves: [row],
  judge(trace, report) {
    const refused = callsOf(trace, 'create-character').filter(({ record }) => answerOf(record).kind === 'failure')
    for (const page of pagesOf(trace)) {
      for (const call of refused) {
        const name = stringAt(bodyOf(call.record), '/name') ?? ''
        if (name.length < shortest || !covers(trace, page, call)) continue
        if (!page.items.some((item) => stringAt(item, '/name') === name)) report.held(row, page.until)
        else {
          const lines = [call.from, call.until, page.until]
          report.broken(row, {
            expected: 'no character of a refused create',
            got: name,
            lines,
            scenario: call.record.scenario,
          })
        }
      }
    }
  },
}

/** The page is newest first, and shows a character of ours that is older than the refused create. */
function covers(trace: TraceIndex, page: Page, call: Call): boolean {
  if (workspaceOf(page.key) !== workspaceOf(call.key) || call.until > page.from || page.token !== undefined)
    return false
  const shown = new Set(page.items.map((item) => idOf(item)))
  return [...livesOf(trace).values()].some(({ id, created }) => shown.has(id) && created.until < call.from)
}
