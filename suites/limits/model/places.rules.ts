import { type Call, callOf } from '#judge/calls'
import { sessionIn } from '#judge/session-in'
import { explain, leastOf } from '#judge/orders/orders'
import type { Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'
import { at, textAt } from '#trace/json'
import { propertyId, walkKey } from './moves.ts'
import { type Deed, placesModel } from './places-model.ts'

const oneByOne: RequirementId = 'limits.concurrency.exceeding-refused'
const atOnce: RequirementId = 'limits.concurrency.volley-within-cap'

/** Places of a workspace on a random walk, where its profile declares how many there are. */
export const places: Rule = {
  id: 'limits.places',
  proves: [oneByOne, atOnce],
  judge(trace, report) {
    const cap = at(trace.header?.profile, `/limits/${walkKey}/concurrent_sessions`)
    if (typeof cap !== 'number') return
    const deeds = deedsIn(trace)
    const found = explain(deeds, placesModel(cap))
    const last = found.is === 'broken' ? deeds[found.place] : undefined
    const good = deeds.filter((deed) => deed.did === 'create' && deed !== last)
    if (last === undefined) {
      if (found.is === 'legal' && good.length > cap) report.held(atOnce, ...good.flatMap(({ lines }) => lines))
      return
    }
    const shortest = leastOf(deeds, deeds.indexOf(last), (shorter) => {
      const again = explain(shorter, placesModel(cap))
      return again.is === 'broken' && shorter[again.place] === last
    })
    const beside = good.some(({ from, until }) => from < last.until && last.from < until)
    report.broken(beside ? atOnce : oneByOne, {
      expected: `at most ${cap} open sessions, as the profile declares`,
      got: `${last.id} beside ${cap} others that were open still`,
      lines: shortest.flatMap(({ lines }) => lines),
      scenario: last.scenario,
    })
  },
}

interface Visit {
  readonly operation: string
  readonly path: string
  readonly call: Call
}

/** Accepted creates; and ends, of each session when it was last seen to be active or was asked to close, whichever came first. */
function deedsIn(trace: TraceIndex): readonly Deed[] {
  const visits = [...trace.exchanges.values()].flatMap((record): readonly Visit[] => {
    const { operation, scenario, attempts } = record
    if (operation === null || scenario !== propertyId) return []
    return attempts.map((attempt) => ({ operation, path: attempt.request.entry.path, call: callOf(record, attempt) }))
  })
  const creates = visits.flatMap(({ operation, call }): readonly Deed[] => {
    const id = operation === 'create-avatar-session' ? textAt(call.data, '/session_id') : undefined
    if (id === undefined) return []
    const { line: from, answeredLine: until, scenario } = call
    return [{ did: 'create', id, from, until, lines: [from, until], scenario }]
  })
  const ends = new Map(creates.map((deed) => [deed.id, endOf(deed, visits)]))
  return [...creates, ...ends.values()].toSorted((one, other) => one.from - other.from)
}

/** A service may close a session by itself (3.1): it counts no longer than it was seen to be open. */
function endOf({ id, until, scenario }: Deed, visits: readonly Visit[]): Deed {
  const own = visits.filter(({ path }) => sessionIn(path) === id)
  const close = own.find(({ operation }) => operation === 'close-avatar-session')?.call.line ?? Infinity
  const seen = own.filter(
    ({ operation, call }) => operation === 'get-avatar-session' && textAt(call.data, '/status') === 'active',
  )
  const last = Math.max(until, ...seen.map(({ call }) => call.line))
  const moment = Math.min(close, last)
  return { did: 'end', id, from: moment, until: moment, lines: [moment], scenario }
}
