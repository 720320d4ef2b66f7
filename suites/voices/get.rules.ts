import { decoded } from '#trace/decoded'
import { isOwnVoice } from '#judge/conditions/own-things'
import type { Rule } from '#judge/rule'
import { judgeShape, placeOf, type ShapeRows } from '#judge/shape-rule'
import { areApart } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { validate } from '#spec/validators'
import { at } from '#trace/json'
import { judgeSame } from './judge-same.ts'
import { clonedVoices, isSuccess, type Talk, talks } from './log.ts'

const otherwise: RequirementId = 'voices.get.object'
const table: ShapeRows = { rows: {}, otherwise }
const fields = {
  voice_id: 'voices.get.voice-id',
  name: 'voices.get.name',
  language: 'voices.get.language',
} as const satisfies { readonly [field: string]: RequirementId }

export const getRows: readonly RequirementId[] = [otherwise, ...Object.values(fields)]

/** "One voice; same shape as clone result" (4.3), and what its clone said of it. */
export const got: Rule = {
  id: 'voices.got',
  proves: getRows,
  judge(trace, report) {
    const known = Map.groupBy(clonedVoices(trace), ({ id }) => id)
    for (const talk of talks(trace, 'get-voice').filter(isSuccess)) {
      const named = known.get(askedFor(talk)) ?? []
      // Of two that are called the same each workspace has its own (1.6).
      const own = named.find((one) => one.talk.workspace === talk.workspace)
      // Whose the keys of a recording are is not known: it may be the own voice of another workspace, called the same.
      const voice = own ?? named.find((one) => areApart(one.talk.workspace, talk.workspace))
      if (own === undefined && isOwnVoice(trace, talk.workspace, askedFor(talk), talk.sent)) continue
      if (voice === undefined || voice.talk.answer.line > talk.sent) continue
      const { answer, record, sent } = talk
      const value = answer.data ?? null
      const { scenario } = record
      const errors = validate('rest/get-voice.response', value)
      const others = errors.filter((error) => !Object.keys(fields).includes(placeOf(error).slice(1)))
      judgeShape({ value, line: answer.line, scenario }, others, table, report)
      const expected = { voice_id: voice.id, name: voice.name, language: voice.language }
      for (const field of ['voice_id', 'name', 'language'] as const) {
        const lines = [voice.talk.answer.line, sent, answer.line]
        judgeSame(report, fields[field], {
          expected: expected[field],
          got: at(value, `/${field}`),
          lines,
          scenario,
        })
      }
    }
  },
}

/** The id in the path that was asked for. */
function askedFor({ record }: Talk): string {
  const path = record.attempts.at(-1)?.request.entry.path ?? ''
  return decoded(path.split('?')[0]?.split('/').at(-1) ?? '')
}
