import { isSettled } from '#judge/timing/lag'
import type { Report, Rule } from '#judge/rule'
import { passedSince } from '#judge/timing/standstill'
import { missingAfter } from '#judge/timing/timeouts'
import type { TraceIndex } from '#judge/trace-index'
import { areApart, workspaceOf } from '#spec/profile'
import { textAt } from '#trace/json'
import { idempotencyOf, say, type World, worldsOf } from '../worlds.ts'
import { type Call } from '#judge/calls'

/** Status of a session as Get shows it, held against the transitions of 3.2. */
export const lifecycle: Rule = {
  id: 'world-sessions.lifecycle',
  proves: [
    'world-sessions.session.id-unique',
    'world-sessions.status.provisioning-becomes-active',
    'world-sessions.status.never-provisioning-again',
    'world-sessions.close.names-session',
    'world-sessions.client-secret.names-session',
    'world-sessions.close.leaves-active',
    'world-sessions.close.reaches-closed',
    'world-sessions.close.never-active-again',
    'world-sessions.close.closed-is-final',
  ],
  judge(trace, report) {
    judgeIds(trace, report)
    for (const world of worldsOf(trace).worlds.values()) {
      judgeNames(world, report)
      judgeProvisioning(trace, world, report)
      judgeTransitions(trace, world, report)
      judgeLateCloses(world, report)
      judgeClose(trace, world, report)
    }
  },
}

export function statusOf({ data }: Call): string {
  return textAt(data, '/status') ?? ''
}

/** Creates that are no repetitions have sessions of their own. */
function judgeIds(trace: TraceIndex, report: Report): void {
  const owners = new Map<string, Call>()
  for (const { call, data } of worldsOf(trace).creations) {
    const id = textAt(data, '/session_id')
    if (id === undefined) continue
    const owner = owners.get(id)
    owners.set(id, owner ?? call)
    if (owner === undefined ? owners.size < 2 : mayBeOne(owner, call)) continue
    const finding = { expected: 'an id of its own', got: id, call }
    say(
      report,
      'world-sessions.session.id-unique',
      owner === undefined,
      owner === undefined ? finding : { ...finding, beside: [owner] },
    )
  }
}

/** The same create by two API keys of what may be one workspace, such as one that was renewed, has one session. */
function mayBeOne(owner: Call, call: Call): boolean {
  const [first, again] = [owner, call].map(({ asked }) => textAt(asked, '/idempotency_key'))
  return first !== undefined && first === again && !areApart(owner.key, call.key)
}

function judgeNames({ id, closes, secrets }: World, report: Report): void {
  for (const [calls, row] of [
    [closes, 'world-sessions.close.names-session'],
    [secrets, 'world-sessions.client-secret.names-session'],
  ] as const) {
    for (const call of calls) {
      const got = textAt(call.data, '/session_id')
      if (call.data !== undefined && got !== undefined) say(report, row, got === id, { expected: id, got, call })
    }
  }
}

function judgeProvisioning(trace: TraceIndex, { creation, gets, closes }: World, report: Report): void {
  if (statusOf(creation.call) !== 'provisioning') return
  const row = 'world-sessions.status.provisioning-becomes-active'
  const before = Math.min(...closes.map(({ line }) => line), Number.POSITIVE_INFINITY)
  const shown = gets.filter(({ data, line }) => data !== undefined && line < before)
  const last = shown.findLast((get) => statusOf(get) === 'provisioning')
  const active = shown.find((get) => statusOf(get) === 'active')
  if (active !== undefined) say(report, row, true, { expected: '', got: '', call: active })
  else if (last !== undefined && last === shown.at(-1)) {
    const waited = passedSince(trace, creation.call, last)
    if (waited < missingAfter(trace, 'provisioning_ms')) return
    const got = `provisioning after ${Math.round(waited / 1000)} s`
    say(report, row, false, { expected: 'active', got, call: last, beside: [creation.call] })
  }
}

/**
 * States only move on; an answer that crossed another one tells nothing of it. One that comes from a replica may be
 * behind: it speaks against what was shown only once that has had time to arrive there.
 */
