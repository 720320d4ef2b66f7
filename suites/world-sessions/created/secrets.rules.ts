import type { Report, Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import { say, type World, worldsOf } from '../worlds.ts'
import { type Call } from '#judge/calls'
import { textAt } from '#trace/json'

const kinds = ['control', 'media'] as const
type Kind = (typeof kinds)[number]

/** A secret that was handed out. A trace holds stand-ins, alike for alike secrets. */
interface Secret {
  readonly value: string
  readonly session: string
  readonly call: Call
}

/** Secrets are of one session, are no API keys, and are fresh when they are said to be (2.11, 4.5, section 5). */
export const secrets: Rule = {
  id: 'world-sessions.secrets',
  proves: kinds.flatMap((kind) => [
    `world-sessions.${kind}.secret-session-scoped`,
    `world-sessions.${kind}.secret-other-than-api-key`,
    `world-sessions.client-secret.${kind}-secret-fresh`,
    `world-sessions.client-secret.${kind}-secret-fresh-again`,
  ]),
  judge(trace, report) {
    for (const kind of kinds) {
      const all = handedOut(trace, kind)
      judgeScope(kind, all, report)
      for (const one of all) {
        const holds = !one.value.startsWith('[api_key ')
        const finding = { expected: 'another value than the API key', got: one.value, call: one.call }
        say(report, `world-sessions.${kind}.secret-other-than-api-key`, holds, finding)
      }
      for (const world of worldsOf(trace).worlds.values()) judgeFresh(kind, world, report)
    }
  },
}

function handedOut(trace: TraceIndex, kind: Kind): readonly Secret[] {
  return [...worldsOf(trace).worlds.values()].flatMap(({ id, creation, secrets: fresh }) =>
    [creation.call, ...fresh].flatMap((call) => {
      const value = textAt(call.data, `/${kind}/client_secret`)
      return value === undefined ? [] : [{ value, session: id, call }]
    }),
  )
}

function judgeScope(kind: Kind, all: readonly Secret[], report: Report): void {
  const owners = new Map<string, Secret>()
  const sessions = new Set<string>()
  for (const one of all) {
    const owner = owners.get(one.value) ?? one
    owners.set(one.value, owner)
    sessions.add(one.session)
    if (sessions.size < 2) continue
    const holds = owner.session === one.session
    const finding = { expected: 'a secret of its own', got: `that of session ${owner.session}`, call: one.call }
    say(
      report,
      `world-sessions.${kind}.secret-session-scoped`,
      holds,
      holds ? finding : { ...finding, beside: [owner.call] },
    )
  }
}

/** Repeated with its idempotency key, Create Client Secret may return the same again. */
function judgeFresh(kind: Kind, { creation, secrets: fresh }: World, report: Report): void {
  const place = `/${kind}/client_secret`
  const first = textAt(creation.data, place)
  for (const [position, call] of fresh.entries()) {
    const now = textAt(call.data, place)
    if (now === undefined) continue
    const fromCreate = `world-sessions.client-secret.${kind}-secret-fresh` as const
    if (first === undefined) {
      report.unobserved(fromCreate, 'model_choice', 'the create showed no secret', call.answeredLine)
    } else {
      const finding = { expected: 'another secret', got: 'that of the create', call, beside: [creation.call] }
      say(report, fromCreate, now !== first, finding)
    }
    const key = textAt(call.asked, '/idempotency_key')
    const others = fresh
      .slice(0, position)
      .filter(({ asked }) => key === undefined || textAt(asked, '/idempotency_key') !== key)
      .filter(({ data }) => textAt(data, place) !== undefined)
    if (others.length === 0) continue
    const same = others.find(({ data }) => textAt(data, place) === now)
    const finding = {
      expected: 'another secret',
      got: 'that of an earlier answer',
      call,
      beside: same === undefined ? [] : [same],
    }
    say(report, `world-sessions.client-secret.${kind}-secret-fresh-again`, same === undefined, finding)
  }
}
