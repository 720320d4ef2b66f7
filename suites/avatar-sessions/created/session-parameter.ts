import { decoded } from '#trace/decoded'

/**
 * Whether the `session_id` parameter of a control URL names the session. A plus sign in a query stands for itself (RFC
 * 3986); only forms of HTML read it as a blank, so that it is read in both ways.
 */
export function namesSession(url: URL, session: string): boolean {
  if (url.searchParams.get('session_id') === session) return true
  const pairs = url.search.slice(1).split('&')
  const raw = pairs.find((pair) => pair.startsWith('session_id='))?.slice('session_id='.length)
  return raw !== undefined && decoded(raw) === session
}
