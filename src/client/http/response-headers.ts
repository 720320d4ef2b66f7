/** Headers of an answer: lower-case names, several values joined with ', '. */
export type Headers = { readonly [name: string]: string }

/** @param raw names and values in turn, as they came */
export function joinHeaders(raw: readonly string[]): Headers {
  const joined = new Map<string, string>()
  for (let place = 0; place + 1 < raw.length; place += 2) {
    const name = (raw[place] ?? '').toLowerCase()
    const value = raw[place + 1] ?? ''
    const before = joined.get(name)
    joined.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(joined)
}
