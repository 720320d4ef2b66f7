import { loadScenarios } from '#scenario/plan/catalogue'
import { type DriveOptions, driveTarget } from '#scenario/run/drive'
import { environmentOf, profileOf } from '#target/profile'
import { type RunningTarget, startTarget } from '#target/start'
import type { TargetOptions } from '#target/options'
import { sideBySide } from '#testing/side-by-side'
import { stopwatch } from './stopwatch.ts'

/** What one run left on its target, as the target itself counts it. */
export interface Leftovers {
  /** Ids of what is still there, by kind. */
  readonly left: ReturnType<RunningTarget['left']>
  /** Of these, what the run told of. */
  readonly told: number
  /** All that the run says it left. */
  readonly leaked: readonly { readonly resource: string; readonly id: string; readonly reason: string }[]
  readonly seconds: number
  readonly requests: number
}

/** A whole run in this process against a target with these mistakes. */
export async function leftoversOf(target: TargetOptions, options: Partial<DriveOptions> = {}): Promise<Leftovers> {
  const running = await startTarget({ tls: false, ...target })
  try {
    const seconds = stopwatch()
    const { trace } = await driveTarget({
      profile: profileOf(running),
      environment: environmentOf(running),
      scenarios: await loadScenarios(),
      seed: 1,
      ...options,
    })
    const leaked = trace.entries.flatMap((entry) => (entry.kind === 'cleanup' ? entry.leaked : []))
    const left = running.left()
    const ids = new Set(leaked.map(({ id }) => id))
    const told = [...left.sessions, ...left.worlds, ...left.characters].filter((id) => ids.has(id)).length
    return { left, told, leaked, seconds: seconds(), requests: running.requestsServed() }
  } finally {
    await running.stop()
  }
}

/** Mistakes of envelope, close, quota, expiry and rate that leave things behind with whoever is not careful. */
export const leavingDefects: readonly string[] = [
  'errors.envelope.nonzero-code-is-failure',
  'errors.envelope.malformed-json-rejected',
  'errors.envelope.fields-inside-data',
  'errors.envelope.code-zero-on-success',
  'errors.envelope.data-on-success',
  'avatar-sessions.create.minimal-text-chat-accepted~no-message',
  'avatar-sessions.create.minimal-text-chat-accepted~code-200',
  'avatar-sessions.create.minimal-text-chat-accepted~code-text',
  'avatar-sessions.create.minimal-text-chat-accepted~list',
  'avatar-sessions.session.id-nonempty~beside-data',
  'avatar-sessions.session.id-nonempty~result',
  'avatar-sessions.session.id-nonempty~missing',
  'limits.concurrency.slot-free-when-closed~expired',
  'limits.concurrency.refused-create-makes-nothing',
  'limits.concurrency.slot-free-when-closed',
  'limits.concurrency.volley-within-cap',
  'limits.api-key-rate.refused-create-makes-nothing',
  'limits.api-key-rate.per-key',
  'avatar-sessions.close.leaves-active',
  'avatar-sessions.close.reaches-closed',
  'avatar-sessions.close.accepted',
  'avatar-sessions.close.closed-shown-by-get',
  'avatar-sessions.close.same-workspace-key',
  'avatar-sessions.expiry.max-duration-ends-session',
  'avatar-sessions.idempotency.retry-same-session',
  'avatar-sessions.idempotency.retry-same-session~second-retry',
  'avatar-sessions.idempotency.concurrent-one-session',
  'avatar-sessions.idempotency.after-429-one-session',
  'avatar-sessions.idempotency.after-5xx-one-session',
  'avatar-sessions.idempotency.after-timeout-one-session',
  'world-sessions.close.leaves-active',
  'world-sessions.close.accepted',
  'world-sessions.close.same-workspace-key',
  'world-sessions.expiry.not-active-after',
  'world-sessions.idempotency.retry-same-session',
  'world-sessions.idempotency.concurrent-one-session',
  'world-sessions.idempotency.after-timeout-one-session',
  'characters.delete.accepted',
  'characters.deleted.get-rejected~kept',
  'characters.create.refused-leaves-no-character',
]

/** So many runs side by side. */
const atOnce = 3

/**
 * A standard run against each of these mistakes.
 *
 * @throws when something is left that the run does not tell of
 */
export async function nothingLeft(defects: readonly string[] = leavingDefects): Promise<string> {
  const ran = await sideBySide(defects, atOnce, async (id) => {
    const one = await leftoversOf({ defects: [id] })
    console.log(`  ${id}: ${sentence(one)}`)
    return [id, one] as const
  })
  const untold = ran.filter(([, one]) => untoldOf(one) > 0).map(([id, one]) => `${id} (${untoldOf(one)})`)
  if (untold.length > 0) throw new Error(`left without a word: ${untold.join(', ')}`)
  return `${ran.length} mistakes, nothing left that is not told of`
}

/** What is left and not told of. A create that nothing names is told of without an id. */
export function untoldOf({ left, told, leaked }: Leftovers): number {
  const unknown = leaked.filter(({ id }) => id === 'unknown').length
  return Math.max(0, left.sessions.length + left.worlds.length + left.characters.length - told - unknown)
}

function sentence(one: Leftovers): string {
  const { sessions, worlds, characters } = one.left
  const counts = `${sessions.length} sessions, ${worlds.length} worlds, ${characters.length} characters left`
  return `${counts}, ${untoldOf(one)} of them untold; ${one.seconds.toFixed(1)} s, ${one.requests} requests`
}
