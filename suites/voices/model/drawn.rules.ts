import { judgeDrawn } from '#judge/refused-values'
import type { Rule } from '#judge/rule'
import { propertyId } from './moves.ts'

const row = 'voices.clone.accepted'

/** What makes a name invalid beyond its length is not said (20004); the file may be missing, the provider fail. */
const aside = [20004, 20005, 30007]

/** Clones with names and languages that are drawn over the documented range are accepted. */
export const drawnClones: Rule = {
  id: 'voices.drawn',
  proves: [row],
  judge: (trace, report) =>
    judgeDrawn(
      trace,
      { operation: 'clone-voice', shape: 'rest/clone-voice.request', row, aside },
      [propertyId],
      report,
    ),
}
