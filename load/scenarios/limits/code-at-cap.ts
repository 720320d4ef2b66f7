import { broken, type Ruling } from '../../core/limits/laws.ts'
import type { Opened } from '../../core/limits/places.ts'
import { CLOSED_MS, GRACE_MS, type Workspace } from './workspace.ts'

/** The oldest but one: the oldest stays, so that it shows whether a session takes a place for as long as it is open. */
export const oneToClose = ({ open: [oldest, next = oldest] }: Workspace): Opened | undefined => next

/** How often a create is refused and then served, until it is said that it is the places that are meant. */
const ROUNDS = 2

/**
 * At the cap that the profile declares, a refusal with any other code than 30006 is the wrong one, if it is the places that
 * are meant: again and again, a create is refused there, and served as soon as a session is closed.
 */
export async function judgeCodeAtCap(workspace: Workspace): Promise<Ruling[]> {
  const declared = workspace.machine.key.concurrent_sessions
  if (declared === undefined || workspace.open.length !== declared) return []
  let code: string | undefined
  for (let round = 0; round < ROUNDS; round += 1) {
    const received = await workspace.create(workspace.freshKey())
    // What was refused for the rate may come after sessions have ended that were open before.
    if (received === 'opened') await workspace.findEnded()
    const last = workspace.tries.at(-1)
    const isAnswered = last?.outcome === 'refused' || last?.outcome === 'throttled'
    const one = oneToClose(workspace)
    if (received === 'opened' || received === 'full' || !isAnswered || one === undefined) return []
    code = last.code
    await workspace.close(one)
    await workspace.awaitClosed(one, CLOSED_MS)
    if (!(await isServed(workspace))) return []
  }
  return [broken('cap-wrong-code', `${code} with ${declared} sessions open, which is the declared cap`)]
}

/** A place may be free a while after its session is closed. */
async function isServed(workspace: Workspace): Promise<boolean> {
  if ((await workspace.create(workspace.freshKey())) === 'opened') return true
  await workspace.machine.wait(GRACE_MS)
  return (await workspace.create(workspace.freshKey())) === 'opened'
}
