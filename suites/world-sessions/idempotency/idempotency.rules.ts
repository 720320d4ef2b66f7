import { isRecording } from '#judge/recordings'
import { areApart } from '#spec/profile'
import { worldEndedByItself } from '#judge/conditions/world-ended'
import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import { equal } from '#trace/match'
import { type Finding, idempotencyOf, say, sessionOf, worldsOf } from '../worlds.ts'
import { type Call } from '#judge/calls'
import { textAt } from '#trace/json'

const part = 'world-sessions.idempotency'

/** "Reuse the same key and identical body after timeout, 429 or 5xx" (4.5), judged by the sessions that came of it. */
export const idempotency: Rule = {
  id: part,
  proves: [
    `${part}.retry-same-session`,
    `${part}.concurrent-one-session`,
    `${part}.after-429-one-session`,
    `${part}.after-5xx-one-session`,
    `${part}.after-timeout-one-session`,
    `${part}.other-key-other-session`,
    `${part}.without-key-new-session`,
    `${part}.scoped-to-workspace`,
    `${part}.conflict-changes-nothing`,
  ],
  judge(trace, report) {
    const { creates, worlds } = worldsOf(trace)
    const groups = grouped(creates)
    const closesOf = (id: string) => worlds.get(id)?.closes ?? []
    const refused = Map.groupBy(creates.filter(isConflict), idempotencyOf)
    const isEnded = (id: string) => worldEndedByItself(trace, id)
    const within_ms = !isRecording(trace) ? Number.POSITIVE_INFINITY : retried_ms
    const after = groups.flatMap((group) => {
      return judgeGroup(group, { closesOf, isEnded, conflicts: conflictsOf(group, refused), within_ms }, report)
    })
    judgeEndings(after, report)
    judgeDifferent(groups, report)
    judgeKeyless(creates, report)
  },
}

/**
 * Creates with one key, by one API key, and with the body that was sent first: another body is a conflict here (30004,
 * section 7), whereas of avatar sessions nothing is said of one.
 */
function grouped(creates: readonly Call[]): readonly (readonly Call[])[] {
  const groups = new Map<string, Call[]>()
  for (const call of creates) {
    if (idempotencyOf(call) === undefined) continue
    const name = JSON.stringify([call.key, textAt(call.asked, '/idempotency_key')])
    const group = groups.get(name) ?? []
    if (group.length === 0 || equal(group[0]?.asked ?? null, call.asked)) group.push(call)
    groups.set(name, group)
  }
  return [...groups.values()]
}

const isConflict = ({ answer }: Call): boolean => answer.kind === 'failure' && answer.code === 30004

/** Creates with the key of the group and another body that were refused as a conflict. */
function conflictsOf(
  [first]: readonly Call[],
  refused: ReadonlyMap<string | undefined, readonly Call[]>,
): readonly Call[] {
  if (first === undefined) return []
  return (refused.get(idempotencyOf(first)) ?? []).filter((call) => !equal(first.asked, call.asked))
}

interface Beside {
  readonly closesOf: (id: string) => readonly Call[]
  readonly isEnded: (id: string) => boolean
  readonly conflicts: readonly Call[]
  /** So long behind the first answer a create with its key is a retry of it. */
  readonly within_ms: number
}

/** A session after a conflict of its key, and whether it had ended by then, though nobody had asked for that. */
interface After {
  readonly ended: boolean
  readonly finding: Finding
}

/** What a key returns is left open where its session was asked to close, or ended by itself: "create another session" (3.2). */
function judgeGroup(
  group: readonly Call[],
  { closesOf, isEnded, conflicts, within_ms }: Beside,
  report: Report,
): readonly After[] {
  const [made, ...later] = group.filter(sessionOf)
  if (made === undefined) return []
  const endings: After[] = []
  let first = made
  for (const call of later) {
    const id = sessionOf(first) ?? ''
    if (closesOf(id).some(({ line }) => line < call.answeredLine)) continue
    const got = sessionOf(call) ?? ''
    const between = first
    const after = conflicts.some(({ line, answeredLine }) => line > between.answeredLine && answeredLine < call.line)
    if (after) endings.push(...endingAfter(first, call, got === id ? undefined : isEnded(id)))
    if (got !== id && (isEnded(id) || call.t - first.answeredT > within_ms)) {
      first = call
      continue
    }
    const rows = [...circumstances(group, call), ...(after ? [`${part}.conflict-changes-nothing` as const] : [])]
    const finding = { expected: `the session ${id} again`, got: `another one: ${got}`, call, beside: [first] }
    for (const row of rows) say(report, row, got === id, finding)
  }
  const before = group.slice(0, group.indexOf(made))
  if (before.some(isThrottled)) report.held(`${part}.after-429-one-session`, made.line)
  if (before.some(isFault)) report.held(`${part}.after-5xx-one-session`, made.line)
  return endings
}

/**
 * So long after its answer a client of a recording retries a create, in milliseconds: an app may have one key for each of its
 * users, and how long a service keeps keys is not said.
 */
