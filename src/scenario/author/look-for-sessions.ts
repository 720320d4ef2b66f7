import type { KeyName } from '#spec/profile'
import type { Context } from './context.ts'
import { idsIn } from './session-ids.ts'

/** Sessions that are looked at: in a workspace that can open none, one is too many. */
const most = 2

/** Lists the sessions of a workspace that has none, and looks at those that there are after all. */
export async function lookForSessions(context: Context, key: KeyName, exchange: number): Promise<void> {
  const { data } = await context.call('list-avatar-sessions', { key, exchange })
  for (const session_id of [...idsIn(data)].slice(0, most)) {
    await context.call('get-avatar-session', { key, params: { session_id } })
  }
}
