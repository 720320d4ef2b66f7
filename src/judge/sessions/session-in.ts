import { decoded } from '#trace/decoded'
import type { ExchangeRecord } from '../trace-index.ts'

const before = '/sessions/'

/** The session in the path of a request about one. Asked of each request by many rules: an expression would be slow. */
export function sessionIn(path: string): string | undefined {
  const query = path.indexOf('?')
  const end = query === -1 ? path.length : query
  const at = path.lastIndexOf(before, end - before.length)
  if (at === -1) return undefined
  const from = at + before.length
  const slash = path.indexOf('/', from)
  const id = path.slice(from, slash === -1 ? end : Math.min(slash, end))
  return id === '' ? undefined : decoded(id)
}

/** The session that an exchange is about, by its path. */
export const sessionOf = ({ attempts }: ExchangeRecord): string | undefined =>
  sessionIn(attempts[0]?.request.entry.path ?? '')
