import { broken, type Ruling } from '../../core/limits/laws.ts'
import { CLOSED_MS, GRACE_MS, LAG_MS, PROGRESS_MS, type Workspace } from './workspace.ts'

/** How often it is looked, and creates are refused. */
const LOOKS = 2

/**
 * What creates took that hold no session is seen once all sessions are closed: List Sessions is there "to find and close ended
 * sessions that still hold concurrency quota" (4.1), so where it shows none, nobody holds a place.
 * @returns what is wrong with a workspace in which a create has found no place though nobody was there, again and again
 */
export async function judgeFullForNobody(workspace: Workspace): Promise<Ruling[]> {
  for (let look = 0; look < LOOKS; look += 1) {
    if (!(await isEmpty(workspace))) return []
    await workspace.machine.wait(GRACE_MS)
    if (workspace.ends.over || (await workspace.create(workspace.freshKey())) !== 'full') return []
  }
  return [broken('place-not-freed', 'no place, with all sessions closed and none in List Sessions')]
}

/** Ours are all closed, and there are no others. */
export async function isEmpty(workspace: Workspace): Promise<boolean> {
  await Promise.all(workspace.closing.map((session) => workspace.awaitClosed(session, CLOSED_MS)))
  const { open, closing, unresolved, machine } = workspace
  // What became of a create whose answer was lost shows in List Sessions once it can't be in progress any more.
  const decided = Math.max(0, ...unresolved.map(({ sentAt }) => sentAt)) + PROGRESS_MS
  await machine.wait(Math.max(0, decided - machine.now()))
  if (open.length + closing.length > 0) return false
  // Lists may be behind.
  await machine.wait(LAG_MS)
  const listing = await workspace.list()
  return listing !== undefined && (workspace.isListRead ? listing.others.length === 0 : listing.blank)
}
