import type { Answer } from '#judge/answer'
import type { Call } from '#judge/calls'
import { isSettled } from '#judge/timing/lag'
import type { TraceIndex } from '#judge/trace-index'
import { workspaceOf } from '#spec/profile'
import { isMishap } from '#spec/tables'
import { textAt } from '#trace/json'
import { type World, worldsOf } from '../worlds.ts'
import type { Deed, State } from './life-model.ts'

/** All that walks did about one session. */
export interface Walked {
  readonly start: State
  readonly deeds: readonly Deed[]
}

const states: readonly string[] = ['provisioning', 'active', 'closing', 'closed', 'failed']

/** What these scenarios did about each session that they made, in the order of asking. */
export function walkedIn(trace: TraceIndex, scenarios: readonly string[]): readonly Walked[] {
  const worlds = [...worldsOf(trace).worlds.values()].filter(({ creation }) =>
    scenarios.includes(creation.call.scenario ?? ''),
  )
  return worlds.map((world) => {
    const deeds = deedsOf(world).toSorted((one, other) => one.from - other.from)
    const start = statusIn(world.creation.call) ?? 'active'
    return { start, deeds: deeds.filter((deed) => !isLate(trace, deed, deeds)) }
  })
}

function deedsOf({ gets, secrets, closes, workspace }: World): readonly Deed[] {
  const all = [
    ...gets.map((call) => ({ did: 'get' as const, call })),
    ...secrets.map((call) => ({ did: 'renew' as const, call })),
    ...closes.map((call) => ({ did: 'close' as const, call })),
  ]
  return all.flatMap(({ did, call }) => (workspaceOf(call.key) === workspace ? deedOf(did, call) : []))
}

function deedOf(did: Deed['did'], call: Call): readonly Deed[] {
  const ended = endOf(call.answer)
  const tells = ended === 'done' || ended === 'missing' || did !== 'get'
  if (ended === undefined || !tells || (ended === 'lost' && did !== 'close')) return []
  const { line: from, answeredLine, t: sent, answeredT: answered, scenario } = call
  const until = ended === 'lost' ? Number.POSITIVE_INFINITY : answeredLine
  const lines = [from, answeredLine].filter(Number.isFinite)
  return [
    { did, ended, status: did === 'get' ? statusIn(call) : undefined, from, until, sent, answered, lines, scenario },
  ]
}

function statusIn({ data }: Call): Exclude<State, 'gone'> | undefined {
  const status = textAt(data, '/status')
  return status !== undefined && states.includes(status) ? (status as Exclude<State, 'gone'>) : undefined
}

/** Keys, billing, rate and capacity (section 7) say nothing of the session. */
const aside: readonly number[] = [10001, 10003, 10004, 10005, 10008, 10009, 30006, 30008]

function endOf(answer: Answer): Deed['ended'] | undefined {
  if (answer.kind === 'success') return 'done'
  if (answer.kind !== 'failure') return 'lost'
  if (answer.code === 20005) return 'missing'
  if (isMishap(answer)) return 'lost'
  return aside.includes(answer.code) || answer.status === 429 ? undefined : 'refused'
}

/** In this order states follow each other (3.2). */
const order: readonly State[] = ['provisioning', 'active', 'closing', 'failed', 'closed', 'gone']

/** A Get may come from a copy that is behind: what it shows of before counts once a change has had time to arrive there. */
function isLate(trace: TraceIndex, { did, status, sent }: Deed, deeds: readonly Deed[]): boolean {
  if (did !== 'get' || status === 'closed' || status === undefined) return false
  const before = deeds.filter((other) => other.sent <= sent && (other.did === 'close' || isAhead(other, status)))
  return before.some(({ answered }) => !isSettled(trace, Math.min(answered, sent), sent))
}

/** Another Get was ahead of this state: the session changed by itself, and no close tells when. */
function isAhead({ did, ended, status }: Deed, than: State): boolean {
  const shown = ended === 'missing' ? 'gone' : status
  return did === 'get' && shown !== undefined && order.indexOf(shown) > order.indexOf(than)
}
