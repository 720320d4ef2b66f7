import type { Moment } from '#judge/conditions/points'
import type { Report, Rule } from '#judge/rule'
import { isRecording } from '#judge/recordings'
import type { TraceIndex } from '#judge/trace-index'
import { unnamedKey } from '#spec/profile'
import { at } from '#trace/json'
import { equal } from '#trace/match'
import { type Create, type Life, type Lives, livesOf, seenOpenAfter, statusIn, wordsIn } from '../life/lives.ts'

const part = 'avatar-sessions.idempotency'

/**
 * "Retrying a create with the same key does not allocate a duplicate session" (4.1), judged by the sessions that came to
 * exist, on every create of the trace. What the losers of a race are told is left open.
 */
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
  ],
  judge(trace, report) {
    const { creates, lives, strays } = livesOf(trace)
    const groups = grouped(creates)
    // What others made, or what was there before, may have the avatar of a recorded app.
    if (!isRecording(trace)) for (const group of groups) judgeStrays(group, strays, report)
    for (const group of groups) {
      judgeRetries(group, knownIn(trace, lives), report)
    }
    judgeDifferent(groups, report)
    judgeKeyless(creates, report)
  },
}

/** Creates with one idempotency key, by one API key, and with one body. */
function grouped(creates: readonly Create[]): readonly (readonly Create[])[] {
  const lanes = new Map<string, Create[][]>()
  for (const create of creates) {
    const key = at(create.asked, '/idempotency_key')
    if (typeof key !== 'string' || key === '' || create.call.key === unnamedKey) continue
    const name = JSON.stringify([create.call.key, key])
    const lane = lanes.get(name) ?? []
    const group = lane.find(([first]) => equal(first?.asked ?? null, create.asked))
    if (group === undefined) lane.push([create])
    else group.push(create)
    lanes.set(name, lane)
  }
  return [...lanes.values()].flat()
}

interface Known {
  readonly lives: Lives['lives']
  readonly isOpenAfter: (life: Life, moment: Moment) => boolean
  readonly recorded: boolean
}

const knownIn = (trace: TraceIndex, lives: Lives['lives']): Known => ({
  lives,
  isOpenAfter: (life, moment) => seenOpenAfter(trace, life, moment),
  recorded: isRecording(trace),
})

/** How long a key is kept is not said: what comes so long after the last try of a create is none of its retries. */
const longest_ms = 5 * 60_000

/** Why a key may have been free again: no two sessions of one key that were never open together are duplicates. */
const mayHaveEnded = 'the service may have ended the first session by itself'

function judgeRetries(group: readonly Create[], known: Known, report: Report): void {
  const [first, ...later] = group.filter(sessionOf)
  if (first === undefined) return
  const id = sessionOf(first) ?? ''
  const life = known.lives.get(id)
  for (const create of later) {
    const { answeredLine, answeredT } = create.call
    if (life?.closes.some(({ line }) => line < answeredLine)) continue
    const accident =
      life === undefined || known.isOpenAfter(life, { line: answeredLine, t: answeredT }) ? undefined : mayHaveEnded
    const doubt = whyNoRetry(group, first, create) ?? (known.recorded ? accident : undefined)
    for (const row of circumstances(group, create)) {
      const isOther = sessionOf(create) !== id
      if (doubt !== undefined && isOther) report.unobserved(`${part}.${row}`, 'model_choice', doubt, create.call.line)
      else judgeRetry(`${part}.${row}`, [first, create], accident, report)
    }
  }
  if (later.length === 0) judgeSole(group, first, report)
}

/** Why a create with the key of another one may rightly make a session of its own. */
function whyNoRetry(group: readonly Create[], first: Create, create: Create): string | undefined {
  const status = statusIn(first.call.answer, sessionOf(first) ?? '')
  if (status !== undefined && status !== 'active') return 'the first session was over when it was made'
  const before = group.filter(({ call }) => call.line < create.call.line).map(({ call }) => call.t)
  return create.call.t - Math.max(...before) > longest_ms ? 'how long a key is kept is not said' : undefined
}

function judgeRetry(
  row: string,
  [first, create]: readonly [Create, Create],
  accident: string | undefined,
  report: Report,
): void {
  const got = sessionOf(create)
  if (got === sessionOf(first)) return report.held(row, first.call.line, create.call.line)
  const lines = [first.call.line, first.call.answeredLine, create.call.line, create.call.answeredLine]
  const expected = `the session ${sessionOf(first)} again`
  const breach = { expected, got: `another one: ${got}`, lines, scenario: create.call.scenario }
  report.broken(row, accident === undefined ? breach : { ...breach, accident })
}

/**
 * A session that no answer told of bears the avatar of our create: a duplicate that came of a retry. Where all answers were
 * lost, one such session is the one that was asked for.
 */
function judgeStrays(group: readonly Create[], strays: Lives['strays'], report: Report): void {
  const mark = at(group[0]?.asked, '/avatars/0/avatar_id')
  const last = group.at(-1)
  if (typeof mark !== 'string' || last === undefined || group.length < 2) return
  const own = mark.includes('-') ? strays.filter(({ call }) => wordsIn(call).has(mark)) : []
  const made = new Set([...group.flatMap((create) => sessionOf(create) ?? []), ...own.map(({ id }) => id)])
  if (made.size < 2) return
  for (const { id, call } of own) {
    for (const row of circumstances(group, last)) {
      const lines = [...group.map((create) => create.call.line), call.answeredLine]
      const got = `another one beside it: ${id}`
      report.broken(`${part}.${row}`, { expected: 'one session for one key', got, lines, scenario: call.scenario })
    }
  }
}

