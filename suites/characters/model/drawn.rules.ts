import { type DrawnBodies, judgeDrawn } from '#judge/refused-values'
import type { Rule } from '#judge/rule'
import { propertyIds } from './moves.ts'

/** "Content is checked by moderation on save" (4.2), and what it rejects is not said. */
const moderated = 30001

const creates: DrawnBodies = {
  operation: 'create-character',
  shape: 'rest/create-character.request',
  row: 'characters.create.text-chat-accepted',
  aside: [moderated],
}

/** Of a replace, 20005 tells of the character. */
const replaces: DrawnBodies = {
  operation: 'replace-character',
  shape: 'rest/replace-character.request',
  row: 'characters.replace.accepted',
  aside: [moderated, 20005],
}

/** Characters that are drawn over the documented range are saved. */
export const drawnCharacters: Rule = {
  id: 'characters.drawn',
  proves: [creates.row, replaces.row],
  judge(trace, report) {
    for (const drawn of [creates, replaces]) judgeDrawn(trace, drawn, propertyIds, report)
  },
}
