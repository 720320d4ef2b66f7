import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { Context, OpenSession } from '#scenario/author/context'
import { lookTwice, type Looks, twoLooks } from '#scenario/author/look-twice'
import { look } from '#scenario/author/session-ending'
import { words } from './lives.ts'

interface Listing {
  readonly key?: KeyName
  readonly looks?: Looks
}

/**
 * Lists sessions, once more after a while where this one is missing. If it still is, Get tells whether it was open: a
 * service may end it by itself (3.1). The rules judge what comes.
 */
export async function listWith(c: Context, session: OpenSession, options: Listing = {}): Promise<Exchange> {
  const listed = await list(c, options, (shown) => shown.has(session.id))
  if (listed.ok && !words(listed.data).has(session.id)) await look(c, session)
  return listed
}

/** The same where it is still there. */
export function listWithout(c: Context, { id }: OpenSession, options: Listing = {}): Promise<Exchange> {
  return list(c, options, (shown) => !shown.has(id))
}

function list(
  c: Context,
  { key = 'primary', looks = twoLooks(c) }: Listing,
  fits: (shown: ReadonlySet<string>) => boolean,
): Promise<Exchange> {
  const ask = (exchange: number) => c.call('list-avatar-sessions', { exchange, key })
  return lookTwice(c, looks, ask, ({ ok, data }) => !ok || fits(words(data)))
}
