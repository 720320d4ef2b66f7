import { isRecording } from '#judge/recordings'
import type { Rule } from '#judge/rule'
import { judgeShape, placeOf, type ShapeRows } from '#judge/shape-rule'
import type { RequirementId } from '#spec/register'
import { validate } from '#spec/validators'
import { sameWords } from '#trace/same-words'
import { at } from '#trace/json'
import { judgeSame } from './judge-same.ts'
import { bodyOf, clonedVoices, isSuccess, talks } from './log.ts'
import { isListed } from './names.ts'

const otherwise: RequirementId = 'voices.clone.result-object'
const table: ShapeRows = {
  rows: {
    'voices.clone.voice-id-string': ['/voice_id'],
    'voices.clone.voice-id-shaped': ['/voice_id#pattern'],
  },
  otherwise,
}
const named: RequirementId = 'voices.clone.name-returned'
const spoken: RequirementId = 'voices.clone.language-returned'
const unspoken: RequirementId = 'voices.clone.language-empty-when-omitted'
const distinct: RequirementId = 'voices.clone.voice-ids-distinct'

export const cloneShapeRows: readonly RequirementId[] = [
  ...(Object.keys(table.rows) as RequirementId[]),
  otherwise,
  named,
  spoken,
  unspoken,
  distinct,
]

/** The voice that a clone returns (4.3): its name and language are those that were sent. */
export const cloned: Rule = {
  id: 'voices.cloned',
  proves: cloneShapeRows,
  judge(trace, report) {
    for (const talk of talks(trace, 'clone-voice').filter(isSuccess)) {
      const { answer, record, sent } = talk
      const value = answer.data ?? null
      const { scenario } = record
      const errors = validate('rest/clone-voice.response', value)
      const own = errors.filter((error) => !['/name', '/language'].includes(placeOf(error)))
      judgeShape({ value, line: answer.line, scenario }, own, table, report)
      const body = bodyOf(talk)
      const place = { lines: [sent, answer.line], scenario }
      const [wanted, name] = [at(body, '/name'), at(value, '/name')]
      // What `check` sends is tidy; what a client of a recording sends a service may tidy up.
      const tidied = isRecording(trace) && sameWords(wanted, name)
      judgeSame(report, named, { expected: wanted, got: tidied ? wanted : name, ...place })
      const language = at(body, '/language')
      const got = at(value, '/language')
      if (language === undefined) judgeSame(report, unspoken, { expected: '', got, ...place })
      // What takes a code that is none of the list may write it as the list does.
      else if (isListed(language)) judgeSame(report, spoken, { expected: language, got, ...place })
    }
    const voices = clonedVoices(trace)
    const first = new Map<string, number>()
    for (const { id, talk } of voices) {
      const { line } = talk.answer
      const name = JSON.stringify([talk.workspace, id])
      const other = first.get(name)
      if (other === undefined) first.set(name, line)
      else report.broken(distinct, { expected: 'another `voice_id`', got: 'the same one', lines: [other, line] })
    }
    if (first.size > 1) report.held(distinct, ...first.values())
  },
}
