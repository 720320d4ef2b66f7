import { isRecording } from '#judge/recordings'
import type { Call } from '#judge/calls'
import type { Report, Rule } from '#judge/rule'
import { leastMoments, type Span } from '#judge/timing/moments'
import { workspaceOf } from '#spec/profile'
import { at, textAt } from '#trace/json'
import { say, type World, worldsOf } from '../worlds.ts'
import { statusOf } from './status.rules.ts'

const others = 'world-sessions.close.leaves-others-open'
const renewal = 'world-sessions.client-secret.leaves-session'
const accepted = 'world-sessions.close.accepted'

/** Seen open so long ago, a session may have ended for reasons of its own, in milliseconds. */
export const fresh_ms = 30_000
/** Clocks may be apart by so much. */
const clock_ms = 2_000

/** Keys, billing, rate, capacity (section 7) say nothing of the session; 20005 says that it is over. */
const aside: readonly number[] = [10001, 10003, 10004, 10005, 10008, 20005, 30006, 30008]

/**
 * What is done to one session ends no other, and fresh secrets end none (4.5). A service may end sessions for reasons of its
 * own, and all of them at once: where it did so elsewhere in the run, or where one moment explains all ends, they prove
 * nothing.
 */
export const untouched: Rule = {
  id: 'world-sessions.untouched',
  proves: [others, renewal, accepted],
  judge(trace, report) {
    const worlds = [...worldsOf(trace).worlds.values()]
    const closes = worlds.flatMap((world) => world.closes.filter(isDone).map((call) => ({ world, call })))
    const looks = worlds.flatMap((world) => looksAt(world, closes))
    const capricious = looks.some(({ ended, late, cause }) => ended && !late && cause === undefined)
    for (const row of [others, renewal]) {
      const ends = looks.flatMap(({ ended, late, cause, span }) => (ended && !late && cause?.row === row ? [span] : []))
      const proven = !capricious && leastMoments(ends) > 1
      for (const look of looks) if (look.cause?.row === row) judgeLook(look, look.cause.call, proven, report)
    }
    const recorded = isRecording(trace)
    if (!recorded) for (const world of worlds) judgeClose(world, usesIn(worlds), report)
  },
}

/** A Get of a session that nobody asked to close, and that was open a moment ago. */
interface Look {
  readonly get: Call
  /** It is over. */
  readonly ended: boolean
  /** It is over, and may have expired, or ended by itself since somebody looked last. */
  readonly late: boolean
  /** What was done last between the look before and this one. */
  readonly cause: { readonly row: typeof others | typeof renewal; readonly call: Call } | undefined
  /** From the look before to this one. */
  readonly span: Span
}

interface Close {
  readonly world: World
  readonly call: Call
}

const isDone = ({ answer }: Call): boolean => answer.kind === 'success'

function looksAt(world: World, all: readonly Close[]): readonly Look[] {
  const { closes, creation, workspace } = world
  const gets = world.gets.filter(({ key }) => workspaceOf(key) === workspace)
  const end = Math.min(...closes.map(({ line }) => line), Number.POSITIVE_INFINITY)
  const shown = [creation.call, ...gets]
  return gets.flatMap((get): readonly Look[] => {
    const before = shown.findLast((one) => one.answeredLine < get.line && isOpen(one))
    const ended = isOver(get)
    if (before === undefined || get.answeredLine > end || (!ended && !isOpen(get))) return []
    // What is still open nobody ended, however long nobody looked.
    const late = get.answeredT - before.t > fresh_ms || mayHaveExpired(world, get)
    const isBetween = ({ answeredLine }: Call): boolean => answeredLine > before.line && answeredLine < get.line
    const beside = all.filter(
      ({ world: other, call }) => other !== world && other.workspace === workspace && isBetween(call),
    )
    const renewals = world.secrets.filter((call) => isDone(call) && isBetween(call))
    const causes = [
      ...beside.map(({ call }) => ({ row: others, call }) as const),
      ...renewals.map((call) => ({ row: renewal, call }) as const),
    ]
    const last = causes.toSorted((one, other) => one.call.line - other.call.line).at(-1)
    return [{ get, ended, late: ended && late, cause: last, span: { from: before.t, until: get.answeredT } }]
  })
}

export const isOpen = (call: Call): boolean => ['active', 'provisioning'].includes(statusOf(call))

/** A session that failed did so by itself: "Transitions into `failed`: not shown" (3.2). */
export function isOver(call: Call): boolean {
  const isGone = call.answer.kind === 'failure' && call.answer.code === 20005
  return isGone || ['closing', 'closed'].includes(statusOf(call))
}

/** By the times that the create told, or a life of which it told nothing. */
export function mayHaveExpired({ creation: { call, data } }: World, get: Call): boolean {
  const [from, until] = ['/created_at', '/expires_at'].map((place) => Date.parse(textAt(data, place) ?? ''))
  const life = (until ?? Number.NaN) - (call.clock ?? from ?? Number.NaN)
  return !(get.answeredT - call.answeredT < life - clock_ms)
}

function judgeLook({ get, ended, late, cause }: Look, call: Call, proven: boolean, report: Report): void {
  const row = cause?.row ?? others
  if (!ended) return say(report, row, true, { expected: '', got: '', call: get, beside: [call] })
  if (late || !proven) {
    return report.unobserved(row, 'model_choice', 'the service may have ended the session by itself', get.answeredLine)
  }
  const got = statusOf(get) === '' ? 'code 20005' : statusOf(get)
  say(report, row, false, { expected: 'the session as open as before', got, call: get, beside: [call] })
}

/** By idempotency key: what it was sent for, session by session. */
function usesIn(worlds: readonly World[]): ReadonlyMap<unknown, ReadonlySet<string>> {
  const uses = worlds.flatMap(({ id, creation, secrets, closes }) => [
    { use: `create ${id}`, key: keyOf(creation.call) },
    ...secrets.map((call) => ({ use: `secrets ${id}`, key: keyOf(call) })),
    ...closes.map((call) => ({ use: `close ${id}`, key: keyOf(call) })),
  ])
  const named = Map.groupBy(uses, ({ key }) => key)
  return new Map([...named].map(([key, all]) => [key, new Set(all.map(({ use }) => use))]))
}

const keyOf = ({ asked }: Call): unknown => at(asked, '/idempotency_key')

/** The first close of a session that was active a moment ago; whether a key may serve several requests is not said. */
function judgeClose(
  { creation, gets, closes }: World,
  by: ReadonlyMap<unknown, ReadonlySet<string>>,
  report: Report,
): void {
  const [close] = closes
  if (close === undefined || close.key !== creation.call.key) return
  const before = [creation.call, ...gets].findLast((one) => one.answeredLine < close.line && statusOf(one) !== '')
  if (before === undefined || statusOf(before) !== 'active' || close.answeredT - before.t > fresh_ms) return
  const { answer } = close
  if (answer.kind === 'success') return say(report, accepted, true, { expected: '', got: '', call: close })
  if (answer.kind !== 'failure' || answer.status === 429 || answer.status >= 500) return
  const isShared = keyOf(close) !== undefined && (by.get(keyOf(close))?.size ?? 0) > 1
  if (aside.includes(answer.code) || isShared || gets.some((get) => statusOf(get) === 'failed')) return
  const finding = { expected: 'a close that is accepted', got: `code ${answer.code}`, call: close, beside: [before] }
  say(report, accepted, false, finding)
}
