import type { RequirementId } from '#spec/register'
import type { Context, OpenSession } from '#scenario/author/context'
import { event, eventually } from '#trace/conditions'

/** The session goes on: its control channel is let in, and applies an update. What Get tells of it is not shown (4.1). */
export async function expectWorking<Row extends RequirementId>(
  c: Context<Row>,
  session: OpenSession,
  row: Row,
): Promise<void> {
  const channel = await c.connect(session)
  const [frame, update] = [channel.nextFrame(), c.id('still')]
  const updated = event('session.updated', { '/event_id': update })
  c.claim(row, eventually(channel.channel, { frame }, updated, c.timeouts.event_ms))
  channel.send({ type: 'session.update', event_id: update, session: { mode: 'text_chat' } }, frame)
  await channel.next(updated, { within_ms: c.timeouts.event_ms })
}
