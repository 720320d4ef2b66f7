import { answerOf } from '#judge/answers'
import type { Rule } from '#judge/rule'
import { show } from '#judge/show'
import { at } from '#trace/json'
import { callsOf, idInPath } from '../history.ts'

const table = [
  ['characters.delete.status-deleted', '/status'],
  ['characters.delete.character-id', '/character_id'],
] as const

/** "`character_id` string, `status` string always `deleted`" (4.2), of every delete, whoever sent it. */
export const deletes: Rule = {
  id: 'characters.deletes',
  proves: table.map(([row]) => row),
  judge(trace, report) {
    for (const { record, from, until } of callsOf(trace, 'delete-character')) {
      const answer = answerOf(record)
      const id = idInPath(record)
      if (answer.kind !== 'success' || id === undefined) continue
      for (const [row, place] of table) {
        const [expected, got] = [place === '/status' ? 'deleted' : id, at(answer.data, place)]
        if (got === expected) report.held(row, until)
        else report.broken(row, { expected, got: show(got), lines: [from, until], scenario: record.scenario })
      }
    }
  },
}
