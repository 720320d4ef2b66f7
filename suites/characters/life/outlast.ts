import type { Channel } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { look, tellsOfEnd } from '#scenario/author/session-ending'
import { begin, remove, save } from '../acts.ts'
import { ada, pairCharacter } from '../bodies.ts'
import { choose } from '../session/channel-acts.ts'

/** An end that comes so long after a delete may come of it, in milliseconds: a rule judges what comes. */
const soon_ms = 3_000

/** A session whose character was deleted, when that was answered by our clock, and an open connection. */
interface Orphan {
  readonly session: OpenSession
  readonly channel: Channel
  readonly at: number
}

/**
 * Watches a session until its end would come of something else than the delete. It may end in that time by accident (3.1):
 * then the same is done with another character, and what ends both of them was no accident.
 */
export async function outlastDelete(c: Context, orphan: Orphan): Promise<void> {
  if (!(await endsSoon(c, orphan))) return
  const id = await save(c, pairCharacter(c, 'orphan'))
  if (id === undefined) return
  const session = await begin(c, { character_id: id })
  const channel = await c.connect(session)
  await choose(c, channel, ada)
  await remove(c, id)
  await endsSoon(c, { session, channel, at: performance.now() })
  await channel.close()
  await c.close(session)
}

/** @returns whether it ended; Get tells where the connection did not say so (6.2) */
async function endsSoon(c: Context, { session, channel, at }: Orphan): Promise<boolean> {
  await channel.watch(Math.max(1, at + soon_ms - performance.now()))
  if (tellsOfEnd(channel)) return true
  if (channel.state === 'open') return false
  await look(c, session)
  return true
}