function judgeTransitions(trace: TraceIndex, { creation, gets, closes }: World, report: Report): void {
  const shown = [creation.call, ...gets, ...closes].filter((call) => statusOf(call) !== '')
  for (const call of gets) {
    const status = statusOf(call)
    const before = shown.filter(({ answeredLine }) => answeredLine < call.line)
    if (status === '' || before.length === 0) continue
    const settled = before.filter(({ answeredT }) => isSettled(trace, answeredT, call.t))
    const open = status === 'active' || status === 'provisioning'
    const telling = status === 'failed' ? settled.filter((one) => !mayTellOfFailed(one, { gets, closes })) : settled
    const tell = (row: Parameters<typeof say>[1], past: readonly string[], holds: boolean, expected: string): void => {
      const known = holds ? before : telling
      if (known.some((one) => past.includes(statusOf(one)))) say(report, row, holds, { expected, got: status, call })
    }
    const again = 'world-sessions.status.never-provisioning-again'
    tell(again, ['active'], status !== 'provisioning', 'no way back to provisioning')
    tell('world-sessions.close.never-active-again', ['closing', 'closed'], !open, 'no way back to an open session')
    tell('world-sessions.close.closed-is-final', ['closed'], status === 'closed', 'closed')
  }
}

/**
 * A close can only say `closing` or `closed` (4.5), of a session that failed before it as well. Where one before it said
 * `closing`, `closed` tells that the cleanup has finished (3.2).
 */
function mayTellOfFailed(call: Call, { gets, closes }: Pick<World, 'gets' | 'closes'>): boolean {
  if (!closes.includes(call)) return false
  const isBefore = ({ answeredLine }: Call): boolean => answeredLine < call.line
  const cleansUp = closes.some((one) => isBefore(one) && statusOf(one) === 'closing')
  return !cleansUp || gets.some((get) => isBefore(get) && statusOf(get) === 'failed')
}

/** "Returns `closed` instead if cleanup already finished" (3.2); the replay of a key may tell what was. */
function judgeLateCloses({ gets, closes }: World, report: Report): void {
  const ended = gets.find((call) => statusOf(call) === 'closed')
  const keys = new Set<string>()
  for (const call of closes) {
    const key = idempotencyOf(call)
    const again = key !== undefined && keys.has(key)
    if (key !== undefined) keys.add(key)
    const got = statusOf(call)
    if (again || got === '' || ended === undefined || ended.answeredLine > call.line) continue
    say(report, 'world-sessions.close.closed-is-final', got === 'closed', {
      expected: 'closed',
      got,
      call,
      beside: [ended],
    })
  }
}

function showsOpen(call: Call): boolean {
  return ['active', 'provisioning'].includes(statusOf(call))
}

/** An accepted close: the next Get is past `active`, and in time the session is closed or not found any more. */
function judgeClose(trace: TraceIndex, world: World, report: Report): void {
  const { gets, closes, workspace } = world
  const own = (call: Call): boolean => workspaceOf(call.key) === workspace
  const close = closes.find((call) => call.answer.kind === 'success' && own(call))
  if (close === undefined) return
  const later = gets.filter((get) => get.line > close.answeredLine && own(get))
  // The first one after which nothing older can come, or that is past `active` before.
  const told = later.filter((get) => get.data !== undefined || isGone(get))
  const next = told.find((get) => !showsOpen(get) || isSettled(trace, close.answeredT, get.t))
  if (next?.data !== undefined) {
    say(report, 'world-sessions.close.leaves-active', !showsOpen(next), {
      expected: 'closing or closed',
      got: statusOf(next),
      call: next,
      beside: [close],
    })
  } else if (next !== undefined && isGone(next)) {
    say(report, 'world-sessions.close.leaves-active', true, { expected: '', got: '', call: next })
  }
  judgeEnd(trace, close, later, report)
}

function judgeEnd(trace: TraceIndex, close: Call, later: readonly Call[], report: Report): void {
  const row = 'world-sessions.close.reaches-closed'
  const end = later.find((get) => isGone(get) || statusOf(get) === 'closed')
  const last = later.findLast(({ data }) => data !== undefined)
  if (end !== undefined) say(report, row, true, { expected: '', got: '', call: end, beside: [close] })
  else if (last !== undefined && statusOf(last) === 'failed') {
    report.unobserved(
      row,
      'model_choice',
      'the session failed while it was closing, which 3.2 leaves open',
      last.answeredLine,
    )
  } else if (last !== undefined && passedSince(trace, close, last) >= missingAfter(trace, 'closed_ms')) {
    const got = statusOf(last) === '' ? 'no status' : statusOf(last)
    say(report, row, false, { expected: 'closed, or not found', got, call: last, beside: [close] })
  }
}

function isGone({ answer }: Call): boolean {
  return answer.kind === 'failure' && answer.code === 20005
}

export function mediaStatusOf({ data }: Call): string {
  return textAt(data, '/runtime/media_status') ?? ''
}
