import type { Call, Context, OpenSession } from '#scenario/author/context'
import type { RequirementId } from '#spec/register'
import { note } from '../session/channel-acts.ts'

/** Closes a session. Where that is refused, a connection that serves shows that it had not ended by itself. */
export async function closeOrShow<Row extends RequirementId>(
  c: Context<Row>,
  session: OpenSession,
  call?: Call<Row>,
): Promise<void> {
  const { ok } = await c.close(session, call)
  if (ok) return
  const channel = await c.open(session)
  if (channel.state === 'open') await note(c, channel, c.id('late'))
  await channel.close()
}
