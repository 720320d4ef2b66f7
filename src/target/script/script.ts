import type { Behaviour, Override } from '../behaviour/behaviour.ts'
import { ERROR_CODES, type ErrorCode } from '../behaviour/codes.ts'
import { memory } from '../overrides/memory.ts'
import { around, remembering, several } from '../overrides/operators.ts'

/** What a stand-in does beside answering rightly, as `schemas/meta/script.json` describes it. */
export interface Script {
  readonly refuse?: readonly {
    readonly operation: string
    readonly nth: number
    readonly code: number
    readonly retry_after_seconds?: number
  }[]
  readonly stall?: readonly { readonly response: number; readonly ms: number }[]
  readonly break?: readonly { readonly after_deltas: number }[]
  readonly expire?: readonly { readonly session: number; readonly after_ms: number }[]
}

/** The behaviour that a script asks for; what is counted, each target counts for itself. */
export function overrideOf(script: Script): Override {
  return remembering(() =>
    several(
      refusing(script.refuse ?? []),
      stalling(script.stall ?? []),
      breaking(script.break ?? []),
      expiring(script),
    ),
  )
}

function refusing(refusals: NonNullable<Script['refuse']>): Override {
  const counts = new Map<string, number>()
  let pause: number | undefined
  return several(
    around('access.turnsAway', (old) => (operation) => {
      const count = (counts.get(operation) ?? 0) + 1
      counts.set(operation, count)
      const refusal = refusals.find((one) => one.operation === operation && one.nth === count)
      pause = refusal === undefined ? undefined : pauseOf(refusal)
      return refusal === undefined ? old(operation) : codeOf(refusal.code)
    }),
    around('http.retryAfter', (old) => (code, seconds, ...rest) => {
      const asked = pause
      pause = undefined
      return old(code, asked ?? seconds, ...rest)
    }),
  )
}

type Refusal = NonNullable<Script['refuse']>[number]

/** 10008 "includes `Retry-After`" (section 7). */
function pauseOf({ code, retry_after_seconds: told }: Refusal): number | undefined {
  return told ?? (code === 10008 ? 1 : undefined)
}

function codeOf(code: number): ErrorCode | undefined {
  return ERROR_CODES.find((one) => Number(one) === code)
}

/** The pace is asked once for each response how long its first text takes. */
function stalling(stalls: NonNullable<Script['stall']>): Override {
  return ({ pace }: Behaviour) => {
    const { firstDeltaMs } = pace
    let responses = 0
    const next = (): number => {
      responses += 1
      const stall = stalls.find(({ response }) => response === responses)
      return firstDeltaMs + (stall?.ms ?? 0)
    }
    if (stalls.length > 0) Object.defineProperty(pace, 'firstDeltaMs', { get: next })
  }
}

function breaking(breaks: NonNullable<Script['break']>): Override {
  let [deltas, place] = [0, 0]
  return around('channel.breaksAfter', (old) => (event) => {
    if (event['type'] !== 'response.output_text.delta') return old(event)
    deltas += 1
    const next = breaks[place]
    if (next === undefined || deltas < next.after_deltas) return old(event)
    deltas = 0
    place += 1
    return true
  })
}

/** It ends before the time that its create told: a service may (3.1), while an expiry that is over at once it may not tell. */
function expiring({ expire = [] }: Script): Override {
  let sessions = 0
  const numberOf = memory(() => (sessions += 1))
  const early_ms = new WeakMap<object, number>()
  return several(
    around('lifecycle.expiryMs', (old) => (seconds, plan) => {
      const [number, ms] = [numberOf(plan), old(seconds, plan)]
      const sooner = expire.find(({ session }) => session === number)?.after_ms ?? ms
      early_ms.set(plan, ms - sooner)
      return sooner
    }),
    around('views.created.expires_at', (old) => (session, address) => {
      const expiresAt = session.expiresAt + (early_ms.get(session.plan) ?? 0)
      return old({ ...session, expiresAt }, address)
    }),
  )
}
