import type { Session } from '../core/envelope.ts'
import { type Refusal, refusalOf } from '../core/refusal.ts'
import { decide, upgradePolicy } from '../core/retry.ts'
import type { ControlChannel, Opening } from './control-channel.ts'
import type { Machine } from './machine.ts'

/**
 * How often a refused upgrade is asked about at most: an edge refuses for a moment, but a service that takes a good secret
 * only at times has to be heard saying so.
 */
const PROBES = 3

/**
 * A service may need so long to notice that a connection is gone, and take no second one before: until then no refusal is
 * for good.
 */
const LEAVING_MS = 3_000
export const LEAVING_EVERY_MS = 500

/** Whether a connection was let in and cut before a word was heard, so soon after another one that this may have been its refusal. */
export function isTurnedAway({ frames, endedAt }: ControlChannel, leftAt: number | undefined): boolean {
  return leftAt !== undefined && frames === 0 && endedAt < leftAt + LEAVING_MS
}

/**
 * Opens a control channel; where the upgrade is refused for a while, which an edge may do as well as the service, again with
 * back-off. One that is refused for good (a session that is over, a secret that is not taken) stays refused.
 * @param leftAt when the connection before was hung up
 */
export async function openPatiently(
  machine: Machine,
  session: Session,
  channel: ControlChannel,
  leftAt?: number,
): Promise<Opening> {
  for (let attempts = 1; ; attempts += 1) {
    const opening = await channel.open()
    if (opening !== 'refused') return opening
    const { wait_ms } = await afterRefusal(machine, session, { attempts, probes: PROBES, leftAt })
    if (wait_ms === undefined) return opening
    await machine.wait(wait_ms)
  }
}

interface Refused {
  readonly attempts: number
  readonly probes: number
  /** When the connection before was hung up, if there was one. */
  readonly leftAt?: number | undefined
}

/**
 * What was told of a refused upgrade (undefined where nobody was asked, or all that asked were let in), and how long to wait.
 */
export async function afterRefusal(
  machine: Machine,
  session: Session,
  { attempts, probes, leftAt = -LEAVING_MS }: Refused,
): Promise<{ readonly because: Refusal | undefined; readonly wait_ms: number | undefined }> {
  let told: Awaited<ReturnType<Machine['explainRefusal']>>
  for (let probe = 0; probe < probes && told === undefined; probe += 1) told = await machine.explainRefusal(session)
  const because = told === undefined ? undefined : refusalOf({ ...told, data: {} })
  const refused = { refusal: because ?? 'network', retryAfter: told?.retryAfter, date: told?.date }
  const decision = decide({ ...refused, attempts, now: machine.now() }, machine.random(), upgradePolicy())
  machine.tally.count('retries', decision.why)
  const isLeaving = decision.wait_ms === undefined && machine.now() < leftAt + LEAVING_MS
  return { because, wait_ms: isLeaving ? LEAVING_EVERY_MS : decision.wait_ms }
}