/** One session came of several tries: the retry that made it, or the refusals after it, made no second one. */
function judgeSole(group: readonly Create[], first: Create, report: Report): void {
  const place = group.indexOf(first)
  const before = group.slice(0, place)
  if (before.some(isThrottled)) report.held(`${part}.after-429-one-session`, first.call.line)
  if (before.some(isFault)) report.held(`${part}.after-5xx-one-session`, first.call.line)
  if (before.some(isLost)) report.held(`${part}.after-timeout-one-session`, first.call.line)
  const after = group.slice(place + 1).filter((create) => create.call.answer.kind === 'failure' && !isThrottled(create))
  for (const refused of after) {
    for (const row of circumstances(group, refused)) report.held(`${part}.${row}`, first.call.line, refused.call.line)
  }
}

type Circumstance =
  | 'retry-same-session'
  | 'concurrent-one-session'
  | 'after-429-one-session'
  | 'after-5xx-one-session'
  | 'after-timeout-one-session'

/** What makes a create of the group a retry: of an answer, of a race, and of what went wrong before. */
function circumstances(group: readonly Create[], create: Create): readonly Circumstance[] {
  const others = group.filter((other) => other.call.line < create.call.line)
  const answered = [...others, create].filter((one) => !isLost(one))
  const race = answered.some((one) => answered.some((other) => other !== one && overlap(one, other)))
  return [
    race ? 'concurrent-one-session' : 'retry-same-session',
    ...(others.some(isThrottled) ? (['after-429-one-session'] as const) : []),
    ...(others.some(isFault) ? (['after-5xx-one-session'] as const) : []),
    ...(others.some(isLost) ? (['after-timeout-one-session'] as const) : []),
  ]
}

function overlap(left: Create, right: Create): boolean {
  return left.call.line < right.call.answeredLine && right.call.line < left.call.answeredLine
}

const isThrottled = ({ call: { answer } }: Create): boolean => 'status' in answer && answer.status === 429
const isFault = ({ call: { answer } }: Create): boolean =>
  ('status' in answer && answer.status >= 500) || (answer.kind === 'transport-failure' && answer.why === 'proxy')
const isLost = ({ call: { answer } }: Create): boolean => answer.kind === 'transport-failure' && answer.why !== 'proxy'

/** Different keys make different sessions; so does one key in two workspaces. */
function judgeDifferent(groups: readonly (readonly Create[])[], report: Report): void {
  const owners = new Map<string, Create>()
  for (const group of groups) {
    const made = group.find(sessionOf)
    const id = made === undefined ? undefined : sessionOf(made)
    if (made === undefined || id === undefined) continue
    const other = owners.get(id)
    const shared = other !== undefined
    owners.set(id, other ?? made)
    const row = shared && keyOf(other) === keyOf(made) ? 'scoped-to-workspace' : 'other-key-other-session'
    if (shared && row === 'scoped-to-workspace' && !areOfOtherWorkspaces(other, made)) continue
    if (shared) {
      const got = `both got ${id}`
      report.broken(`${part}.${row}`, {
        expected: 'a session each',
        got,
        lines: [other.call.line, made.call.line],
        scenario: made.call.scenario,
      })
    } else if (owners.size > 1) report.held(`${part}.other-key-other-session`, made.call.line)
  }
  judgeScope(groups, report)
}

function judgeScope(groups: readonly (readonly Create[])[], report: Report): void {
  const made = groups.map((group) => group.find(sessionOf)).filter((create) => create !== undefined)
  const byKey = Map.groupBy(made, keyOf)
  for (const create of made.filter((one) => one.call.key === 'other_workspace')) {
    const positiveControl = byKey.get(keyOf(create))?.find((one) => areOfOtherWorkspaces(one, create))
    if (positiveControl !== undefined && sessionOf(positiveControl) !== sessionOf(create)) {
      report.held(`${part}.scoped-to-workspace`, positiveControl.call.line, create.call.line)
    }
  }
}

function areOfOtherWorkspaces(left: Create, right: Create): boolean {
  const keys = new Set([left.call.key, right.call.key])
  return keys.has('other_workspace') && (keys.has('primary') || keys.has('same_workspace'))
}

function judgeKeyless(creates: readonly Create[], report: Report): void {
  const seen = new Map<string, Create>()
  for (const create of creates) {
    const id = sessionOf(create)
    if (id === undefined || at(create.asked, '/idempotency_key') !== undefined) continue
    // A recording may not show what was sent.
    if (Object.keys(create.asked).length === 0) continue
    const other = seen.get(id)
    if (other !== undefined) {
      const lines = [other.call.line, create.call.line]
      report.broken(`${part}.without-key-new-session`, {
        expected: 'a session each',
        got: `both got ${id}`,
        lines,
        scenario: create.call.scenario,
      })
    } else if (seen.size > 0) report.held(`${part}.without-key-new-session`, create.call.line)
    seen.set(id, other ?? create)
  }
}

function keyOf(create: Create): string {
  const key = at(create.asked, '/idempotency_key')
  return typeof key === 'string' ? key : ''
}

function sessionOf(create: Create): string | undefined {
  const { answer } = create.call
  const id = answer.kind === 'success' ? at(answer.data, '/session_id') : undefined
  return typeof id === 'string' && id !== '' ? id : undefined
}
