import { CLOSED_MS, type Workspace } from './workspace.ts'

/** In which parts of the time that a create takes, its answer is given up. */
const PARTS = [0.5, 0.8]

/**
 * Creates whose answer is not waited for, one after the other, while there is a place for one. Each is asked for again with
 * its key, and its session is closed: it holds no place then, whatever became of the first try.
 */
export async function giveUpCreates(workspace: Workspace): Promise<void> {
  const made = workspace.tries.findLast(({ outcome }) => outcome === 'made')
  const took = made === undefined ? 0 : made.answeredAt - made.sentAt
  for (const part of PARTS) {
    const key = workspace.freshKey()
    await workspace.tryCreate(key, { timeout_ms: Math.max(1, part * took) })
    await workspace.machine.wait(took)
    if ((await workspace.create(key)) !== 'opened') return
    const ids = new Set(workspace.triesOf(key).map(({ sessionId }) => sessionId))
    for (const session of workspace.open.filter(({ id }) => ids.has(id))) {
      await workspace.close(session)
      await workspace.awaitClosed(session, CLOSED_MS)
    }
  }
}
