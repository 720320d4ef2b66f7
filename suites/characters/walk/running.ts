import type { Exchange } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { accepted, admitted } from '#trace/conditions'
import { ada, bea, cleo } from '../bodies.ts'
import { choose, refuseAvatar } from '../session/channel-acts.ts'

const leaves = 'characters.session.edit-leaves-running'
const kept = 'characters.deleted.running-session-kept'
const admits = 'characters.deleted.running-session-admits'

/** Rows about a session whose character changes while it runs. */
export const sessionRows = [leaves, kept, admits] as const
type SessionRow = (typeof sessionRows)[number]

type Running = Context<SessionRow>

/** A session of Ada and Bea has them still when its character has Ada and Cleo. */
export async function duringReplace(
  c: Running,
  session: OpenSession,
  replaces: () => Promise<Exchange>,
): Promise<void> {
  const channel = await c.open(session)
  if (channel.state !== 'open') return void (await replaces())
  const before = [await choose(c, channel, bea), await choose(c, channel, ada)]
  const { exchange } = await replaces()
  const given = [accepted(exchange), ...before]
  await choose(c, channel, bea, { rows: leaves, given })
  await refuseAvatar(c, channel, cleo, { rows: leaves, given })
  await channel.close()
}

/** "Sessions already running are not interrupted" (3.6): the channel goes on, and another one is let in. */
export async function duringDelete(c: Running, session: OpenSession, deletes: () => Promise<Exchange>): Promise<void> {
  const channel = await c.open(session)
  if (channel.state !== 'open') return void (await deletes())
  const before = await choose(c, channel, ada)
  const { exchange } = await deletes()
  const told = { given: [accepted(exchange), before], after: { exchange, edge: 'answered' } as const }
  await choose(c, channel, cleo, { ...told, rows: kept })
  await channel.close()
  const again = c.channelNumber()
  c.claim(admits, admitted(again), { given: told.given })
  const other = await c.open(session, { channel: again })
  if (other.state === 'open') await choose(c, other, ada)
  await other.close()
}
