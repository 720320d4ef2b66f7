import type { ChannelOpenEntry } from '#trace/entry'
import { isStandIn, keysIn, wrongWayOf } from '#trace/stand-ins'
import { apart } from '../send/reopened-connection.ts'
import { quoted } from './literal.ts'
import type { Names } from './names.ts'

/** The address of a recorded connection without its token, and the last argument of `connect`. @param session its answer */
export function secretOf(
  entry: ChannelOpenEntry,
  session: string | undefined,
  { say, member }: Names,
): { readonly url: string; readonly credential: string } {
  const { url, token } = apart(entry)
  const secret = entry.credential === 'header' ? entry.secret : token
  if (entry.credential === 'none' || secret === undefined) return { url, credential: '' }
  const said = say(secret)
  // A stand-in that no answer told stood for a secret that was made up.
  const made = isStandIn(secret) && keysIn(secret).length === 0 && said === quoted(secret)
  const own = (): string => (session === undefined ? '' : `, ${member(session, '/data/control/client_secret')}`)
  const value = made ? `wrong(${quoted(wrongWayOf(secret))}${own()})` : said
  return { url, credential: `, { ${entry.credential === 'header' ? 'bearer' : 'token'}: ${value} }` }
}
