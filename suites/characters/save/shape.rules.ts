import { faultyExchanges } from '#judge/faulty/exchanges'
import type { Report, Rule } from '#judge/rule'
import { judgeShape, placeOf, type ShapeRows } from '#judge/shape-rule'
import type { TraceIndex } from '#judge/trace-index'
import type { ShapeError } from '#spec/shape-error'
import { validate } from '#spec/validators'
import { at, isObject, isZero, type Json, type JsonObject } from '#trace/json'
import { type Call, callsOf, dataOf, lifeIn } from '../history.ts'

const part = 'characters.character'
const nonempty = `${part}.id-nonempty`
const prefix = `${part}.id-prefix`
const noSession = 'characters.create.starts-no-session'

const table: ShapeRows = {
  rows: {
    [prefix]: ['/character_id'],
    [`${part}.name-string`]: ['/name'],
    [`${part}.created-at-format`]: ['/created_at'],
    [`${part}.updated-at-format`]: ['/updated_at'],
  },
  otherwise: `${part}.shape`,
}

/** The shape of a character in full (2.7), wherever it is returned. */
export const characterShape: Rule = {
  id: 'characters.character-shape',
  proves: [nonempty, table.otherwise, ...Object.keys(table.rows), noSession],
  judge(trace, report) {
    for (const call of fullAnswers(trace)) judgeFull(call, report)
  },
}

interface Full extends Call {
  readonly data: Json
}

/** Answers that carry a full character. What comes of a faulty body tells nothing. */
function fullAnswers(trace: TraceIndex): readonly Full[] {
  const faulty = faultyExchanges(trace)
  const calls = ['create-character', 'get-character', 'replace-character'].flatMap((one) => callsOf(trace, one))
  return calls.flatMap((call) => {
    const data = dataOf(call.record)
    const spoilt = faulty.has(call.record.exchange) || holdsFaulty(trace, call, faulty)
    return data === undefined || spoilt ? [] : [{ ...call, data }]
  })
}

/** Whether something faulty was saved before that a read may show as it was sent. */
function holdsFaulty(trace: TraceIndex, { record, until }: Call, faulty: ReadonlySet<number>): boolean {
  const { changes = [] } = lifeIn(trace, record) ?? {}
  return changes.some(({ effect, from, record: { exchange } }) => {
    return effect === 'unknown' && from < until && faulty.has(exchange)
  })
}

function judgeFull({ data, record, from, until }: Full, report: Report): void {
  const id = at(data, '/character_id')
  const named = typeof id === 'string' && id !== ''
  const errors = validate('rest/get-character.response', data).filter((error) => named || !isAboutId(error))
  judgeShape(
    { value: without(data, named ? [] : ['character_id']), line: until, scenario: record.scenario },
    errors,
    table,
    report,
  )
  const lines = [from, until]
  if (named) report.held(nonempty, until)
  else
    report.broken(nonempty, {
      expected: 'a nonempty string',
      got: JSON.stringify(id) ?? 'nothing',
      lines,
      scenario: record.scenario,
    })
  if (record.operation === 'create-character') judgeNoSession(data, lines, record.scenario, report)
}

function isAboutId(error: ShapeError): boolean {
  return placeOf(error) === '/character_id'
}

function without(data: Json, names: readonly string[]): JsonObject {
  if (!isObject(data)) return {}
  return Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)))
}

/**
 * 4.2: "Does not start a session." What only a session has is told by no answer to a create of a character; where it is
 * empty, nothing is told.
 */
const ofSessions = ['/session_id', '/control', '/delivery/media/rtc_a', '/delivery/media/rtc_b', '/session/session_id']

function judgeNoSession(data: Json, lines: readonly number[], scenario: string | undefined, report: Report): void {
  const found = ofSessions.filter((place) => !isZero(at(data, place)))
  if (found.length === 0) report.held(noSession, ...lines)
  else report.broken(noSession, { expected: 'a character and no session', got: found.join(', '), lines, scenario })
}
