import { faultyExchanges } from '#judge/faulty/exchanges'
import { answerOf } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { TraceIndex } from '#judge/trace-index'
import { workspaceOf } from '#spec/profile'
import { at, stringAt } from '#trace/json'
import { equal } from '#trace/match'

import {
  bodyOf,
  type Call,
  callsOf,
  dataOf,
  idInPath,
  type Life,
  lifeIn,
  livesOf,
  ownName,
  type Save,
  stateAt,
} from '../history.ts'

const unique = 'characters.character.id-unique'
const alike = 'characters.create.same-body-other-character'
const found = 'characters.get.own-character-found'
const named = 'characters.get.names-character'
const deletedAside = 'characters.delete.leaves-others'
const replacedAside = 'characters.replace.leaves-others'
const idKept = 'characters.replace.id-kept'

/** Where characters are found, and that what is done to one is done to no other (3.6, 4.2). */
export const presence: Rule = {
  id: 'characters.presence',
  proves: [unique, alike, found, named, deletedAside, replacedAside, idKept],
  judge(trace, report) {
    judgeUnique(trace, report)
    for (const { changes } of livesOf(trace).values()) {
      for (const { effect } of changes)
        if (typeof effect === 'object' && effect.by === 'replace') judgeId(effect, report)
    }
    for (const call of callsOf(trace, 'get-character')) judgeGet(trace, call, report)
    for (const call of callsOf(trace, 'replace-character')) judgeUse(trace, call, report)
  },
}

/**
 * Where a delete of another character has been, a stored one that is not found is its victim; but not one that a delete of its
 * own does not find: a proxy may have sent that twice.
 */
function judgeUse(trace: TraceIndex, call: Call, report: Report): void {
  const life = lifeIn(trace, call.record)
  const state = life && stateAt(life, call.from, call.until)
  const answer = answerOf(call.record)
  if (life === undefined || typeof state !== 'object' || call.key !== life.created.key) return
  if (answer.kind !== 'failure' || answer.code !== 20005) return
  if (deletedAsideOf(trace, { life, state, call })) judgeLost(trace, { life, state, call }, report)
}

/** One id for two creates. A key that was sent again is no second create. */
function judgeUnique(trace: TraceIndex, report: Report): void {
  const owners = new Map<string, Call & { readonly id: string; readonly name: string }>()
  const faulty = faultyExchanges(trace)
  for (const call of callsOf(trace, 'create-character')) {
    const id = stringAt(dataOf(call.record), '/character_id') ?? ''
    if (id === '' || faulty.has(call.record.exchange)) continue
    const again = stringAt(bodyOf(call.record), '/idempotency_key')
    const name = again ?? `exchange ${call.record.exchange}`
    judgeAlike(owners, { id, call, again }, report)
    const place = ownName(call.key, id)
    const owner = owners.get(place)
    if (owner === undefined) {
      if (owners.size > 0) report.held(unique, call.until)
      owners.set(place, { ...call, id, name })
    } else if (owner.name !== name) {
      const lines = [owner.until, call.until]
      report.broken(unique, {
        expected: 'another id for another character',
        got: id,
        lines,
        scenario: call.record.scenario,
      })
    }
  }
}

interface Made {
  readonly id: string
  readonly call: Call
  readonly again: string | undefined
}

/** Two creates of one body are two creates, unless they bear a key. */
function judgeAlike(
  owners: ReadonlyMap<string, Call & { readonly id: string }>,
  { id, call, again }: Made,
  report: Report,
): void {
  if (again !== undefined) return
  const body = bodyOf(call.record) ?? null
  const same = [...owners.values()].find(
    (other) => workspaceOf(other.key) === workspaceOf(call.key) && equal(bodyOf(other.record) ?? null, body),
  )
  if (same === undefined) return
  tell(alike, same.id !== id, { call, expected: 'another character', got: show(id) }, report)
}

function judgeId(save: Save, report: Report): void {
  const got = at(save.data, '/character_id')
  tell(idKept, got === save.id, { call: save, expected: save.id, got: show(got) }, report)
}

function judgeGet(trace: TraceIndex, call: Call, report: Report): void {
  const life = lifeIn(trace, call.record)
  const state = life && stateAt(life, call.from, call.until)
  if (life === undefined || typeof state !== 'object' || call.key !== life.created.key) return
  const answer = answerOf(call.record)
  if (answer.kind === 'success') judgeFound(trace, { life, state, call }, report)
  else if (answer.kind === 'failure' && answer.code === 20005) judgeLost(trace, { life, state, call }, report)
}

interface Visit {
  readonly life: Life
  readonly state: Save
  readonly call: Call
}

function judgeFound(trace: TraceIndex, { life, state, call }: Visit, report: Report): void {
  const data = dataOf(call.record) ?? {}
  report.held(found, call.until)
  const id = at(data, '/character_id')
  tell(named, id === life.id, { call, expected: life.id, got: show(id) }, report)
  if (since(trace, state, call, 'delete-character').length > 0) report.held(deletedAside, call.until)
  judgeNames(trace, { life, state, call }, report)
}

/** Every write bears a name of its own, by which it is known where it does not belong. */
function judgeNames(trace: TraceIndex, { life, state, call }: Visit, report: Report): void {
  const shown = stringAt(dataOf(call.record), '/name')
  const strange = (records: readonly Call[]): boolean => records.some(({ record }) => nameIn(record) === shown)
  const aside = since(trace, state, call, 'replace-character').filter(({ record }) => idInPath(record) !== life.id)
  const wrong = nameIn(state.record) !== shown
  if (aside.length > 0) {
    tell(
      replacedAside,
      !(wrong && strange(aside)),
      { call, expected: nameIn(state.record) ?? '', got: show(shown) },
      report,
    )
  }
}

function judgeLost(trace: TraceIndex, visit: Visit, report: Report): void {
  const row = deletedAsideOf(trace, visit) ? deletedAside : found
  tell(row, false, { call: visit.call, expected: 'the stored character', got: 'code 20005' }, report)
}

function deletedAsideOf(trace: TraceIndex, { life, state, call }: Visit): boolean {
  return since(trace, state, call, 'delete-character').some(({ record }) => idInPath(record) !== life.id)
}

function since(trace: TraceIndex, state: Save, call: Call, operation: string): readonly Call[] {
  return callsOf(trace, operation).filter(
    ({ from, until, record }) => from > state.until && until < call.from && answerOf(record).kind === 'success',
  )
}

function nameIn(record: Call['record']): string | undefined {
  return stringAt(bodyOf(record), '/name')
}

interface Finding {
  readonly call: Call
  readonly expected: string
  readonly got: string
}

function tell(row: string, holds: boolean, { call, expected, got }: Finding, report: Report): void {
  const { from, until, record } = call
  if (holds) report.held(row, until)
  else report.broken(row, { expected, got, lines: [from, until], scenario: record.scenario })
}
