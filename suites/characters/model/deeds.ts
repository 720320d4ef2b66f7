import { answerTo } from '#judge/answers'
import type { Answer } from '#judge/answer'
import { faultyExchanges } from '#judge/faulty/exchanges'
import { isSettled } from '#judge/timing/lag'
import type { Attempt, ExchangeRecord, TraceIndex } from '#judge/trace-index'
import { workspaceOf } from '#spec/profile'
import { isMishap } from '#spec/tables'
import { type Json, stringAt } from '#trace/json'
import { equal } from '#trace/match'
import { idsOf } from '../echo.ts'
import { areBeside, bodyOf, type Call, callsOf, dataOf, idInPath, livesOf, type Save } from '../history.ts'
import { type Deed, mixed } from './life-model.ts'

/** All that walks did about one character. */
export interface Walked {
  readonly id: string
  readonly created: Save
  readonly deeds: readonly Deed[]
}

const operations = {
  'replace-character': 'replace',
  'delete-character': 'delete',
  'get-character': 'get',
  'create-session-from-character': 'start',
} as const

/** What these scenarios did about each character that they made, in the order of asking. */
export function walkedIn(trace: TraceIndex, scenarios: readonly string[]): readonly Walked[] {
  const isOurs = ({ scenario }: Pick<ExchangeRecord, 'scenario'>) => scenarios.includes(scenario ?? '')
  const names = namesOf(trace)
  const faulty = faultyExchanges(trace)
  const calls = Object.keys(operations).flatMap((operation) => callsOf(trace, operation))
  const ours = calls.filter(({ record }) => isOurs(record) && !faulty.has(record.exchange))
  const told = repeatedStarts(ours.map(({ record }) => record))
  const made = [...livesOf(trace).values()].filter(({ created }) => isOurs(created.record))
  return made.map(({ id, created }) => {
    const own = ours.filter(({ record }) => idOf(record) === id && !told.has(record.exchange) && isOwn(record, created))
    const deeds = own.flatMap((call) => call.record.attempts.flatMap((attempt) => deedOf(call, attempt, names) ?? []))
    const sorted = deeds.toSorted((one, other) => one.from - other.from)
    return { id, created, deeds: sorted.filter((deed) => !isLate(trace, deed, sorted)) }
  })
}

function isOwn(record: ExchangeRecord, created: Save): boolean {
  return workspaceOf(record.key) === workspaceOf(created.key)
}

function idOf(record: ExchangeRecord): string | undefined {
  return record.operation === 'create-session-from-character'
    ? stringAt(bodyOf(record), '/character_id')
    : idInPath(record)
}

/** Starts with a key that was used before: what a known key returns tells of then. */
function repeatedStarts(records: readonly ExchangeRecord[]): ReadonlySet<number> {
  const seen = new Set<string>()
  const repeated = new Set<number>()
  for (const record of records.filter(({ operation }) => operation === 'create-session-from-character')) {
    const key = stringAt(bodyOf(record), '/idempotency_key')
    if (key === undefined) continue
    if (seen.has(key)) repeated.add(record.exchange)
    seen.add(key)
  }
  return repeated
}

/** Saves by their names. */
type Names = ReadonlyMap<string, readonly Call[]>

/** Every save bears a name of its own, by which it is known again, but for creates of the same body. */
function namesOf(trace: TraceIndex): Names {
  const saves = ['create-character', 'replace-character'].flatMap((operation) => callsOf(trace, operation))
  return Map.groupBy(saves, ({ record }) => stringAt(bodyOf(record), '/name') ?? '')
}

/** The character that a save is about. */
function savedBy(record: ExchangeRecord): string | undefined {
  return record.operation === 'create-character' ? stringAt(dataOf(record), '/character_id') : idInPath(record)
}

function deedOf(call: Call, attempt: Attempt, names: Names): Deed | undefined {
  const { record } = call
  const { operation, exchange, scenario } = record
  const did = operations[operation as keyof typeof operations]
  const { request, response } = attempt
  const answer = answerTo(attempt)
  const ended = endOf(answer, did)
  // A start is no change here: one that nothing came of tells nothing.
  if (ended === undefined || (ended === 'lost' && (did === 'get' || did === 'start'))) return undefined
  const shown = answer.kind === 'success' && showing.has(did) ? shownIn(answer.data, names, call) : undefined
  const until = ended === 'lost' ? Number.POSITIVE_INFINITY : answer.line
  const times = { sent: request.entry.t, answered: response?.entry.t ?? request.entry.t }
  const lines = [request.line, ...(response === undefined ? [] : [response.line])]
  return { did, ended, from: request.line, until, exchange, shown, ...times, lines, scenario }
}

/** What answers with the character as it stands then. A delete may tell of what it removed in fields of its own (9.3). */
const showing: ReadonlySet<Deed['did']> = new Set(['get', 'replace'])

/**
 * The save that bears the shown name, where the shown avatars are its own as well. A replace may show another one that ran
 * beside it: whether it was read before that one or after it says nothing of their order.
 */
function shownIn(data: Json | undefined, names: Names, by: Call): number | undefined {
  const id = idOf(by.record)
  const name = stringAt(data, '/name')
  const all = name === undefined ? [] : (names.get(name) ?? [])
  const save = all.findLast(({ record }) => savedBy(record) === id) ?? all.at(-1)
  const body = save === undefined ? undefined : bodyOf(save.record)
  if (save === undefined || body === undefined || data === undefined) return undefined
  if (by.record.operation === 'replace-character' && save.record !== by.record && areBeside(by, save)) return undefined
  return equal(idsOf(body), idsOf(data)) ? save.record.exchange : mixed
}

/** Keys, billing, rate, capacity (section 7) say nothing of the character; that a key may do all this the walks take for sure. */
const aside: readonly number[] = [10001, 10003, 10004, 10005, 10008, 30006, 30008]

/** Undefined where it was refused for another reason, or where there was no room for it: then nothing was done. */
function endOf(answer: Answer, did: Deed['did']): Deed['ended'] | undefined {
  if (answer.kind === 'success') return 'done'
  if (answer.kind !== 'failure') return 'lost'
  if (answer.code === 20005) return 'missing'
  if (isMishap(answer)) return 'lost'
  // Nothing that a delete holds can be wrong.
  return did === 'delete' && answer.status !== 429 && !aside.includes(answer.code) ? 'refused' : undefined
}

/** A Get may come from a copy that has not heard of the delete yet. */
function isLate(trace: TraceIndex, { did, ended, sent }: Deed, deeds: readonly Deed[]): boolean {
  if (did !== 'get' || ended !== 'done') return false
  const deletes = deeds.filter((other) => other.did === 'delete' && other.ended === 'done' && other.answered <= sent)
  return deletes.some(({ answered }) => !isSettled(trace, answered, sent))
}
