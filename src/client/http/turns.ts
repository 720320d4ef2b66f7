import type { OperationId } from '#spec/tables'
import { type Asker, assertGoing, type Core, record, signalFor, spenderOf } from '../core.ts'
import type { Place } from '../pace/crowd.ts'
import type { RestCall } from '../types.ts'
import { isPaced } from './repetition.ts'
import type { PreparedRequest } from './request.ts'

/** Waits shorter than this are no entry. */
const shortestWait = 50

/** Cleanup after an abort. */
export function hurries(core: Core, asker: Asker): boolean {
  return asker.cleanup && core.options.signal.aborted
}

/** Ends waiting for what will not be sent. */
export function waitSignalFor(core: Core, asker: Asker): AbortSignal | undefined {
  const signal = signalFor(core, asker)
  const { enough } = core.options
  return signal === undefined || enough === undefined ? signal : AbortSignal.any([signal, enough])
}

/** Waits until the key may send. A call for cleanup after an abort goes at once: somebody waits for our end. */
export async function takeTurn(core: Core, asker: Asker, key: string, call: RestCall): Promise<void> {
  assertGoing(core, asker)
  core.budget.check(spenderOf(asker))
  if (!isPaced(key)) return
  if (call.pace === false || hurries(core, asker)) {
    core.pace.count(key)
    return
  }
  const waited = await turnOf(core, asker, key)
  if (waited > shortestWait) record(core, asker, { kind: 'wait', why: 'pace', ms: rounded(waited) })
}

async function turnOf(core: Core, asker: Asker, key: string): Promise<number> {
  try {
    return await core.pace.turn(key, waitSignalFor(core, asker))
  } catch (error) {
    assertGoing(core, asker)
    core.budget.check(spenderOf(asker))
    throw error
  }
}

/** Carried out one after another, these take a time that others feel. */
const inTurn: ReadonlySet<OperationId> = new Set<OperationId>([
  'create-avatar-session',
  'create-session-from-character',
  'create-world-session',
])

/** Waits for a place among the creates of sessions. */
export async function placeOf(
  core: Core,
  asker: Asker,
  { operation }: PreparedRequest,
  { pace }: RestCall,
): Promise<Place | undefined> {
  if (operation === null || !inTurn.has(operation) || pace === false || asker.cleanup) return undefined
  const began = core.clock.now()
  const place = await core.crowd.enter(asker.scenario ?? '', operation, waitSignalFor(core, asker))
  const waited = core.clock.now() - began
  if (waited > shortestWait) record(core, asker, { kind: 'wait', why: 'pace', ms: rounded(waited) })
  return place
}

export function rounded(ms: number): number {
  return Math.max(0, Math.round(ms * 1000) / 1000)
}