const retried_ms = 60_000

/** So long a session that nobody closes goes on at least, in milliseconds. */
const soon_ms = 30_000

/**
 * What became of a session that was active before a conflict; what is long after it tells nothing.
 *
 * @param replaced whether it had ended, where another one came in its place
 */
function endingAfter(first: Call, call: Call, replaced: boolean | undefined): readonly After[] {
  if (textAt(first.data, '/status') !== 'active' || call.answeredT - first.answeredT > soon_ms) return []
  const status = textAt(call.data, '/status') ?? ''
  const got = replaced === undefined ? `${show(status)}, and nobody closed it` : `another one: ${sessionOf(call)}`
  const finding = { expected: 'a session that is still open', got, call, beside: [first] }
  return [{ ended: replaced ?? ['closing', 'closed', 'failed'].includes(status), finding }]
}

/** One session may have ended by itself just then; the conflict ended them where none went on. */
function judgeEndings(after: readonly After[], report: Report): void {
  if (after.length < 2 || !after.every(({ ended }) => ended)) return
  for (const { finding } of after) say(report, `${part}.conflict-changes-nothing`, false, finding)
}

type Row =
  `${typeof part}.${'retry-same' | 'concurrent-one' | 'after-429-one' | 'after-5xx-one' | 'after-timeout-one'}-session`

/** What makes a create of the group a retry: of an answer, of a race, and of what went wrong before. */
function circumstances(group: readonly Call[], call: Call): readonly Row[] {
  const others = group.filter(({ line }) => line < call.line)
  const answered = [...others, call].filter((one) => !isLost(one))
  const race = answered.some((one) => answered.some((other) => other !== one && overlap(one, other)))
  return [
    race ? `${part}.concurrent-one-session` : `${part}.retry-same-session`,
    ...(others.some(isThrottled) ? [`${part}.after-429-one-session` as const] : []),
    ...(others.some(isFault) ? [`${part}.after-5xx-one-session` as const] : []),
    ...(others.some(isLost) ? [`${part}.after-timeout-one-session` as const] : []),
  ]
}

function overlap(one: Call, other: Call): boolean {
  return one.line < other.answeredLine && other.line < one.answeredLine
}

const isThrottled = ({ answer }: Call): boolean => 'status' in answer && answer.status === 429
const isFault = ({ answer }: Call): boolean =>
  ('status' in answer && answer.status >= 500) || (answer.kind === 'transport-failure' && answer.why === 'proxy')
const isLost = ({ answer }: Call): boolean => answer.kind === 'transport-failure' && answer.why !== 'proxy'

/** Different keys make different sessions; so does one key in two workspaces. */
function judgeDifferent(groups: readonly (readonly Call[])[], report: Report): void {
  const made = groups.map((group) => group.find(sessionOf)).filter((call) => call !== undefined)
  const like = { key: new Places(), session: new Places() }
  for (const [place, call] of made.entries()) {
    const alike = [...like.key.before(keyOf(call), place), ...like.session.before(sessionOf(call), place)]
    // Of most pairs there is nothing to say: their keys are different, and so are their sessions.
    const others = place < 2 ? made.slice(0, place) : inOrder(alike).flatMap((one) => made[one] ?? [])
    for (const other of others) {
      const sameKey = keyOf(call) === keyOf(other)
      if (sameKey && !areApart(call.key, other.key)) continue
      const row = sameKey ? (`${part}.scoped-to-workspace` as const) : (`${part}.other-key-other-session` as const)
      const apart = sessionOf(call) !== sessionOf(other)
      if (apart && !sameKey && place > 1) continue
      say(report, row, apart, { expected: 'a session each', got: `both got ${sessionOf(call)}`, call, beside: [other] })
    }
  }
}

const keyOf = ({ asked }: Call): string | undefined => textAt(asked, '/idempotency_key')

function inOrder(places: readonly number[]): readonly number[] {
  return [...new Set(places)].toSorted((one, other) => one - other)
}

/** Where each value stood before. */
class Places {
  readonly #known = new Map<string | undefined, number[]>()

  /** Enters a place too. @returns those before it */
  before(value: string | undefined, place: number): readonly number[] {
    const places = this.#known.get(value) ?? []
    const earlier = [...places]
    places.push(place)
    this.#known.set(value, places)
    return earlier
  }
}

function judgeKeyless(creates: readonly Call[], report: Report): void {
  const seen = new Map<string, Call>()
  for (const call of creates) {
    const id = sessionOf(call)
    if (id === undefined || call.asked['idempotency_key'] !== undefined) continue
    const other = seen.get(id)
    seen.set(id, other ?? call)
    if (other === undefined && seen.size < 2) continue
    const finding = {
      expected: 'a session each',
      got: `both got ${id}`,
      call,
      beside: other === undefined ? [] : [other],
    }
    say(report, `${part}.without-key-new-session`, other === undefined, finding)
  }
}
