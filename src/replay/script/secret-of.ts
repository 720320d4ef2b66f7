import type { ChannelOpenEntry } from '#trace/entry'
import { isStandIn } from '#trace/stand-ins'
import { apart } from '../send/credential-of.ts'
import { quoted, type Say } from './literal.ts'

/** How a secret that is not the session's own is made of it, by the first word of what stood for it. */
const wrong: { readonly [how: string]: (own: string) => string } = {
  longer: (own) => `${own} + 'x'`,
  shorter: (own) => `${own}?.slice(0, -1)`,
  changed: (own) => `${own}?.replace(/./, (first) => (first === 'm' ? 'n' : 'm'))`,
  other: () => quoted('never-issued'),
}

/** The address of a recorded connection without its token, and the last argument of `connect`. @param session its answer */
export function secretOf(
  entry: ChannelOpenEntry,
  session: string | undefined,
  say: Say,
): { readonly url: string; readonly credential: string } {
  const { url, token } = apart(entry)
  const secret = entry.credential === 'header' ? entry.secret : token
  if (entry.credential === 'none' || secret === undefined) return { url, credential: '' }
  const said = say(secret)
  const own = session === undefined ? undefined : `${session}?.data?.control?.client_secret`
  // A stand-in that no answer told stood for a secret that was made up.
  const made = isStandIn(secret) && said === quoted(secret)
  const how = /^\[(longer|shorter|changed)_/.exec(secret)?.[1] ?? 'other'
  const value = made ? (wrong[how]?.(own ?? quoted('never-issued')) ?? said) : said
  return { url, credential: `, { ${entry.credential === 'header' ? 'bearer' : 'token'}: ${value} }` }
}
