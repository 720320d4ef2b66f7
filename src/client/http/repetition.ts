import { mostFailuresInVain } from '#trace/failures-in-vain'
import type { Core } from '../core.ts'
import { longestTrouble } from '../transport-failures.ts'
import type { Exchange, RestCall } from '../types.ts'
import { createLimits } from './refusals.ts'
import type { PreparedRequest } from './request.ts'
import { isFailure, isLimited, type Pause, pauseAfter, troubleOf } from './retry.ts'

/** How many failures in a row tell what a service fails over each time from an accident. */
const leastAfterFailure = 2
/** Who answered others so shortly before, in milliseconds, is not down. */
const lately_ms = 5_000

/** Most milliseconds of Retry-After that one run honours in sum; beyond, a 429 stands. */
const patience = 600_000

/** Nobody who waits for our end waits for longer than this, in milliseconds; what is then still open is told. */
const longestWhenHurried = 15_000

/** Knows from all exchanges of a client whether one of them is worth another attempt, and when. */
export interface Repetition {
  /** Takes in what came of an attempt. */
  believe(key: string, result: Exchange, attempt: number): void
  /** How long to wait before the next attempt; `undefined` = there is none. */
  pauseBefore(result: Exchange, request: PreparedRequest, one: Further): Pause | undefined
  /**
   * Whether nothing came since `began`, in milliseconds of the client's clock, that tells a service that is up. Once it answered
   * nothing to that question either, it is not asked anew before it has answered something.
   */
  wondersSince(began: number): boolean
  /** What passed at a further attempt, or did not, tells others with the same trouble whether to wait. */
  learn(request: PreparedRequest, result: Exchange, lesson: Lesson): void
}

export interface Lesson {
  /** Kinds of trouble that the request met so far. */
  readonly met: Set<string>
  /** It is not tried again. */
  readonly over: boolean
  /** Milliseconds since its first attempt. */
  readonly waited: number
}

export interface Further extends Pick<Lesson, 'waited'> {
  readonly attempt: number
  readonly call: RestCall
  /** Somebody waits for our end. */
  readonly hurried: boolean
  readonly cleanup: boolean
}

export function createRepetition(core: Core): Repetition {
  const state = { vain: 0, vainAt: -Infinity, answeredAt: -Infinity, wonderedAt: -Infinity, patience, admits: false }
  const refusals = createLimits(() => core.clock.now())
  const { replies } = core

  /** What is refused behind a pause speaks against the pauses of its key, until something else comes. */
  const believe: Repetition['believe'] = (key, result, attempt) => {
    refusals.heard(key, result, attempt)
    state.admits ||= result.code === 0
    if (isLimited(result)) return
    const now = core.clock.now()
    if (!isFailure(result)) {
      if (attempt > 1) state.vain = 0
      if (result.code !== undefined) state.answeredAt = now
    } else if (attempt > 1 && state.answeredAt > state.vainAt) {
      // A service that is down for all proves nothing of what is asked for.
      state.vain += 1
      state.vainAt = now
    }
  }

  function pauseBefore(result: Exchange, request: PreparedRequest, one: Further): Pause | undefined {
    const { attempt, call, hurried, waited } = one
    const { admits } = state
    const trouble = troubleOf(result)
    const isUp = core.clock.now() - state.answeredAt < lately_ms
    const least = isFailure(result) && isUp ? leastAfterFailure : 0
    const all = trouble === undefined ? [] : core.transportFailures.pauses(kindOf(request, trouble), least)
    const pauses = waited >= longestTrouble ? [] : hurried || replies.scarce() ? all.slice(0, 1) : all
    const safe = request.repeatable
    const pause = pauseAfter(result, { attempt, safe, passing: call.passing, admits, now: Date.now(), pauses })
    if (pause === undefined || (state.vain >= mostFailuresInVain && isFailure(result))) return undefined
    if (pause.why === 'backoff') return pause
    if (pause.ms > state.patience || refusals.doubted(request.key, one)) return undefined
    if (hurried && pause.ms > longestWhenHurried) return undefined
    state.patience -= hold(core, request.key, pause.ms)
    return pause
  }

  function learn(request: PreparedRequest, result: Exchange, { met, over, waited }: Lesson): void {
    const trouble = troubleOf(result)
    if (trouble === undefined) return met.forEach((kind) => core.transportFailures.passed(kind))
    core.transportFailures.met(core.clock.now())
    const kind = kindOf(request, trouble)
    if (over && met.size > 0) core.transportFailures.vain(kind, waited)
    met.add(kind)
  }

  function wondersSince(began: number): boolean {
    if (state.answeredAt >= began || state.wonderedAt > state.answeredAt) return false
    state.wonderedAt = core.clock.now()
    return true
  }

  return { believe, pauseBefore, wondersSince, learn }
}

/** Retry-After speaks of the key, so whoever else wants to use the key waits as well. */
function hold(core: Core, key: string, ms: number): number {
  return isPaced(key) ? core.pace.hold(key, core.clock.now() + ms) : ms
}

/** Trouble of one operation tells nothing about another one. */
export function kindOf({ operation, path }: PreparedRequest, trouble: string): string {
  return `${operation ?? path} ${trouble}`
}

export function isPaced(key: string): boolean {
  return key !== 'none' && key !== 'malformed'
}
