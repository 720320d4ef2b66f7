import { namedSession } from '../../core/envelope.ts'
import type { Opened } from '../../core/limits/places.ts'
import { giveUpCreates } from './given-up.ts'
import { CLOSED_MS, type Workspace } from './workspace.ts'

/** How many invalid creates are sent while a place is free. */
const INVALID = 3

/** The create of an open session once more: it takes no second place. */
export async function repeatCreate(workspace: Workspace, one: Opened): Promise<void> {
  const made = workspace.tries.find(({ sessionId }) => sessionId === one.id)
  if (made === undefined) return
  const again = namedSession(await workspace.tryCreate(made.idempotencyKey))
  // Another session may be the successor of one that has ended by itself: that is looked at before we close it.
  if (again !== undefined && again.id !== one.id) await workspace.findEnded([one])
}

/** Creates that are refused as invalid while a place is free: they hold none. */
export async function refuseSome(workspace: Workspace, closed: Opened): Promise<void> {
  await workspace.awaitClosed(closed, CLOSED_MS)
  await tryInvalidSome(workspace)
}

export async function tryInvalidSome(workspace: Workspace): Promise<void> {
  for (let count = 0; count < INVALID; count += 1) await workspace.tryInvalid()
}

/** Creates whose answer is not waited for, while a place is free. */
export async function giveUpSome(workspace: Workspace, closed: Opened): Promise<void> {
  if (await workspace.awaitClosed(closed, CLOSED_MS)) await giveUpCreates(workspace)
}
