import type { ScopedClient } from '#client/client'
import { percentEncoded } from '#client/http/percent'
import type { Channel } from '#client/types'
import { ending } from '#judge/sessions/session-end'
import type { KeyName } from '#spec/profile'
import type { Entry } from '#trace/entry'
import { ended, tellsOfEnd } from '../author/session-ending.ts'

/**
 * The sessions of channels that the target closed or refused, for no reason that can be seen: it said no `session.closed`, which "may
 * be missed" (6.2), and we had not asked for a close. Get tells whether the session had ended, or the connection alone.
 */
export function cutOffSessions(
  entries: readonly Entry[],
  channels: readonly Pick<Channel, 'channel' | 'session' | 'state' | 'frames'>[],
): readonly string[] {
  const unheard = channels.filter((channel) => channel.state !== 'open' && !tellsOfEnd(channel))
  const cut = unheard.filter(({ channel }) => entries.some((entry) => isEndBy(entry, channel)))
  const sessions = new Set(cut.map(({ session }) => session))
  return [...sessions].filter((session) => !closed(entries, session))
}

/** The target closed the channel, or answered its upgrade by a refusal. */
function isEndBy(entry: Entry, channel: number): boolean {
  if (entry.kind === 'channel-refused') return entry.channel === channel && entry.reason === 'status'
  return entry.kind === 'channel-closed' && entry.channel === channel && entry.by === 'target'
}

function closed(entries: readonly Entry[], session: string): boolean {
  const path = `/sessions/${percentEncoded(session)}/close`
  return entries.some((entry) => entry.kind === 'request' && entry.path.includes(path))
}

/** Looks at a session, and once more where Get may be behind; the judge reads what it says. @returns whether it had ended */
export async function seeWhetherEnded(
  scope: Pick<ScopedClient, 'rest' | 'wait'>,
  { session, key, lag_ms }: { readonly session: string; readonly key: KeyName; readonly lag_ms: number },
): Promise<boolean> {
  const look = async () =>
    ended(await scope.rest('get-avatar-session', { key, params: { session_id: session } }), { id: session }, ending)
  if (await look()) return true
  await scope.wait(lag_ms, 'lag')
  return look()
}
