import { isObject, type Json } from '#trace/json'

const names = ['session_id', 'id']

/** Ids of sessions anywhere in the data of List Sessions, whose form is not shown. */
export function idsIn(data: Json | undefined): ReadonlySet<string> {
  const found = new Set<string>()
  collect(data, found)
  return found
}

function collect(value: Json | undefined, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) collect(item, found)
  if (!isObject(value)) return
  for (const [name, inside] of Object.entries(value)) {
    if (names.includes(name) && typeof inside === 'string' && inside !== '') found.add(inside)
    else if (names.includes(name) && typeof inside === 'number') found.add(String(inside))
    else collect(inside, found)
  }
}
