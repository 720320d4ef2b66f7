import { decoded } from '#trace/decoded'

/** The session in the path of a request about one. */
export function sessionIn(path: string): string | undefined {
  const id = /^[^?]*\/sessions\/([^/?]+)/.exec(path)?.[1]
  return id === undefined ? undefined : decoded(id)
}
