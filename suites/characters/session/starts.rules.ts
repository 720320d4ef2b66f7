import { createdSession } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import { workspaceOf } from '#spec/profile'
import { stringAt } from '#trace/json'
import { bodyOf, type Call, callsOf, dataOf } from '../history.ts'

const part = 'characters.session'
const keyed = `${part}.other-key-other-session`
const keyless = `${part}.without-key-new-session`
const several = `${part}.several-from-one`

interface Started {
  readonly call: Call
  readonly id: string
  readonly character: string
  readonly idempotency: string | undefined
  /** A stand-in, alike for alike secrets. */
  readonly secret: string | undefined
}

/** A start that repeats no key makes a session of its own, with a secret of its own (4.1). */
export const starts: Rule = {
  id: 'characters.starts',
  proves: [keyed, keyless, several],
  judge(trace, report) {
    const all = callsOf(trace, 'create-session-from-character').flatMap(startedBy)
    const rooms = Map.groupBy(all, ({ call }) => workspaceOf(call.key))
    for (const own of rooms.values()) judgeRoom(own, report)
  },
}

function startedBy(call: Call): readonly Started[] {
  const [body, data] = [bodyOf(call.record), dataOf(call.record)]
  const [id, character] = [createdSession(call.record), stringAt(body, '/character_id')]
  if (id === undefined || character === undefined) return []
  const idempotency = stringAt(body, '/idempotency_key')
  return [{ call, id, character, idempotency, secret: stringAt(data, '/control/client_secret') }]
}

/** Each held against the first one that had its session, its secret or its character. */
function judgeRoom(all: readonly Started[], report: Report): void {
  const first = { id: new Map<string, Started>(), secret: new Map<string, Started>() }
  const characters = new Map<string, Started>()
  for (const one of all) {
    const same = first.id.get(one.id)
    const [before, known] = [characters.get(one.character), first.secret.get(one.secret ?? '')]
    if (same !== undefined && isOther(one, same)) judgeSame(one, same, report)
    else if (same === undefined && known !== undefined && known.character === one.character)
      tell(several, one, known, 'a secret of its own', report)
    else if (same === undefined && before !== undefined) {
      report.held(several, one.call.until)
      report.held(one.idempotency === undefined ? keyless : keyed, one.call.until)
    }
    if (same === undefined) first.id.set(one.id, one)
    if (one.secret !== undefined && known === undefined) first.secret.set(one.secret, one)
    if (before === undefined) characters.set(one.character, one)
  }
}

/** Without a key every start is another one. */
function isOther(one: Started, same: Started): boolean {
  return one.idempotency === undefined || one.idempotency !== same.idempotency
}

function judgeSame(one: Started, same: Started, report: Report): void {
  const isKeyless = one.idempotency === undefined || same.idempotency === undefined
  tell(isKeyless ? keyless : keyed, one, same, 'a session of its own', report)
  if (one.character === same.character) tell(several, one, same, 'a session of its own', report)
}

function tell(row: string, { call, id }: Started, same: Started, expected: string, report: Report): void {
  const lines = [same.call.from, same.call.until, call.from, call.until]
  report.broken(row, { expected, got: `that of the start before: ${id}`, lines, scenario: call.record.scenario })
}
