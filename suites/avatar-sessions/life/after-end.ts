import type { Channel } from '#client/types'
import { admissionMs } from '#judge/channel-conditions'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import { saysOver } from '#scenario/author/session-ending'
import { refused } from '#trace/conditions'
import { lookUntil } from './ending.ts'

/** Rows that say the secret admits nobody any more: as a query parameter, and in the header. */
export interface Shut {
  readonly query: RequirementId
  readonly header: RequirementId
}

const closed: Shut = {
  query: 'control-channel.secret.refused-after-closed',
  header: 'control-channel.secret.bearer-refused-after-closed',
}

export const rowsOfClosed: readonly RequirementId[] = [closed.query, closed.header]

/**
 * Knocks with the secret of a session that the look shows to be over.
 *
 * @param twin a channel that it opened before
 */
export async function knockAfter(
  c: Context,
  session: OpenSession,
  { rows, twin, last }: { readonly rows: Shut; readonly twin: Channel; readonly last: number },
): Promise<void> {
  const given = { given: [saysOver(last)], given_code: 'model_choice' as const }
  const [query, header] = [c.channelNumber(), c.channelNumber()]
  c.claim(rows.query, refused(query, twin.channel), given)
  c.claim(rows.header, refused(header, twin.channel), given)
  const again = await c.open(session, { channel: query, expects_refusal: true })
  const bearer = await c.open(session, { channel: header, credential: 'header', expects_refusal: true })
  await Promise.all([again.watch(admissionMs + 200), bearer.watch(admissionMs + 200)])
}

/** A session that a timer has ended is closed like any other: once it is, its secret admits nobody (5.3). */
export async function knockOnceClosed(c: Context, session: OpenSession, twin: Channel): Promise<void> {
  const last = await lookUntil(c, session, c.timeouts.closed_ms, ['closed', 'failed'])
  await knockAfter(c, session, { rows: closed, twin, last })
}
