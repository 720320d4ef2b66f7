import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { RequirementId } from '#spec/register'
import { isZero, type JsonObject } from '#trace/json'
import { type Call, livesOf, type Save } from '../history.ts'
import { recordsIn } from './defaults.ts'

const ids: RequirementId = 'characters.configuration.character-id-not-saved'
const keys = {
  create: 'characters.configuration.idempotency-key-not-saved',
  replace: 'characters.replace.idempotency-key-not-saved',
} as const satisfies Record<Save['by'], RequirementId>

/** "`character_id` and `idempotency_key` are not saved as configuration" (2.7). */
export const unsaved: Rule = {
  id: 'characters.unsaved',
  proves: [ids, keys.create, keys.replace],
  judge(trace, report) {
    for (const { created } of livesOf(trace).values()) judgeId(created, report)
    for (const one of recordsIn(trace)) judgeKey(one.save, one, report)
  },
}

function judgeId({ body, id, from, until, record }: Save, report: Report): void {
  const sent = body['character_id']
  if (sent === undefined) return
  if (id !== sent) report.held(ids, until)
  else
    report.broken(ids, {
      expected: 'an id of the service',
      got: show(sent),
      lines: [from, until],
      scenario: record.scenario,
    })
}

interface Shown {
  readonly data: JsonObject
  readonly call: Call
}

function judgeKey({ body, by, from }: Save, { data, call }: Shown, report: Report): void {
  if (body['idempotency_key'] === undefined) return
  const shown = data['idempotency_key']
  // What is empty was not saved: an empty text may stand for none.
  if (isZero(shown)) report.held(keys[by], call.until)
  else
    report.broken(keys[by], {
      expected: 'no idempotency_key',
      got: show(shown),
      lines: [from, call.until],
      scenario: call.record.scenario,
    })
}
