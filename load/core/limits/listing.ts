/**
 * What a payload that is not shown (Get and List Sessions) can be read for all the same: texts, each with the name of the
 * field that holds it; what stands in an array goes by the array's name.
 */
export function textsIn(data: unknown): { readonly field: string; readonly text: string }[] {
  const found: { field: string; text: string }[] = []
  const walk = (value: unknown, field: string): void => {
    if (typeof value === 'string') found.push({ field, text: value })
    else if (Array.isArray(value)) for (const one of value) walk(one, field)
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) walk(inner, name)
  }
  walk(data, '')
  return found
}

export interface Listing {
  /** Sessions of ours that it shows. */
  readonly ours: ReadonlySet<string>
  /** Other sessions, told by the fields in which ours stand. */
  readonly others: readonly string[]
  /** Whether it holds no text at all: then it shows nobody, however it is written. */
  readonly blank: boolean
}

/**
 * Reads List Sessions.
 * @param fields in which ids stand, as far as that is known: learned from the sessions that are known to be ours
 */
export function readListing(data: unknown, made: ReadonlySet<string>, fields: Set<string>): Listing {
  const texts = textsIn(data)
  for (const { field, text } of texts) if (made.has(text)) fields.add(field)
  const ids = new Set(texts.filter(({ field }) => fields.has(field)).map(({ text }) => text))
  return {
    ours: new Set([...ids].filter((id) => made.has(id))),
    others: [...ids].filter((id) => !made.has(id)),
    blank: texts.length === 0,
  }
}

/** Of the states of a session (2.1), those in which it is over for good; and those in which it has been, or is being, closed. */
const ended: readonly unknown[] = ['closed', 'failed']
const leaving: readonly unknown[] = ['closing', ...ended]

export const isOver = (status: unknown): boolean => ended.includes(status)
export const isLeaving = (status: unknown): boolean => leaving.includes(status)

/**
 * How a session fares, as Get Session tells, whose payload is not shown: `data.status`, where it is one of the four (2.1), else
 * what is named anywhere, where that is one of them or all that is named is over. A session that is not found has ended.
 * @returns undefined where nothing is named, `unsure` where several are
 */
export function statusIn(code: string, data: { readonly [field: string]: unknown }): string | undefined {
  if (code === '20005') return 'closed'
  const isState = (text: unknown): text is string => text === 'active' || isLeaving(text)
  if (isState(data['status'])) return data['status']
  const named = [...new Set(textsIn(data).map(({ text }) => text))].filter(isState)
  if (named.length < 2) return named[0]
  return named.every(isOver) ? 'failed' : 'unsure'
}
