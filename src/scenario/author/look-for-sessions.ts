import type { KeyName } from '#spec/profile'
import { isObject, type Json } from '#trace/json'
import type { Context } from './context.ts'

/** Sessions that are looked at: in a workspace that can open none, one is too many. */
const most = 2

/** Lists the sessions of a workspace that has none, and looks at those that there are after all. */
export async function lookForSessions(context: Context, key: KeyName, exchange: number): Promise<void> {
  const { data } = await context.call('list-avatar-sessions', { key, exchange })
  for (const session_id of [...new Set(idsIn(data))].slice(0, most)) {
    await context.call('get-avatar-session', { key, params: { session_id } })
  }
}

/** Where List Sessions shows ids is not said: under this name, at any depth. */
function idsIn(data: Json | undefined): readonly string[] {
  if (Array.isArray(data)) return (data as readonly Json[]).flatMap(idsIn)
  if (!isObject(data)) return []
  return Object.entries(data).flatMap(([name, value]) =>
    (name === 'session_id' || name === 'id') && typeof value === 'string' ? [value] : idsIn(value),
  )
}
