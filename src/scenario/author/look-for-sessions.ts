import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import { words } from '#trace/json'
import type { Context, OpenSession } from './context.ts'
import { lookTwice, type Looks, twoLooks } from './look-twice.ts'
import { look } from './session-ending.ts'
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

interface Listing {
  readonly key?: KeyName
  readonly looks?: Looks
}

/** Lists sessions, once more after a while where what is shown does not fit. */
export function listSessions(
  c: Context,
  fits: (shown: ReadonlySet<string>) => boolean,
  { key = 'primary', looks = twoLooks(c) }: Listing = {},
): Promise<Exchange> {
  const ask = (exchange: number) => c.call('list-avatar-sessions', { exchange, key })
  return lookTwice(c, looks, ask, ({ ok, data }) => !ok || fits(words(data)))
}

/**
 * Lists them until these are shown. If one of them still is not, Get tells whether it was open: a service may end it by itself
 * (3.1). The rules judge what comes.
 */
export async function listWith(c: Context, open: readonly OpenSession[], options: Listing = {}): Promise<void> {
  const unseenIn = (shown: ReadonlySet<string>) => open.find(({ id }) => !shown.has(id))
  const listed = await listSessions(c, (shown) => unseenIn(shown) === undefined, options)
  const unseen = listed.ok ? unseenIn(words(listed.data)) : undefined
  if (unseen !== undefined) await look(c, unseen)
}

/** Lists them until this one is not shown any more. */
export function listWithout(c: Context, { id }: OpenSession): Promise<Exchange> {
  return listSessions(c, (shown) => !shown.has(id))
}
