import { ENDS_SOON, SOON_S } from './avatar-requests.ts'
import { oneToClose } from './code-at-cap.ts'
import { CLOSED_MS, GRACE_MS, LAG_MS, type Workspace } from './workspace.ts'

/** How much later than it was asked for a session may be closed by the target itself, until nobody waits for it any more. */
const LATE_MS = 15_000

/**
 * One session in the place of another ends by itself, since nobody connects to it, and is closed then, too: only then does
 * its place have to be free. Whether it is shows when the places are counted.
 */
export async function letOneEnd(workspace: Workspace): Promise<void> {
  const { machine } = workspace
  const one = oneToClose(workspace)
  if (one === undefined) return
  await workspace.close(one)
  if (!(await workspace.awaitClosed(one, CLOSED_MS))) return
  const key = `${workspace.freshKey()}${ENDS_SOON}`
  await openOne(workspace, key)
  const id = workspace.triesOf(key).at(-1)?.sessionId
  const session = id === undefined ? undefined : workspace.opened.get(id)
  if (session === undefined) return
  const until = machine.now() + SOON_S * 1_000 + LATE_MS
  await machine.wait(SOON_S * 1_000 + LAG_MS / 2)
  while (machine.now() < until && (await workspace.isSeenOpen(session))) await machine.wait(LAG_MS)
  session.endedItself = true
  await workspace.close(session)
  await workspace.awaitClosed(session, CLOSED_MS)
  await openOne(workspace, workspace.freshKey())
}

/** A place may be free a while after its session is closed. */
async function openOne(workspace: Workspace, key: string): Promise<void> {
  if ((await workspace.create(key)) !== 'full') return
  await workspace.machine.wait(GRACE_MS)
  await workspace.create(key)
}
