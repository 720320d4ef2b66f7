/** The session in the path of a request about one. */
export function sessionIn(path: string): string | undefined {
  const id = /^[^?]*\/sessions\/([^/?]+)/.exec(path)?.[1]
  try {
    return id === undefined ? undefined : decodeURIComponent(id)
  } catch {
    return id
  }
}
