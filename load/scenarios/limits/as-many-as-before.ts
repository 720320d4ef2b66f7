import { broken, held, type Ruling } from '../../core/limits/laws.ts'
import { isEmpty } from './full-for-nobody.ts'
import { CLOSED_MS, GRACE_MS, LAG_MS, type Workspace } from './workspace.ts'

/** How often it is looked, where fewer find a place. */
const LOOKS = 2

/** No more places than this are looked for: each costs three requests, and once more two. */
const MOST = 15

/** @returns how many sessions were seen to be open at once, of those that find a place one after the other; all are closed again */
export async function countPlaces(workspace: Workspace): Promise<number> {
  await openSome(workspace, MOST)
  let seen = 0
  // Get may be behind as lists may.
  await workspace.machine.wait(LAG_MS)
  // Who is open after the last one came was open with it: sessions may end by themselves.
  for (const session of workspace.open) if (await workspace.isSeenOpen(session)) seen += 1
  await closeAll(workspace)
  return seen
}

/**
 * Places that were lost one by one show once all sessions are closed: as many find a place as were open at once before.
 * What took them (a close that frees nothing, a create that was refused or repeated) does not show.
 * @returns what became of that; nothing where others are about, or where creates come to no answer
 */
export async function judgeAsManyAsBefore(workspace: Workspace, before: number): Promise<Ruling[]> {
  let found = 0
  for (let look = 0; look < LOOKS; look += 1) {
    if (before === 0 || !(await isEmpty(workspace))) return []
    await workspace.machine.wait(GRACE_MS)
    const end = await openSome(workspace, before)
    found = workspace.open.length
    const alone = end !== 'full' || (await workspace.isAlone())
    await closeAll(workspace)
    if (end === 'opened') return [held('place-not-freed')]
    if (end !== 'full' || !alone) return []
  }
  return [broken('place-not-freed', `${found} find a place, where ${before} were open at once before`)]
}

/** Opens one after the other. @returns what came of the last */
async function openSome(workspace: Workspace, most: number): ReturnType<Workspace['create']> {
  for (let count = 0; count < most; count += 1) {
    if (workspace.ends.over) return 'lost'
    const received = await workspace.create(workspace.freshKey())
    if (received !== 'opened') return received
  }
  return 'opened'
}

async function closeAll(workspace: Workspace): Promise<void> {
  const open = workspace.open
  await Promise.all(open.map((session) => workspace.close(session)))
  await Promise.all(open.map((session) => workspace.awaitClosed(session, CLOSED_MS)))
}
