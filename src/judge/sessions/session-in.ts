import { decoded } from '#trace/decoded'
import type { ExchangeRecord } from '../trace-index.ts'

/** The session in the path of a request about one. */
export function sessionIn(path: string): string | undefined {
  const id = /^[^?]*\/sessions\/([^/?]+)/.exec(path)?.[1]
  return id === undefined ? undefined : decoded(id)
}

/** The session that an exchange is about, by its path. */
export const sessionOf = ({ attempts }: ExchangeRecord): string | undefined =>
  sessionIn(attempts[0]?.request.entry.path ?? '')
