import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { Context, OpenSession } from '#scenario/author/context'
import { lookTwice, type Looks, twoLooks } from '#scenario/author/look-twice'
import { words } from './lives.ts'

interface Listing {
  readonly key?: KeyName
  readonly looks?: Looks
}

/** Lists sessions, once more after a while where this one is missing. The rules judge what comes. */
export function listWith(c: Context, { id }: OpenSession, options: Listing = {}): Promise<Exchange> {
  return list(c, options, (shown) => shown.has(id))
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
  const look = (exchange: number) => c.call('list-avatar-sessions', { exchange, key })
  return lookTwice(c, looks, look, ({ ok, data }) => !ok || fits(words(data)))
}
