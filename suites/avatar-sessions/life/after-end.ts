import type { Channel } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { Context, OpenSession } from '#scenario/author/context'
import { saysOver, type Sight } from '#scenario/author/session-ending'
import { sightOfEnd } from '#scenario/author/sessions/sight'
import { step } from '#scenario/author/step'
import { watchRefusal } from '#scenario/author/watch-refusal'
import { refused } from '#trace/conditions'
import { lookUntil } from './ending.ts'

/**
 * Tries to connect with the secret of a session that the look shows to be over: it admits nobody any more, neither as a query
 * parameter nor in the header.
 *
 * @param control a channel that it opened before
 */
export async function expectRefusedAfter<Row extends RequirementId>(
  c: Context<Row>,
  session: OpenSession,
  { rows, control, last }: { rows: { query: Row; header: Row }; control: Channel; last: Sight },
): Promise<void> {
  const over = { onlyIf: [saysOver(last)] }
  const [query, header] = [c.channelNumber(), c.channelNumber()]
  c.claim(rows.query, refused(query, control.channel), over)
  c.claim(rows.header, refused(header, control.channel), over)
  const again = await c.open(session, { channel: query, expects_refusal: true })
  const bearer = await c.open(session, { channel: header, credential: 'header', expects_refusal: true })
  await Promise.all([watchRefusal(c, again), watchRefusal(c, bearer)])
}

const closed = {
  query: 'control-channel.secret.refused-after-closed',
  header: 'control-channel.secret.bearer-refused-after-closed',
} as const

/** A session that a timer has ended is closed like any other: once it is, its secret admits nobody (5.3). */
export const expectRefusedOnceClosed = step(
  Object.values(closed),
  async (c, session: OpenSession, control: Channel) => {
    const looked = await lookUntil(c, session, c.timeouts.closed_ms, ['closed', 'failed'])
    const last = await sightOfEnd(c, session, looked)
    await expectRefusedAfter(c, session, { rows: closed, control, last })
  },
)
