import type { Rule } from '#judge/rule'
import type { RequirementId } from '#spec/register'
import { formOf, shownIn, trafficByWorkspace } from './refused-creates.ts'

const row: RequirementId = 'errors.code-30008.capacity-exceeded'
/** What was refused for want of capacity, and nothing else, can have filled it. */
const place: RequirementId = 'limits.concurrency.refused-create-holds-nothing'
const key = 'capacity_exhausted'

/**
 * A 30006 is nobody's fault where sessions are open. In a workspace that has none it tells the wrong story: what is exhausted
 * is the platform's capacity.
 */
export const capacity: Rule = {
  id: 'errors.capacity',
  proves: [row, place],
  judge(trace, report) {
    const traffics = trafficByWorkspace(trace)
    const traffic = traffics.get(key)
    const form = formOf(trace)
    if (traffic === undefined || form.size === 0 || traffic.creates.some(({ code }) => code === 0)) return
    for (const { code, sent, line, scenario } of traffic.creates) {
      const list = traffic.lists.filter((one) => one.line < sent).at(-1)
      if (code !== 30006 || list === undefined || shownIn(list, form).size > 0) continue
      const lines = [list.line, sent, line]
      const got = '30006 in a workspace without sessions'
      report.broken(row, { expected: '30008', got, lines, scenario })
      const refused = traffic.creates.find((one) => one.code === 30008 && one.line < sent)
      if (refused === undefined) continue
      report.broken(place, {
        expected: 'no place taken by a refused create',
        got,
        lines: [refused.line, ...lines],
        scenario,
      })
    }
  },
}
