import type { Channel } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { ended, look, tellsOfEnd } from '#scenario/author/session-ending'
import { ending } from '#judge/sessions/session-end'
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
  const fate = await fateOf(c, orphan)
  if (fate === 'goes on') return
  // What has ended may hold its place until it is closed, and there may be no other (7, 30006).
  if (fate === 'over') await c.close(orphan.session)
  const id = await save(c, pairCharacter(c, 'orphan'))
  if (id === undefined) return
  const session = await begin(c, { character_id: id })
  const channel = await c.connect(session)
  await choose(c, channel, ada)
  await remove(c, id)
  await fateOf(c, { session, channel, at: performance.now() })
  await channel.close()
  await c.close(session)
}

/** What became of it; Get tells where the connection did not say so (6.2), and may tell nothing. */
async function fateOf(c: Context, { session, channel, at }: Orphan): Promise<'goes on' | 'over' | 'unknown'> {
  await channel.watch(Math.max(1, at + soon_ms - performance.now()))
  if (tellsOfEnd(channel)) return 'over'
  if (channel.state === 'open') return 'goes on'
  return ended(await look(c, session), session, ending) ? 'over' : 'unknown'
}
