/** What a row asks of a profile. */
interface Asking {
  readonly standing: string
  readonly abilities?: readonly string[]
  readonly keys?: readonly string[]
  readonly media?: readonly string[]
  readonly triggers?: readonly string[]
}

const kinds = ['keys', 'media', 'triggers'] as const

/**
 * Ids of the rows that need a key, a medium or a trigger, by the field of the profile that names it: `keys.capped`. Rows
 * that no client can judge are left out, and those of an ability that is declared away.
 */
export function rowsByNeed(
  rows: Iterable<readonly [id: string, row: Asking]>,
  isAway: (ability: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [id, row] of rows) {
    if (row.standing === 'untestable' || row.abilities?.some(isAway) === true) continue
    for (const field of kinds.flatMap((kind) => (row[kind] ?? []).map((name) => `${kind}.${name}`))) {
      const ids = found.get(field)
      if (ids === undefined) found.set(field, [id])
      else ids.push(id)
    }
  }
  return found
}
